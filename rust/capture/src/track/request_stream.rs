//! The requests of one direction of a reliable queue pair, watched at one tap: when did the sender go back, and why?
//!
//! The rules are those of a *run*: the PSNs seen since the sender last went back. Asking instead "was this PSN ever
//! seen before?" mislabels a loss inside a replay, because the tap saw an earlier copy. A negative acknowledgement is
//! judged against the current run only: the PSN it asks for was seen in this run, so it was lost after the tap; or it
//! was not, so it was lost before. What follows from the timers, from READ responses and from the acknowledgements of
//! duplicates is said at each rule. Semantics: IBTA vol. 1, 9.7.5 and 9.7.7; the Linux software device `rdma_rxe`
//! (`rxe_resp.c`, `rxe_comp.c`) shows the corners.

mod answers;
#[cfg(test)]
mod impostors;
mod messages;
mod reads;
mod resends;
mod steps;

use super::answer_ids::AnswerIds;
use super::episode::{Cause, Draft};
use super::outstanding::{LONGEST_GAP, Outstanding};
use super::psn;
use super::samples::{Distribution, Shortest, Spread};
use crate::rdma::opcode;
use crate::tables::loss_episodes::Kind;
pub use answers::Answer;
use messages::Messages;
pub use resends::Timer;
pub use steps::A_ROUTER_LATER;
use steps::Step;

/// A request packet as this tracker needs it.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// Frame number.
    pub frame: u64,
    /// Nanoseconds.
    pub ts: i64,
    /// BTH opcode.
    pub opcode: u8,
    /// BTH PSN.
    pub psn: u32,
    /// BTH acknowledge request.
    pub ack_req: bool,
    /// RETH length, of a READ request.
    pub dma_len: Option<u32>,
    /// Message bytes in it.
    pub payload_len: Option<u32>,
    /// IP identification.
    pub ip_id: Option<u16>,
    /// IP time to live.
    pub ttl: Option<u8>,
    /// The packet is whole and its ICRC is wrong.
    pub corrupt: bool,
}

/// Plain counts of one stream; the columns of `roce_qps` say what they are.
#[derive(Debug, Clone, Copy, Default)]
#[allow(missing_docs)]
pub struct Counts {
    pub requests: u64,
    pub payload_bytes: u64,
    pub distinct_bytes: u64,
    pub response_bytes: u64,
    pub distinct_psns: u64,
    pub replayed: u64,
    pub go_backs: u32,
    pub reads: u64,
    pub read_responses: u64,
    pub acks: u64,
    pub naks_sequence: u64,
    pub naks_rnr: u64,
    pub naks_fatal: u64,
    pub fatal_syndrome: Option<u8>,
    pub fatal_frame: Option<u64>,
    pub unrequested_acks: u64,
    pub gaps: u64,
    pub duplicates: u64,
    pub duplicate_frame: Option<u64>,
    pub bad_icrc: u64,
    pub bad_icrc_frame: Option<u64>,
    pub lives: u32,
}

/// New requests after which a READ response that this tap never saw, and that nobody asked for again, was lost by the
/// capture and not by the network.
const REQUESTS_AFTER_HOLE: u32 = 4;

/// A resend that is under way.
#[derive(Debug, Clone, Copy)]
struct Recovery {
    episode: usize,
    /// Newest PSN that had been sent when the sender went back.
    high: u32,
    /// The first acknowledgement after it, once it has been judged.
    judged: Option<u32>,
}

/// The stream.
#[derive(Debug, Default)]
pub struct RequestStream {
    /// Counts so far.
    pub counts: Counts,
    /// Episodes so far, not yet settled.
    pub drafts: Vec<Draft>,
    /// From a request to its acknowledgement at this tap, requests that were sent once.
    pub back: Shortest,
    /// The same over all requests, from their first sighting.
    pub back_any: Shortest,
    /// From an acknowledgement to the next new request at this tap: what it makes the sender do, or what was under way.
    pub front: Spread,
    /// From the last sighting of a request to its resend by timer.
    pub waits: Spread,
    /// As [`RequestStream::back`], all of them.
    pub round_trips: Distribution,
    /// Bytes of the messages.
    pub messages: Messages,
    /// Resends by timer.
    pub timers: Vec<Timer>,
    /// Those beyond the limit.
    pub timers_left_out: u64,
    /// Message bytes of requests that were acknowledged, repeats left out; known in the end, and only where answers are.
    pub delivered: Option<u64>,
    /// Whether acknowledgements were lost before this tap.
    pub answer_ids: AnswerIds,
    /// Acknowledgements, outside recoveries, for a PSN that did not ask for one: this responder coalesces freely.
    pub freely_acked: u64,
    ring: Outstanding,
    first_answer: Option<u64>,
    started: bool,
    run: u32,
    run_start: u32,
    run_began: i64,
    run_newest: u32,
    previous_newest: u32,
    frontier: u32,
    acked: Option<u32>,
    open_nak: Option<usize>,
    /// A NAK that answers an earlier run, and the episode of that: the sender may go back for it once more.
    stale_nak: Option<(u32, usize)>,
    rnr: Option<(u32, Option<usize>)>,
    recovery: Option<Recovery>,
    path_mtu: Option<u32>,
    last_read: Option<(u32, u32)>,
    advanced_at: Option<i64>,
    /// Last acknowledgement of something new.
    progress_at: Option<i64>,
    /// Last request, and last answer.
    sent_frame: u64,
    sent_at: i64,
    heard_at: i64,
    /// Newest READ response beyond a hole, and new requests since: a requester that misses a response goes back.
    beyond_hole: Option<(u32, u32)>,
    last_ip_id: Option<u16>,
    ids_counted: u32,
    ids_other: u32,
    ids_same: u32,
    whole_replay_seen: bool,
}

