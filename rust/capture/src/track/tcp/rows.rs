//! A connection as a row of `tcp_connections`.

use std::sync::Arc;

use super::Tracked;
use super::connection::{Connection, Ended};
use super::sender::{Sender, Trouble};
use crate::tables::tcp_connections::{TcpConnection, TcpEnd};

pub fn row(source: &Arc<str>, tracked: &Tracked) -> TcpConnection {
    let connection = &tracked.connection;
    let (client, server) = (&connection.client, &connection.server);
    let troubles = (client.troubles(), server.troubles());
    let both = |count: fn(&Trouble) -> u32| count(&troubles.0).saturating_add(count(&troubles.1));
    let timed = connection.timed;
    let both_syns = client.offer.syn_times > 0 && server.offer.syn_times > 0;
    TcpConnection {
        source: Arc::clone(source),
        connection: connection.index,
        client_address: tracked.client.0,
        client_port: tracked.client.1,
        server_address: tracked.server.0,
        server_port: tracked.server.1,
        client_known: tracked.client_known,
        first_frame: connection.first_frame,
        last_frame: connection.last_frame,
        first_ts: timed.then_some(connection.first_ts),
        last_ts: timed.then_some(connection.last_ts),
        opened: opened(connection),
        ended: ended(connection),
        handshake_to_server: connection.handshake.to_server.filter(|_| timed),
        handshake_to_client: connection.handshake.to_client.filter(|_| timed),
        sack: both_syns.then_some(client.offer.sack_permitted && server.offer.sack_permitted),
        timestamps: both_syns.then_some(client.offer.timestamps && server.offer.timestamps),
        ecn: both_syns.then_some(client.offer.ecn && server.offer.ecn),
        client: end(client, &troubles.0, timed),
        server: end(server, &troubles.1, timed),
        fast: both(|t| t.fast),
        rto: both(|t| t.rto),
        tail: both(|t| t.tail),
        spurious: both(|t| t.spurious),
        unexplained: both(|t| t.unexplained),
        repeated: both(|t| t.repeated),
        syn_retries: both(|t| t.syn_retries),
        out_of_order: both(|t| t.out_of_order),
        lost_before: both(|t| t.lost_before),
        lost_after: both(|t| t.lost_after),
        skipped: both(|t| t.skipped),
        gaps: both(|t| t.gaps),
        gap_bytes: troubles.0.gap_bytes.saturating_add(troubles.1.gap_bytes),
        acked_unseen: both(|t| t.acked_unseen),
        dup_acks: both(|t| t.dup_acks),
        dsacks: both(|t| t.dsacks),
        window_full: (client.offer.syn_times > 0 || server.offer.syn_times > 0).then(|| both(|t| t.window_full)),
        window_updates: both(|t| t.window_updates),
        zero_window_probes: both(|t| t.zero_window_probes),
        keep_alives: both(|t| t.keep_alives),
        keep_alive_acks: both(|t| t.keep_alive_acks),
        resets: both(|t| t.resets),
        copies: both(|t| t.copies),
        copy_frame: troubles.0.copy_frame.into_iter().chain(troubles.1.copy_frame).min(),
        stalls: timed.then_some(connection.stalls.count),
        stall_time: timed.then_some(connection.stalls.total),
        longest_stall: connection.stalls.longest.filter(|_| timed),
        idles: timed.then_some(connection.idle.count),
        idle_time: timed.then_some(connection.idle.total),
        longest_idle: connection.idle.longest.filter(|_| timed),
        labels: connection.labels,
    }
}

fn end(sender: &Sender, trouble: &Trouble, timed: bool) -> TcpEnd {
    let trips = &sender.round_trips;
    let opened = sender.offer.syn_times > 0;
    TcpEnd {
        packets: sender.packets,
        bytes: sender.bytes,
        resent_bytes: trouble.resent_bytes,
        largest: (sender.bytes > 0).then_some(sender.largest),
        mss: sender.offer.mss,
        window_scale: sender.offer.window_scale.filter(|_| opened),
        round_trips: trips.count,
        round_trip_min: trips.min().filter(|_| timed),
        round_trip_median: trips.quantile(0.5).filter(|_| timed),
        round_trip_p99: trips.quantile(0.99).filter(|_| timed),
        echo_min: sender.echo.min.filter(|_| timed),
        retransmissions: [trouble.fast, trouble.rto, trouble.tail, trouble.spurious, trouble.unexplained]
            .iter()
            .fold(0, |all, count| all.saturating_add(*count)),
        lost_before: trouble.lost_before,
        lost_after: trouble.lost_after,
        zero_windows: trouble.zero_windows,
        zero_window_time: (timed && !trouble.zero_window_timeless).then_some(trouble.zero_window_time),
        ce: sender.ce,
        ece: sender.ece,
        cwr: sender.cwr,
    }
}

fn opened(connection: &Connection) -> &'static str {
    let (client, server) = (&connection.client.offer, &connection.server.offer);
    match (client.syn_times > 0, server.syn_times > 0) {
        (true, true) if client.fast_open && connection.client.early_data => "fast open",
        (true, true) if connection.handshake.done => "handshake",
        (true, true) => "syn, syn-ack",
        (true, false) if connection.server.packets > 0 => "syn, no syn-ack",
        (true, false) => "syn",
        (false, true) => "syn-ack",
        (false, false) => "before capture",
    }
}

fn ended(connection: &Connection) -> &'static str {
    let reset = connection.client.reset_frame.is_some() || connection.server.reset_frame.is_some();
    match connection.ended_by {
        None => "open",
        Some((Ended::Reset, true)) => "rst by client",
        Some((Ended::Reset, false)) => "rst by server",
        Some((Ended::Fin, from_client)) => match (connection.client.fin && connection.server.fin, reset, from_client) {
            (_, true, true) => "fin by client, then rst",
            (_, true, false) => "fin by server, then rst",
            (true, false, true) => "fin by client",
            (true, false, false) => "fin by server",
            (false, false, true) => "half closed by client",
            (false, false, false) => "half closed by server",
        },
    }
}
