//! One direction of a reliable queue pair: its requests, and its row of `roce_qps`.

use super::agreed::Agreement;
use super::credits::Credits;
use super::pairing::BY_ACK;
use super::recoveries::{DirectionRows, Of, loss_recovery};
use super::request_stream::RequestStream;
use super::settle::settle;
use super::sighting::Sighting;
use crate::address::Address;
use crate::rdma::Roce;
use crate::rdma::opcode::Transport;
use crate::rdma::timers;
use crate::tables::roce_qps::RoceQp;

/// One direction of a reliable queue pair.
#[derive(Debug)]
#[allow(missing_docs)] // as the columns of `roce_qps`
pub struct Direction {
    pub src: Address,
    pub dst: Address,
    pub dest_qp: u32,
    pub src_qp: Option<u32>,
    pub paired_by: Option<&'static str>,
    pub sport: Option<u16>,
    pub transport: Transport,
    pub first: (u64, Option<i64>),
    pub last: (u64, Option<i64>),
    pub longest_silence: Option<i64>,
    pub ect: u64,
    pub ce: u64,
    pub ce_frame: Option<u64>,
    pub dscp: Option<u8>,
    pub pcp: Option<u8>,
    pub agreement: Option<Agreement>,
    /// PSN of the first request that was seen.
    pub first_psn: u32,
    pub credits: Credits,
    /// The direction that gives credit to this one, once it is known.
    pub peer: Option<usize>,
    pub stream: RequestStream,
}

impl Direction {
    /// A direction that begins with this packet.
    pub fn new((src, dst, dest_qp): (Address, Address, u32), row: &Sighting<'_>, roce: &Roce<'_>) -> Self {
        Self {
            src,
            dst,
            dest_qp,
            src_qp: None,
            paired_by: None,
            sport: row.packet.sport,
            transport: Transport::of(roce.bth.opcode),
            first: (row.frame, row.ts),
            last: (row.frame, row.ts),
            longest_silence: None,
            ect: 0,
            ce: 0,
            ce_frame: None,
            dscp: row.packet.ip.map(|ip| ip.dscp),
            pcp: row.packet.vlan.map(|vlan| vlan.pcp),
            agreement: None,
            first_psn: roce.bth.psn,
            credits: Credits::default(),
            peer: None,
            stream: RequestStream::default(),
        }
    }

    /// A packet of it passed, either way.
    pub fn seen(&mut self, row: &Sighting<'_>) {
        let silence = row.ts.zip(self.last.1).map(|(now, last)| now.saturating_sub(last));
        self.longest_silence = self.longest_silence.max(silence);
        self.last = (row.frame, row.ts);
    }

    /// The ECN field of a request (RFC 3168).
    pub fn on_ecn(&mut self, ecn: Option<u8>, frame: u64) {
        match ecn {
            Some(3) => {
                self.ce += 1;
                self.ce_frame.get_or_insert(frame);
            }
            Some(1 | 2) => self.ect += 1,
            _ => {}
        }
    }

    /// Its rows, with their times counted from `began`. `other_way`: packets of its responder to its requester passed this
    /// tap.
    pub fn finish(
        &mut self,
        source: &str,
        began: Option<i64>,
        cnps: (u64, Option<u64>),
        other_way: bool,
    ) -> DirectionRows {
        let (unanswered, unseen) = self.stream.finish();
        settle(&mut self.stream, other_way);
        if self.paired_by == Some(BY_ACK) {
            self.stream.doubt_before_first_answer();
        }
        let of = Of { source, began, direction: self };
        DirectionRows {
            loss_episodes: of.loss_episodes(),
            rnr_waits: of.rnr_waits(),
            ack_timeouts: of.ack_timeouts(),
            roce_qp: self.row(source, cnps, (unanswered, unseen)),
        }
    }

    fn row(&self, source: &str, (cnps, cnp_frame): (u64, Option<u64>), (unanswered, unseen): (u64, u64)) -> RoceQp {
        let counts = self.stream.counts;
        let seconds = self.last.1.zip(self.first.1).map(|(last, first)| last.saturating_sub(first) as f64 / 1e9);
        let rate = |bytes: u64| seconds.filter(|seconds| *seconds > 0.0).map(|seconds| bytes as f64 / seconds);
        let sizes = &self.stream.messages.sizes;
        let times = &self.stream.round_trips;
        let ns = |value: Option<u64>| value.and_then(|value| i64::try_from(value).ok());
        RoceQp {
            source: source.to_owned(),
            qp: 0,
            src: self.src,
            dst: self.dst,
            dest_qp: self.dest_qp,
            src_qp: self.src_qp,
            paired_by: self.paired_by,
            sport: self.sport,
            transport: self.transport,
            first_ts: self.first.1,
            last_ts: self.last.1,
            first_frame: self.first.0,
            last_frame: self.last.0,
            longest_silence: self.longest_silence.filter(|span| *span >= 0), // a clock may step back
            requests: counts.requests,
            payload_bytes: counts.payload_bytes,
            distinct_bytes: counts.distinct_bytes,
            response_bytes: counts.response_bytes,
            goodput: self.stream.delivered.and_then(rate),
            read_goodput: Some(counts.response_bytes).filter(|bytes| *bytes > 0).and_then(rate),
            sends: self.stream.messages.sends,
            writes: self.stream.messages.writes,
            atomics: self.stream.messages.atomics,
            message_min: sizes.least(),
            message_median: sizes.percentile(50),
            message_max: sizes.most(),
            distinct_psns: counts.distinct_psns,
            replayed: counts.replayed,
            go_backs: counts.go_backs,
            reads: counts.reads,
            read_responses: counts.read_responses,
            acks: counts.acks,
            naks_sequence: counts.naks_sequence,
            naks_rnr: counts.naks_rnr,
            naks_fatal: counts.naks_fatal,
            fatal_syndrome: counts.fatal_syndrome,
            fatal_frame: counts.fatal_frame,
            unrequested_acks: counts.unrequested_acks,
            gaps: counts.gaps,
            unseen,
            answers_missing: self.stream.answer_ids.missing(),
            unanswered,
            duplicates: counts.duplicates,
            duplicate_frame: counts.duplicate_frame,
            bad_icrc: counts.bad_icrc,
            bad_icrc_frame: counts.bad_icrc_frame,
            ect: self.ect,
            ce: self.ce,
            ce_frame: self.ce_frame,
            cnps,
            cnp_frame,
            round_trip_min: self.stream.back.of_at_least(1),
            round_trip_median: ns(times.percentile(50)),
            round_trip_p99: ns(times.percentile(99).filter(|_| times.samples() >= 100)),
            round_trips: times.samples(),
            loss_recovery: loss_recovery(&self.stream.drafts),
            path_mtu: self.stream.path_mtu().or(self.agreement.and_then(|told| told.path_mtu).map(u32::from)),
            ack_timeout: self.agreement.and_then(|told| told.ack_timeout).filter(|c| *c > 0).map(timers::doubling),
            retry_count: self.agreement.and_then(|told| told.retry_count),
            rnr_retry: self.agreement.and_then(|told| told.rnr_retry),
            cm_frame: self.agreement.map(|told| told.frame),
            dscp: self.dscp,
            vlan_pcp: self.pcp,
        }
    }
}
