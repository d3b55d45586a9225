//! The state of one pass: every packet goes to the trackers that it concerns.

use super::Tracked;
use super::control::Control;
use super::conversations::Conversations;
use super::mirrors::Mirrors;
use super::pauses::Pauses;
use super::rdma::Rdma;
use super::requests::Requests;
use super::settings::Settings;
use super::shares::Mine;
use super::sighting::Sighting;
use super::tcp::Connections;
use crate::container::{self, Capture, Record};
use crate::packet::{Kind, Packet};
use crate::tables::capture_health::CaptureHealth;
use crate::tables::captured::Captured;
use crate::tables::comments::Comment;
use crate::tables::interfaces::Interface;
use crate::tables::problems::ProblemRow;

/// What one walker over a capture keeps.
pub struct Pass<'s> {
    source: &'s str,
    mine: Mine,
    rdma: Rdma,
    pauses: Pauses,
    conversations: Conversations,
    connections: Connections,
    requests: Requests,
    control: Control,
    mirrors: Mirrors,
    packets: u64,
    cut_packets: u64,
    undecoded: u64,
    backward_steps: u64,
    first_ts: Option<i64>,
    last_ts: Option<i64>,
    latest: Vec<Option<i64>>,
}

impl<'s> Pass<'s> {
    /// Nothing seen yet.
    pub fn new(source: &'s str, settings: &Settings, mine: Mine) -> Self {
        Self {
            source,
            mine,
            rdma: Rdma::new(mine),
            pauses: Pauses::new(settings.clone()),
            conversations: Conversations::default(),
            connections: Connections::default(),
            requests: Requests::default(),
            control: Control::default(),
            mirrors: Mirrors::default(),
            packets: 0,
            cut_packets: 0,
            undecoded: 0,
            backward_steps: 0,
            first_ts: None,
            last_ts: None,
            latest: Vec::new(),
        }
    }

    /// What it follows.
    pub fn mine(&self) -> Mine {
        self.mine
    }

    /// What is noted of every packet: by every walker the time, by one the rest.
    #[inline]
    pub fn on_record(&mut self, record: &Record<'_>) {
        if let Some(ts) = record.ts {
            self.rdma.on_time(ts);
        }
        if !self.mine.has_rest() {
            return;
        }
        self.packets += 1;
        self.cut_packets += u64::from((record.data.len() as u64) < record.wire_len.into());
        if let Some(ts) = record.ts {
            self.follow_clock(record.interface as usize, ts);
        }
    }

    /// A packet passed the tap. `share` is known where no other walker sees it; what is not this walker's, another one
    /// sees, too.
    #[inline(never)] // so that the packet stays where it is made
    pub fn on_packet(&mut self, record: &Record<'_>, packet: &Packet<'_>, share: Option<usize>) {
        if self.mine.has_rest() && packet.outer.is_some() {
            self.mirrors.on_packet(&self.row(record, packet));
        }
        let mut counts = share.is_some() || self.mine.has_rest();
        if let Some(roce) = &packet.roce {
            let sighting = Sighting { source: self.source, frame: record.frame, ts: record.ts, packet };
            counts = self.rdma.on_packet(&sighting, roce, share);
        } else if let Some(pause) = &packet.pause {
            if self.mine.has_rest() {
                self.pauses.on_frame(&self.row(record, packet), pause);
            }
        } else if packet.fragment.is_none_or(|fragment| !fragment.is_later()) {
            self.on_other(&self.row(record, packet)); // a later fragment has ports now, and yet no header that could be read
        }
        self.undecoded += u64::from(packet.stopped.is_some() && counts);
    }

    /// With all that the table of packets would say of it.
    fn row<'p>(&self, record: &Record<'p>, packet: &Packet<'p>) -> Captured<'p>
    where
        's: 'p,
    {
        Captured {
            source: self.source,
            frame: record.frame,
            ts: record.ts,
            interface: record.interface,
            captured_len: record.data.len() as u32, // a record's length field has 32 bits
            wire_len: record.wire_len,
            link_type: record.link_type,
            packet: *packet,
        }
    }

    fn on_other(&mut self, row: &Captured<'_>) {
        if let Some(tcp) = &row.packet.tcp {
            if let Some(conversation) = self.conversations.of(row, tcp) {
                if self.mine.has_rest() {
                    self.connections.on_segment(conversation, row, tcp);
                }
                if self.mine.has_payloads() {
                    self.requests.on_segment(conversation, row, tcp);
                }
            }
        } else if row.packet.kind == Kind::Udp && self.mine.has_payloads() {
            self.requests.on_datagram(row);
        }
        if self.mine.has_payloads() {
            self.control.on_packet(row);
        }
    }

