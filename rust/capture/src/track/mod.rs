//! Flow state, tracked in one pass over a capture: small event tables, whatever the size of the file.

mod agreed;
mod answer_ids;
mod control;
mod conversations;
mod credits;
mod damage;
mod direction;
mod episode;
mod found;
mod heard;
mod ip_ids;
mod mads;
mod marks;
mod notified;
mod outstanding;
mod pairing;
mod pauses;
mod psn;
mod queue_pairs;
mod recoveries;
mod request_stream;
mod requests;
mod samples;
mod settings;
mod settle;
#[cfg(test)]
mod simulated;
mod tcp;
mod totals;
mod tracked;
mod unreliable;

use std::path::Path;

use crate::container::Capture;
use crate::decode::decode;
use crate::error::CaptureError;
use crate::packet::Kind;
use crate::tables::capture_health::CaptureHealth;
use crate::tables::captured::Captured;
use crate::tables::problems::ProblemRow;
use control::Control;
use conversations::Conversations;
pub use credits::Stall;
use mads::Mads;
use pauses::Pauses;
use queue_pairs::QueuePairs;
use requests::Requests;
pub use settings::Settings;
use tcp::Connections;
pub use tracked::Tracked;

/// Packets between two progress reports.
const REPORT_EVERY: u64 = 1 << 16;

/// Reads a capture once. `source` is the name its rows carry, `settings` what a person knows of its place. `on_progress` gets the bytes of the file read so far and
/// its size if known, and stops the pass by returning false.
///
/// # Errors
/// When the file cannot be opened or is no capture, and [`CaptureError::Cancelled`]. Damage further in is a row of
/// [`Tracked::problems`].
pub fn track(
    path: &Path,
    source: &str,
    settings: &Settings,
    on_progress: &mut dyn FnMut(u64, Option<u64>) -> bool,
) -> Result<Tracked, CaptureError> {
    let mut capture = Capture::open(path)?;
    let mut pass = Pass::new(source, settings);
    let mut until_report = REPORT_EVERY;
    while let Some(record) = capture.next() {
        pass.on_packet(&Captured {
            source,
            frame: record.frame,
            ts: record.ts,
            interface: record.interface,
            captured_len: record.data.len() as u32,
            wire_len: record.wire_len,
            link_type: record.link_type,
            packet: decode(record.link_type, record.data, record.wire_len),
        });
        until_report -= 1;
        if until_report == 0 {
            until_report = REPORT_EVERY;
            if !on_progress(capture.consumed(), capture.size()) {
                return Err(CaptureError::Cancelled);
            }
        }
    }
    if !on_progress(capture.consumed(), capture.size()) {
        return Err(CaptureError::Cancelled);
    }
    Ok(pass.finish(&capture))
}

/// The state of the pass.
struct Pass<'s> {
    source: &'s str,
    queue_pairs: QueuePairs,
    mads: Mads,
    pauses: Pauses,
    conversations: Conversations,
    connections: Connections,
    requests: Requests,
    control: Control,
    packets: u64,
    roce_packets: u64,
    cut_packets: u64,
    undecoded: u64,
    backward_steps: u64,
    first_ts: Option<i64>,
    last_ts: Option<i64>,
    latest: Vec<Option<i64>>,
}

/// Interfaces whose clocks are followed one by one.
const MOST_INTERFACES: usize = 4096;

impl<'s> Pass<'s> {
    fn new(source: &'s str, settings: &Settings) -> Self {
        Self {
            source,
            queue_pairs: QueuePairs::default(),
            mads: Mads::default(),
            pauses: Pauses::new(settings.clone()),
            conversations: Conversations::default(),
            connections: Connections::default(),
            requests: Requests::default(),
            control: Control::default(),
            packets: 0,
            roce_packets: 0,
            cut_packets: 0,
            undecoded: 0,
            backward_steps: 0,
            first_ts: None,
            last_ts: None,
            latest: Vec::new(),
        }
    }

    fn on_packet(&mut self, row: &Captured<'_>) {
        self.packets += 1;
        self.cut_packets += u64::from(row.captured_len < row.wire_len);
        self.undecoded += u64::from(row.packet.stopped.is_some());
        if let Some(ts) = row.ts {
            self.follow_clock(row.interface as usize, ts);
        }
        if let Some(pause) = &row.packet.pause {
            self.pauses.on_frame(row, pause);
        } else if let Some(roce) = &row.packet.roce {
            self.roce_packets += 1;
            self.queue_pairs.on_packet(row, roce);
            if roce.deth.is_some()
                && let Some(connection) = self.mads.on_datagram(row, roce)
            {
                self.queue_pairs.on_connection(&connection);
            }
        } else {
            self.on_other(row);
        }
    }

