//! Tests of the tracker against short conversations that are written down: what each event is, and what is no event.

use super::talk::{MS, MSS, Segment, Talk, Told, clock, sack};
use crate::tables::loss_episodes::Side;
use crate::track::conversations::{ACK, FIN, RST, SYN};

/// A handshake over 2 ms to the server and 1 ms to the client.
fn opened() -> Talk {
    let mut talk = Talk::default();
    talk.handshake(2 * MS, MS);
    talk
}

#[test]
fn a_handshake_gives_both_halves_of_the_round_trip() {
    let told = opened().told();
    let connection = told.only();
    assert_eq!((connection.handshake_to_server, connection.handshake_to_client), (Some(2 * MS), Some(MS)));
    assert_eq!((connection.opened, connection.ended), ("handshake", "open"));
    assert_eq!((connection.client.mss, connection.server.window_scale), (Some(1000), Some(0)));
    assert_eq!(connection.sack, Some(true));
    assert_eq!(connection.client.round_trip_min, Some(2 * MS));
}

#[test]
fn a_syn_that_is_sent_twice_leaves_the_round_trip_unknown() {
    let mut talk = Talk::default();
    let syn = Segment { flags: SYN, ..Segment::default() };
    talk.at(0, &syn).at(1000 * MS, &syn);
    talk.at(1002 * MS, &Segment { from_client: false, flags: SYN | ACK, ack: 1, ..Segment::default() });
    talk.ack(1003 * MS, 1, 1);
    let told = talk.told();
    assert_eq!(told.only().handshake_to_server, None);
    assert_eq!(told.only().handshake_to_client, Some(MS));
    let retry = told.event("syn-retry");
    assert_eq!((retry.times, retry.side, retry.proof_frame), (Some(2), Some(Side::Destination), Some(1)));
    assert_eq!(told.stalls(), [("loss", 1000)]);
    assert_eq!(told.only().client.retransmissions, 0, "a SYN retry is none of data");
}

#[test]
fn a_syn_retry_after_the_answer_passed_was_lost_on_the_clients_side() {
    let mut talk = Talk::default();
    let syn = Segment { flags: SYN, ..Segment::default() };
    talk.at(0, &syn).at(MS, &Segment { from_client: false, flags: SYN | ACK, ack: 1, ..Segment::default() });
    talk.at(1000 * MS, &syn);
    assert_eq!(talk.told().event("syn-retry").side, Some(Side::Source));
}

#[test]
fn a_refused_connection_says_so() {
    let mut talk = Talk::default();
    talk.at(0, &Segment { flags: SYN, ..Segment::default() });
    talk.at(MS, &Segment { from_client: false, flags: RST | ACK, ack: 1, window: 0, ..Segment::default() });
    let told = talk.told();
    assert!(told.event("reset").proves.is_some());
    assert_eq!((told.only().opened, told.only().ended), ("syn, no syn-ack", "rst by server"));
}

#[test]
fn who_closes_first_is_told() {
    let mut talk = opened();
    talk.at(10 * MS, &Segment { from_client: false, seq: 1, ack: 1, flags: FIN | ACK, ..Segment::default() });
    assert_eq!(clone_told(&talk_with_fin(false)).only().ended, "fin by server");
    assert_eq!(talk.told().only().ended, "half closed by server");
}

fn talk_with_fin(client_first: bool) -> Vec<(i64, Segment)> {
    let fin = |from_client, seq, ack| Segment { from_client, seq, ack, flags: FIN | ACK, ..Segment::default() };
    vec![(10 * MS, fin(client_first, 1, 1)), (12 * MS, fin(!client_first, 1, 2))]
}

fn clone_told(segments: &[(i64, Segment)]) -> Told {
    let mut talk = opened();
    for (ts, segment) in segments {
        talk.at(*ts, segment);
    }
    talk.told()
}