    fn follow_clock(&mut self, interface: usize, ts: i64) {
        self.first_ts = Some(self.first_ts.map_or(ts, |first| first.min(ts)));
        self.last_ts = Some(self.last_ts.map_or(ts, |last| last.max(ts)));
        if interface >= container::MOST_DESCRIBED {
            return;
        }
        if self.latest.len() <= interface {
            self.latest.resize(interface + 1, None);
        }
        self.backward_steps += u64::from(self.latest[interface].is_some_and(|latest| ts < latest));
        self.latest[interface] = Some(ts);
    }

    /// Takes over what the walker of the other share found.
    pub fn join(&mut self, other: Self) {
        self.rdma.join(other.rdma);
        self.undecoded += other.undecoded;
        if other.mine.has_payloads() {
            self.requests = other.requests;
            self.control = other.control;
        }
        self.mine = Mine::All;
    }

    /// The rows of all tables. `capture` was read to its end.
    #[allow(clippy::too_many_lines)] // one line for each column of the audit and each table
    pub fn finish(self, capture: &Capture) -> Tracked {
        let source = self.source;
        let (pause_frames, pauses_untracked) = (self.pauses.frames, self.pauses.untracked);
        let roce_packets = self.rdma.packets;
        let (found, totals) = self.rdma.finish(source);
        let damaged = !capture.problems().is_empty();
        let row = |problem: crate::error::Problem| ProblemRow {
            source: source.to_owned(),
            offset: problem.offset,
            frame: problem.frame,
            what: problem.what,
            next: problem.next,
        };
        let mut problems: Vec<ProblemRow> =
            capture.problems().iter().cloned().chain(capture.notes()).map(row).collect();
        let (tcp_connections, tcp_events) = self.connections.finish(source, &mut problems);
        let (requests, tokens) = self.requests.finish(source, &mut problems);
        let (neighbours, control_events) = self.control.finish(source, &mut problems);
        let limits = [
            (
                totals.untracked,
                "RDMA packets belong to more queue pairs",
                "filter the capture by host or queue pair and read it again",
            ),
            (
                self.conversations.untracked,
                "TCP segments belong to more connections",
                "filter the capture by host or port and read it again",
            ),
            (
                totals.timers_left_out,
                "resends by timer happened on some queue pairs",
                "`loss_episodes` still counts their rounds; `ack_timeouts` lacks the later ones",
            ),
            (
                totals.mads_untracked,
                "management datagrams came by",
                "filter the capture by queue pair 0 and 1, or by time, and read it again",
            ),
            (
                pauses_untracked,
                "pauses were asked for by more ports",
                "filter the capture by the MAC of one port and read it again",
            ),
        ];
        problems.extend(limits.into_iter().filter(|(count, ..)| *count > 0).map(|(count, what, next)| ProblemRow {
            source: source.to_owned(),
            offset: 0,
            frame: self.packets,
            what: format!("{count} {what} than are tracked"),
            next: next.to_owned(),
        }));
        let health = CaptureHealth {
            source: source.to_owned(),
            container: capture.container(),
            packets: self.packets,
            roce_packets,
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
            mirrored: self.mirrors.packets(),
            mirror_gaps: self.mirrors.missing(),
            duplicates: totals.duplicates,
            longest_silence: totals.longest_silence,
            backward_steps: self.backward_steps,
            resolution: Some(capture.resolution()),
            damaged,
        };
        let mirrors = self.mirrors.finish(source, &mut problems);
        Tracked {
            capture_health: vec![health],
            roce_qps: found.roce_qps,
            loss_episodes: found.loss_episodes,
            rnr_waits: found.rnr_waits,
            ack_timeouts: found.ack_timeouts,
            cnp_rates: found.cnp_rates,
            ecn_marks: found.ecn_marks,
            credits: found.credits,
            cm_events: found.cm_events,
            pause_time: self.pauses.finish(source, self.first_ts.zip(self.last_ts)),
            tcp_connections,
            tcp_events,
            requests,
            tokens,
            neighbours,
            control_events,
            mirrors,
            interfaces: interfaces(capture, source),
            comments: comments(capture, source),
            problems,
        }
    }
}

fn interfaces(capture: &Capture, source: &str) -> Vec<Interface> {
    let row = |(interface, described)| Interface { source: source.to_owned(), interface, described };
    (0..).zip(capture.interfaces()).map(row).collect()
}

fn comments(capture: &Capture, source: &str) -> Vec<Comment> {
    let row = |comment: &container::Comment| Comment {
        source: source.to_owned(),
        kind: comment.kind.name(),
        frame: comment.frame,
        interface: comment.interface,
        text: comment.text.clone(),
    };
    capture.comments().iter().map(row).collect()
}
