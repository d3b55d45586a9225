//! One direction of a reliable queue pair: its requests, and its row of `roce_qps`.

use super::pairing::BY_ACK;
use super::request_stream::RequestStream;
use super::settle::settle;
use crate::address::Address;
use crate::rdma::Roce;
use crate::rdma::opcode::Transport;
use crate::tables::captured::Captured;
use crate::tables::loss_episodes::LossEpisode;
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
    pub stream: RequestStream,
}

impl Direction {
    /// A direction that begins with this packet.
    pub fn new((src, dst, dest_qp): (Address, Address, u32), row: &Captured<'_>, roce: &Roce<'_>) -> Self {
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
            stream: RequestStream::default(),
        }
    }

    /// A packet of it passed, either way.
    pub fn seen(&mut self, row: &Captured<'_>) {
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

    /// Its row; its episodes are settled and added to `episodes`. Their times are counted from `began`. `other_way`: packets of its responder to
    /// its requester passed this tap.
    pub fn finish(
        &mut self,
        source: &str,
        qp: u32,
        began: Option<i64>,
        (cnps, cnp_frame): (u64, Option<u64>),
        other_way: bool,
        episodes: &mut Vec<LossEpisode>,
    ) -> RoceQp {
        let (unanswered, unseen) = self.stream.finish();
        settle(&mut self.stream, other_way);
        if self.paired_by == Some(BY_ACK) {
            self.stream.doubt_before_first_answer();
        }
        episodes.extend(self.stream.drafts.iter().map(|draft| LossEpisode {
            source: source.to_owned(),
            qp,
            src: self.src,
            dst: self.dst,
            dest_qp: self.dest_qp,
            kind: draft.kind,
            side: draft.side,
            hurt: if draft.hurt_response { "response" } else { "request" },
            recovered_by: draft.recovered_by(),
            psn: draft.psn,
            ts: began.map(|began| began.saturating_add(draft.ts)),
            sent_frame: draft.sent_frame,
            nak_frame: draft.nak_frame,
            resend_frame: draft.resend_frame,
            wait: draft.wait,
            replayed: draft.replayed,
            rounds: draft.rounds,
        }));
        let counts = self.stream.counts;
        RoceQp {
            source: source.to_owned(),
            qp,
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
            longest_silence: self.longest_silence,
            requests: counts.requests,
            payload_bytes: counts.payload_bytes,
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
            dscp: self.dscp,
            vlan_pcp: self.pcp,
        }
    }
}