/// A sender that goes on with new requests leaves out all that lies between: no loss takes exactly the rest of a replay
/// that is longer than this.
const MOST_LOST_AT_ONCE: u32 = 8;

impl RequestStream {
    /// A request passed the tap.
    pub fn on_request(&mut self, request: &Request) {
        self.counts.requests += 1;
        self.counts.payload_bytes += u64::from(request.payload_len.unwrap_or(0));
        if request.corrupt {
            self.on_corrupt(request);
            return;
        }
        self.learn_path_mtu(request.opcode, request.payload_len);
        let read = opcode::is_read_request(request.opcode);
        self.counts.reads += u64::from(read);
        let far = self.started
            && psn::ahead(self.frontier, request.psn).min(psn::ahead(request.psn, self.frontier)) > LONGEST_GAP;
        if !self.started || far {
            self.begin(request.psn);
        }
        let step = self.step(request);
        match step {
            Step::New => self.on_new(request),
            Step::Replay => {
                self.note_skipped(request);
                self.count_replay();
                self.run_newest = request.psn;
                self.whole_replay_seen |= psn::ahead(self.run_start, self.run_newest) > 4;
            }
            Step::Duplicate => {
                self.counts.duplicates += 1;
                self.counts.duplicate_frame.get_or_insert(request.frame);
                return;
            }
            Step::Late => {
                self.on_late(request);
                return;
            }
            Step::WentBack => {
                self.on_went_back(request);
                self.count_replay();
            }
        }
        self.note_ip_id(request.ip_id, matches!(step, Step::New));
        self.record(request, read);
        (self.sent_frame, self.sent_at) = (request.frame, request.ts);
    }

    /// The capture is over: counts what is left. Returns requests without acknowledgement, and requests acknowledged
    /// that the tap never saw.
    pub fn finish(&mut self) -> (u64, u64) {
        self.delivered = self.acked.map(|acked| {
            let open = self.ring.range(psn::add(acked, 1), psn::add(self.frontier, 1));
            self.counts.distinct_bytes.saturating_sub(open.map(|(_, slot)| u64::from(slot.len)).sum())
        });
        let first = self.acked.map_or(self.run_start, |acked| psn::add(acked, 1));
        let unanswered =
            self.ring.range(first, psn::add(self.frontier, 1)).filter(|(_, slot)| slot.seen()).count() as u64;
        if let Some(acked) = self.acked {
            self.ring.settle(acked);
        }
        (unanswered, self.ring.unseen)
    }

    /// The first answers may have gone unheard, until they were known to be of this stream: what the sender did before
    /// that, it may have been asked for.
    pub fn doubt_before_first_answer(&mut self) {
        let Some(first) = self.first_answer else { return };
        for draft in &mut self.drafts {
            if draft.cause == Cause::Timeout && draft.resend_frame.is_some_and(|frame| frame < first) {
                draft.nothing_lost(Kind::NoAnswer, None);
            }
        }
    }

    /// Frame and time of the last request.
    #[inline]
    pub fn last_sent(&self) -> (u64, i64) {
        (self.sent_frame, self.sent_at)
    }

    /// When the last of what was sent was acknowledged; `None` while something is not.
    pub fn all_acknowledged(&self) -> Option<i64> {
        self.acked.filter(|acked| psn::at_or_after(*acked, self.frontier)).and(self.progress_at)
    }

    /// When the sender last went back.
    pub fn went_back(&self) -> Option<i64> {
        (self.counts.go_backs > 0).then_some(self.run_began)
    }

    /// Bytes of a full packet, where one was seen.
    pub fn path_mtu(&self) -> Option<u32> {
        self.path_mtu
    }

    /// PSNs that the capture lost, known so far.
    pub fn unseen(&self) -> u64 {
        self.ring.unseen
    }

    fn begin(&mut self, psn: u32) {
        self.counts.lives += 1;
        self.ring.restart(psn);
        self.started = true;
        self.run += 1;
        self.run_start = psn;
        self.run_newest = psn::add(psn, psn::CIRCLE - 1);
        self.frontier = self.run_newest;
        self.previous_newest = self.run_newest;
        self.acked = None;
        (self.open_nak, self.rnr, self.recovery, self.last_read, self.advanced_at) = (None, None, None, None, None);
        (self.beyond_hole, self.stale_nak) = (None, None);
    }