    fn on_other(&mut self, row: &Captured<'_>) {
        if let Some(tcp) = &row.packet.tcp {
            if let Some(conversation) = self.conversations.of(row, tcp) {
                self.connections.on_segment(conversation, row, tcp);
                self.requests.on_segment(conversation, row, tcp);
            }
        } else if row.packet.kind == Kind::Udp {
            self.requests.on_datagram(row);
        }
        self.control.on_packet(row);
    }

    fn follow_clock(&mut self, interface: usize, ts: i64) {
        self.first_ts = Some(self.first_ts.map_or(ts, |first| first.min(ts)));
        self.last_ts = Some(self.last_ts.map_or(ts, |last| last.max(ts)));
        if interface >= MOST_INTERFACES {
            return;
        }
        if self.latest.len() <= interface {
            self.latest.resize(interface + 1, None);
        }
        self.backward_steps += u64::from(self.latest[interface].is_some_and(|latest| ts < latest));
        self.latest[interface] = Some(ts);
    }

    fn finish(self, capture: &Capture) -> Tracked {
        let source = self.source;
        let (pause_frames, pauses_untracked) = (self.pauses.frames, self.pauses.untracked);
        let (found, totals) = self.queue_pairs.finish(source);
        let mut problems: Vec<ProblemRow> = capture
            .problems()
            .iter()
            .map(|problem| ProblemRow {
                source: source.to_owned(),
                offset: problem.offset,
                frame: problem.frame,
                what: problem.what.clone(),
                next: problem.next.clone(),
            })
            .collect();
        let damaged = !problems.is_empty();
        let (tcp_connections, tcp_events) = self.connections.finish(source, &mut problems);
        let (requests, tokens) = self.requests.finish(source, &mut problems);
        let (neighbours, control_events) = self.control.finish(source, &mut problems);
        let mut untracked = |count: u64, what: &str, next: &str| {
            if count > 0 {
                problems.push(ProblemRow {
                    source: source.to_owned(),
                    offset: 0,
                    frame: self.packets,
                    what: format!("{count} {what} than are tracked"),
                    next: next.to_owned(),
                });
            }
        };
        untracked(
            totals.untracked,
            "RDMA packets belong to more queue pairs",
            "filter the capture by host or queue pair and read it again",
        );
        untracked(
            self.conversations.untracked,
            "TCP segments belong to more connections",
            "filter the capture by host or port and read it again",
        );
        untracked(
            totals.timers_left_out,
            "resends by timer happened on some queue pairs",
            "`loss_episodes` still counts their rounds; `ack_timeouts` lacks the later ones",
        );
        untracked(
            self.mads.untracked,
            "management datagrams came by",
            "filter the capture by queue pair 0 and 1, or by time, and read it again",
        );
        untracked(
            pauses_untracked,
            "pauses were asked for by more ports",
            "filter the capture by the MAC of one port and read it again",
        );
        let health = CaptureHealth {
            source: source.to_owned(),
            container: capture.container(),
            packets: self.packets,
            roce_packets: self.roce_packets,
            pause_frames,
            first_ts: self.first_ts,
            last_ts: self.last_ts,
            snap_len: capture.snap_len(),
            cut_packets: self.cut_packets,
            undecoded: self.undecoded,
            reliable_requests: totals.requests,
            unreliable_requests: totals.unreliable_requests,
            unreliable_gaps: totals.unreliable_gaps,
            answers: totals.answers,
            followed: totals.followed,
            one_way_qps: totals.one_way,
            unseen: totals.unseen,
            unseen_share: (totals.passed > 0).then(|| totals.unseen as f64 / totals.passed as f64),
            reported_drops: capture.reported_drops(),
            duplicates: totals.duplicates,
            longest_silence: totals.longest_silence,
            backward_steps: self.backward_steps,
            resolution: Some(capture.resolution()),
            damaged,
        };
        Tracked {
            capture_health: vec![health],
            roce_qps: found.roce_qps,
            loss_episodes: found.loss_episodes,
            rnr_waits: found.rnr_waits,
            ack_timeouts: found.ack_timeouts,
            cnp_rates: found.cnp_rates,
            ecn_marks: found.ecn_marks,
            credits: found.credits,
            cm_events: self.mads.finish(),
            pause_time: self.pauses.finish(source, self.first_ts.zip(self.last_ts)),
            tcp_connections,
            tcp_events,
            requests,
            tokens,
            neighbours,
            control_events,
            problems,
            ..Tracked::default()
        }
    }
}