#[test]
fn a_closed_window_is_the_receivers_stall() {
    let mut talk = opened();
    talk.reply(10 * MS, 1, 1, MSS);
    talk.at(11 * MS, &Segment { seq: 1, ack: 1 + MSS, window: 0, ..Segment::default() });
    // Linux probes with an empty segment below the next byte; the answer keeps the window closed.
    talk.reply(211 * MS, MSS, 1, 0);
    talk.at(212 * MS, &Segment { seq: 1, ack: 1 + MSS, window: 0, ..Segment::default() });
    talk.ack(511 * MS, 1, 1 + MSS).reply(513 * MS, 1 + MSS, 1, MSS);
    let told = talk.told();
    assert_eq!(told.kinds(), ["zero-window", "zero-window-end", "stall"]);
    assert_eq!(told.stalls(), [("zero-window", 500)]);
    let connection = told.only();
    assert_eq!((connection.zero_window_probes, connection.keep_alives, connection.dup_acks), (1, 0, 0));
    assert_eq!(connection.client.zero_window_time, Some(500 * MS));
    assert_eq!((connection.stalls, connection.idles), (Some(1), Some(0)));
}

#[test]
fn a_window_still_closed_at_the_end_counts_to_the_end() {
    let mut talk = opened();
    talk.reply(10 * MS, 1, 1, MSS);
    talk.at(11 * MS, &Segment { seq: 1, ack: 1 + MSS, window: 0, ..Segment::default() }).reply(900 * MS, MSS, 1, 0);
    let told = talk.told();
    assert_eq!(told.only().client.zero_window_time, Some(889 * MS));
    assert_eq!(told.only().longest_stall, Some(889 * MS));
}

#[test]
fn a_server_that_thinks_is_an_idle_application_and_no_stall() {
    let mut talk = opened();
    talk.ask(10 * MS, 1, 1, 100).reply(12 * MS, 1, 101, 0).reply(712 * MS, 1, 101, MSS);
    let told = talk.told();
    assert_eq!(told.stalls(), [("application", 702)]);
    assert!(!told.event("stall").from_client, "the server was idle");
    assert_eq!((told.only().stalls, told.only().idle_time), (Some(0), Some(702 * MS)));
}

#[test]
fn tokens_at_their_pace_are_no_event() {
    let mut talk = opened();
    talk.ask(10 * MS, 1, 1, 100).reply(12 * MS, 1, 101, 0);
    for token in 0..100_u32 {
        let ts = 50 * MS + i64::from(token) * 30 * MS;
        talk.reply(ts, 1 + token * 80, 101, 80).ack(ts + MS, 101, 81 + token * 80);
    }
    assert_eq!(talk.told().kinds(), Vec::<&str>::new());
}

#[test]
fn a_small_segment_held_back_by_a_delayed_ack_is_a_stall_of_its_own() {
    let mut talk = opened();
    talk.ask(10 * MS, 1, 1, 300).reply(50 * MS, 1, 301, 0).ask(51 * MS, 301, 1, 200);
    let told = talk.told();
    assert_eq!(told.stalls(), [("delayed-ack", 40)]);
    assert_eq!(told.event("stall").bytes, Some(300));
}

#[test]
fn a_delayed_ack_that_nobody_waited_for_is_no_stall() {
    let mut talk = opened();
    talk.ask(10 * MS, 1, 1, 300).reply(50 * MS, 1, 301, 0).ask(150 * MS, 301, 1, 200);
    assert_eq!(talk.told().kinds(), Vec::<&str>::new());
}

#[test]
fn large_segments_that_never_arrive_while_small_ones_do_are_a_black_hole() {
    let mut talk = opened();
    talk.ask(10 * MS, 1, 1, 200).reply(12 * MS, 1, 201, 0).ask(20 * MS, 201, 1, MSS);
    talk.reply(21 * MS, 1, 201, 50).ack(22 * MS, 201 + MSS, 51);
    talk.ask(221 * MS, 201, 51, MSS).ask(621 * MS, 201, 51, MSS).ask(1421 * MS, 201, 51, MSS);
    let told = talk.told();
    assert_eq!(told.stalls(), [("loss", 199), ("pmtu-black-hole", 400), ("pmtu-black-hole", 800)]);
    assert_eq!(told.only().rto, 3);
    assert_eq!(told.only().repeated, 2);
}