    fn on_new(&mut self, request: &Request) {
        let behind = self.run_newest != self.frontier;
        let selective = !self.whole_replay_seen || psn::ahead(self.run_newest, self.frontier) > MOST_LOST_AT_ONCE;
        if behind && request.psn == psn::add(self.frontier, 1) && selective {
            self.resume_previous_run();
        }
        self.note_skipped(request);
        if let Some(at) = self.advanced_at.take() {
            self.front.sample(request.ts - at);
        }
        self.counts.distinct_psns += 1;
        self.counts.distinct_bytes += u64::from(request.payload_len.unwrap_or(0));
        self.messages.on_new(request, psn::ahead(self.frontier, request.psn) == 1);
        self.run_newest = request.psn;
        self.frontier = request.psn;
        if let Some((psn, requests)) = &mut self.beyond_hole {
            *requests += 1;
            let (psn, requests) = (*psn, *requests);
            if requests >= REQUESTS_AFTER_HOLE {
                self.beyond_hole = None;
                self.acked = Some(psn);
                self.ring.acknowledged(psn);
            }
        }
    }

    /// Selective repeat: only what was asked for was sent again, and now the sender continues where it was. The
    /// packets between are no gap of this run: they belong to it.
    fn resume_previous_run(&mut self) {
        let (from, to) = (self.run_start, psn::add(self.run_newest, 1));
        self.doubt_lone_repeat();
        let repeated: Vec<u32> = self.ring.range(from, to).map(|(psn, _)| psn).collect();
        if repeated.len() > 4 || self.run < 2 {
            return;
        }
        // Not always the run before: a repeat that was lost and repeated by the timer has made runs of its own in between.
        let frontier = self.ring.get(self.frontier).filter(|slot| slot.seen());
        self.run = frontier.map_or(self.run - 1, |slot| slot.run).min(self.run - 1);
        let run = self.run;
        for psn in repeated {
            if let Some(slot) = self.ring.get_mut(psn) {
                slot.run = run;
            }
        }
        self.run_newest = self.frontier;
    }

    /// Marks the PSNs between the newest of the run and this request as skipped, unless a READ accounts for them.
    fn note_skipped(&mut self, request: &Request) {
        let from = psn::add(self.run_newest, 1);
        let count = psn::ahead(from, request.psn);
        if count == 0 || count > LONGEST_GAP {
            return;
        }
        let read =
            self.last_read.is_some_and(|(psn, len)| psn == self.run_newest && self.spans(len).contains(&(count + 1)));
        if read {
            self.path_mtu = self.path_mtu.or_else(|| {
                let (_, len) = self.last_read?;
                [4096, 2048, 1024, 512, 256].into_iter().find(|mtu| len.div_ceil(*mtu) == count + 1)
            });
        }
        let (run, new) = (self.run, psn::newer(request.psn, self.frontier));
        for step in 0..count {
            let at = psn::add(from, step);
            let Some(slot) = self.ring.reach(at) else { return };
            if read {
                slot.read = true;
                slot.run = run;
            } else if slot.run != run && !slot.read {
                slot.gap_ts = request.ts;
                self.counts.gaps += u64::from(new && !slot.seen());
            }
        }
    }

    fn count_replay(&mut self) {
        self.counts.replayed += 1;
        if let Some(recovery) = self.recovery {
            self.drafts[recovery.episode].replayed += 1;
        }
    }

    fn record(&mut self, request: &Request, read: bool) {
        let run = self.run;
        let Some(slot) = self.ring.reach(request.psn) else { return };
        if !slot.seen() {
            (slot.first_frame, slot.first_ts) = (request.frame, request.ts);
        }
        (slot.frame, slot.ts, slot.run) = (request.frame, request.ts, run);
        (slot.ip_id, slot.ttl) = (request.ip_id, request.ttl);
        slot.ack_req = request.ack_req;
        slot.len = request.payload_len.and_then(|len| len.try_into().ok()).unwrap_or(0); // no path MTU is above 4096
        slot.read |= read;
        if !read {
            return;
        }
        let len = request.dma_len.unwrap_or(0);
        self.last_read = Some((request.psn, len));
        if let Some(mtu) = self.path_mtu {
            // The PSNs of the responses are taken as soon as the request is sent.
            let last = psn::add(request.psn, reads::spanned(len, mtu) - 1);
            self.take_for_read(request.psn, last);
        }
    }

    /// A packet of this queue pair, either way, passed with a wrong ICRC.
    pub fn on_damage(&mut self, frame: u64) {
        self.counts.bad_icrc += 1;
        self.counts.bad_icrc_frame.get_or_insert(frame);
    }

    fn on_corrupt(&mut self, request: &Request) {
        self.on_damage(request.frame);
        if self.started && psn::ahead(self.run_newest, request.psn) <= 64 {
            if let Some(slot) = self.ring.reach(request.psn) {
                slot.bad_frame = request.frame;
            }
        } else if let Some(slot) = self.ring.get_mut(request.psn) {
            slot.bad_frame = request.frame;
        }
    }
}