#[test]
fn a_path_that_is_dead_for_everything_is_no_black_hole() {
    let mut talk = opened();
    talk.ask(10 * MS, 1, 1, 200).reply(12 * MS, 1, 201, 0).ask(20 * MS, 201, 1, MSS);
    talk.ask(221 * MS, 201, 1, MSS).ask(621 * MS, 201, 1, MSS).ask(1421 * MS, 201, 1, MSS);
    assert!(talk.told().stalls().iter().all(|(cause, _)| *cause == "loss"));
}

/// Five segments of the server, of which the second is lost beyond the tap; duplicate ACKs with SACK.
fn one_lost() -> Talk {
    let mut talk = opened();
    for at in 0..5 {
        talk.reply(10 * MS + i64::from(at), 1 + at * MSS, 1, MSS);
    }
    talk.ack(11 * MS, 1, 1 + MSS);
    for at in 2..5_u32 {
        let options = sack(&[(1 + 2 * MSS, 1 + (at + 1) * MSS)]);
        talk.at(11 * MS + i64::from(at), &Segment { seq: 1, ack: 1 + MSS, options, ..Segment::default() });
    }
    talk
}

#[test]
fn duplicate_acks_are_one_row_and_what_they_ask_for_is_a_fast_resend() {
    let mut talk = one_lost();
    talk.reply(14 * MS, 1 + MSS, 1, MSS).ack(15 * MS, 1, 1 + 5 * MSS);
    let told = talk.told();
    assert_eq!(told.kinds(), ["dup-ack-run", "retransmission-fast"]);
    assert_eq!(told.event("dup-ack-run").count, Some(3));
    let resend = told.event("retransmission-fast");
    assert_eq!((resend.side, resend.times, resend.proof_frame), (Some(Side::Destination), Some(2), Some(5)));
    assert_eq!(resend.wireshark, Some("TCP Fast Retransmission"));
    assert_eq!(told.only().server.round_trips, 2, "no sample of what waited for the hole");
}

#[test]
fn a_resend_that_the_receiver_reports_as_second_was_spurious() {
    let mut talk = one_lost();
    talk.reply(14 * MS, 1 + MSS, 1, MSS);
    let options = sack(&[(1 + MSS, 1 + 2 * MSS)]);
    talk.at(15 * MS, &Segment { seq: 1, ack: 1 + 5 * MSS, options, ..Segment::default() });
    let told = talk.told();
    let resend = told.event("retransmission-spurious");
    assert_eq!((resend.side, resend.proof_frame), (None, Some(talk_frames(&told))));
    assert_eq!((told.only().dsacks, told.only().spurious, told.only().fast), (1, 1, 0));
    assert_eq!(told.only().lost_after, 0, "nothing was lost");
}

fn talk_frames(told: &Told) -> u64 {
    told.only().last_frame
}

#[test]
fn an_ack_that_echoes_the_first_sending_shows_that_the_resend_was_in_vain() {
    let clocked = |from_client, seq, ack, len, value, echo| Segment {
        from_client,
        seq,
        ack,
        len,
        options: clock(value, echo),
        ..Segment::default()
    };
    let answered = |echo| {
        let mut talk = opened();
        talk.at(10 * MS, &clocked(false, 1, 1, MSS, 1000, 500));
        talk.at(260 * MS, &clocked(false, 1, 1, MSS, 1250, 500));
        talk.at(261 * MS, &clocked(true, 1, 1 + MSS, 0, 751, echo));
        talk.told()
    };
    assert_eq!((answered(1000).only().spurious, answered(1000).only().rto), (1, 0));
    assert_eq!((answered(1250).only().spurious, answered(1250).only().rto), (0, 1));
}

#[test]
fn the_last_segment_sent_again_early_is_a_probe_of_the_tail() {
    let mut talk = opened();
    talk.reply(10 * MS, 1, 1, MSS).reply(11 * MS, 1 + MSS, 1, MSS).ack(12 * MS, 1, 1 + MSS);
    talk.reply(30 * MS, 1 + MSS, 1, MSS);
    let told = talk.told();
    assert_eq!(told.event("retransmission-tail").side, Some(Side::Destination));
    assert_eq!(told.stalls(), [("loss", 18)]);
}

#[test]
fn bytes_acknowledged_that_never_passed_are_a_gap_of_the_capture() {
    let mut talk = opened();
    talk.reply(10 * MS, 1, 1, MSS).reply(11 * MS, 1 + 2 * MSS, 1, MSS).ack(12 * MS, 1, 1 + 3 * MSS);
    let told = talk.told();
    let gap = told.event("gap");
    assert_eq!((gap.bytes, gap.frame, gap.proof_frame), (Some(MSS), 5, Some(6)));
    assert_eq!(told.only().lost_before, 0, "nobody sent it again");
}

#[test]
fn an_ack_captured_before_its_data_is_no_spurious_resend() {
    let mut talk = opened();
    talk.reply(10 * MS, 1, 1, MSS).ack(11 * MS, 1, 1 + 2 * MSS).reply(11 * MS + 1000, 1 + MSS, 1, MSS);
    let told = talk.told();
    assert_eq!(told.only().spurious, 0);
    assert_eq!(told.only().out_of_order, 1);
    assert_eq!(told.event("out-of-order").wireshark, Some("TCP Spurious Retransmission"));
}

#[test]
fn a_packet_that_the_mirror_copied_is_no_resend() {
    let mut talk = opened();
    for at in 0..20_u32 {
        let data = Segment {
            from_client: false,
            seq: 1 + at * MSS,
            ack: 1,
            len: MSS,
            id: 7 + at as u16,
            ..Segment::default()
        };
        let ts = 10 * MS + i64::from(at) * MS;
        talk.at(ts, &data).at(ts + 3000, &data);
    }
    let told = talk.told();
    // The first few are needed to see that the numbers count.
    assert!(told.only().copies >= 14, "{}", told.only().copies);
    assert!(told.only().server.retransmissions <= 6);
}

#[test]
fn one_byte_of_a_shell_sent_again_is_no_keep_alive() {
    let mut talk = opened();
    talk.ask(10 * MS, 1, 1, 1).ask(230 * MS, 1, 1, 1);
    let told = talk.told();
    assert_eq!(told.event("retransmission-rto").wireshark, Some("TCP Keep-Alive"));
    let mut talk = opened();
    talk.ask(10 * MS, 1, 1, 1).reply(12 * MS, 1, 2, 0).ask(20_000 * MS, 1, 1, 1);
    assert_eq!(talk.told().kinds(), ["keep-alive"]);
}

#[test]
fn marks_of_congestion_are_counted_by_direction() {
    let mut talk = opened();
    talk.at(10 * MS, &Segment { from_client: false, seq: 1, ack: 1, len: MSS, ecn: 3, ..Segment::default() });
    talk.at(11 * MS, &Segment { seq: 1, ack: 1 + MSS, flags: ACK | 0x40, ..Segment::default() });
    talk.at(
        12 * MS,
        &Segment { from_client: false, seq: 1 + MSS, ack: 1, len: 1, flags: ACK | 0x80, ..Segment::default() },
    );
    let told = talk.told();
    let connection = told.only();
    assert_eq!((connection.server.ce, connection.client.ece, connection.server.cwr), (1, 1, 1));
    assert_eq!(connection.client.ce, 0);
}
