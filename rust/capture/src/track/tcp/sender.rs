//! One end of a connection: what it sent, and what came back for it.

use super::flight::Flight;
use super::labels::Said;
use super::log::At;
use super::options::Offered;
use super::round_trips::RoundTrips;
use super::segment::Segment;
use crate::tables::tcp_events::Kind;
use crate::track::conversations::{CWR, ECE, SYN};

/// Resends remembered, to be called spurious when the receiver says so: as many as SACK can report in a few ACKs.
const MOST_AGAIN: usize = 16;

/// Counts that most connections leave at 0, so that they take no room there.
#[derive(Debug, Default, Clone)]
pub struct Trouble {
    pub fast: u32,
    pub rto: u32,
    pub tail: u32,
    pub spurious: u32,
    pub unexplained: u32,
    /// Of all these: segments that had been sent again before.
    pub repeated: u32,
    pub resent_bytes: u64,
    pub out_of_order: u32,
    pub lost_before: u32,
    pub lost_after: u32,
    pub gap_bytes: u64,
    pub gaps: u32,
    pub acked_unseen: u32,
    pub skipped: u32,
    pub dup_acks: u32,
    pub dsacks: u32,
    pub zero_windows: u32,
    pub zero_window_time: i64,
    /// The clock went back while a window was closed: nobody knows for how long.
    pub zero_window_timeless: bool,
    pub zero_window_probes: u32,
    pub window_full: u32,
    pub window_updates: u32,
    pub keep_alives: u32,
    pub keep_alive_acks: u32,
    pub resets: u32,
    pub syn_retries: u32,
    pub copies: u32,
    pub copy_frame: Option<u64>,
}

impl Trouble {
    /// Its window was closed for so long, if that is known.
    pub fn was_closed(&mut self, duration: Option<i64>) {
        self.zero_window_time = self.zero_window_time.saturating_add(duration.unwrap_or_default());
        self.zero_window_timeless |= duration.is_none();
    }

    /// The count of a kind of retransmission.
    pub fn of(&mut self, kind: Kind) -> Option<&mut u32> {
        Some(match kind {
            Kind::RetransmissionFast => &mut self.fast,
            Kind::RetransmissionRto => &mut self.rto,
            Kind::RetransmissionTail => &mut self.tail,
            Kind::RetransmissionSpurious => &mut self.spurious,
            Kind::Retransmission => &mut self.unexplained,
            Kind::OutOfOrder => &mut self.out_of_order,
            Kind::SynRetry => &mut self.syn_retries,
            _ => return None,
        })
    }
}

/// A segment that was sent again.
#[derive(Debug, Clone, Copy)]
pub struct Again {
    pub start: u32,
    pub end: u32,
    pub ts: i64,
    pub tsval: Option<u32>,
    pub kind: Kind,
    pub lost_before: bool,
    pub times: u32,
    pub event: Option<At>,
}

/// What the other end said of holes in what this one sent.
#[derive(Debug, Default)]
pub struct Asked {
    /// Duplicate ACKs in a row.
    pub dup_acks: u32,
    /// When it was asked for first and last.
    pub since: i64,
    pub ts: i64,
    /// The highest byte that a SACK block covers.
    pub sacked_to: Option<u32>,
    /// The event of the run.
    pub run: Option<At>,
}

/// What its SYN said.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is an option of its own
pub struct Offer {
    pub mss: Option<u16>,
    pub window_scale: Option<u8>,
    pub sack_permitted: bool,
    pub timestamps: bool,
    pub fast_open: bool,
    pub ecn: bool,
    /// When the SYN last passed, and how often it did.
    pub syn_ts: i64,
    pub syn_times: u32,
}

/// Whether IPv4 identifications tell segments apart.
#[derive(Debug, Default)]
pub struct Ids {
    last: Option<u16>,
    /// New segments whose number was a little higher than that of the one before, and others.
    up: u32,
    other: u32,
}

impl Ids {
    /// A segment in order, with new bytes or without. One without that repeats the number may be a copy of the last.
    #[inline]
    pub fn note(&mut self, id: Option<u16>, new_bytes: bool) {
        if let (Some(id), Some(last)) = (id, self.last.filter(|&last| new_bytes || Some(last) != id)) {
            // A host that counts for all its connections skips some.
            let up = (1..1024).contains(&id.wrapping_sub(last));
            self.up += u32::from(up);
            self.other += u32::from(!up);
            if self.up > 1 << 20 {
                (self.up, self.other) = (self.up / 2, self.other / 2);
            }
        }
        self.last = id;
    }

    /// They count up: two segments with one number are one, and the lower number was sent first.
    pub fn count_up(&self) -> bool {
        self.up >= 4 && self.other * 16 < self.up
    }

    pub fn last(&self) -> Option<u16> {
        self.last
    }
}

/// Round trips by the timestamp option: a `TSval` until its echo comes.
#[derive(Debug, Default)]
pub struct Echo {
    waiting: Option<(u32, i64)>,
    newest: Option<u32>,
    pub min: Option<i64>,
    pub count: u32,
}

impl Echo {
    /// A segment carries this value.
    #[inline]
    pub fn sent(&mut self, value: u32, ts: i64) {
        let newer = self.newest.is_none_or(|newest| super::sequence::before(newest, value));
        if newer {
            self.newest = Some(value);
            self.waiting = self.waiting.or(Some((value, ts)));
        }
    }

    /// The other end echoes this value.
    #[inline]
    pub fn echoed(&mut self, value: u32, ts: i64) {
        let Some((waiting, since)) = self.waiting else { return };
        if super::sequence::before(value, waiting) {
            return;
        }
        self.waiting = None;
        if value == waiting && ts >= since {
            let trip = ts.saturating_sub(since);
            self.min = Some(self.min.map_or(trip, |min| min.min(trip)));
            self.count = self.count.saturating_add(1);
        }
    }
}

/// One end.
#[derive(Debug, Default)]
pub struct Sender {
    pub said: Said,
    pub flight: Flight,
    pub packets: u64,
    pub bytes: u64,
    pub last_len: u32,
    pub largest: u32,
    /// Of those acknowledged.
    pub largest_acked: u32,
    pub acked_frame: u64,
    pub round_trips: RoundTrips,
    /// No round trip is taken of ACKs up to here: what they answer was sent twice, or they waited for a hole.
    pub ambiguous: Option<u32>,
    pub asked: Asked,
    /// Going back is over here; how it began.
    pub recovery: Option<(u32, Kind)>,
    pub again: Vec<Again>,
    pub echo: Echo,
    pub ids: Ids,
    pub offer: Offer,
    /// It closed its window then; the event.
    pub closed: Option<(i64, Option<At>)>,
    pub full: Option<(i64, Option<At>)>,
    pub ce: u32,
    pub ece: u32,
    pub cwr: u32,
    pub fin: bool,
    /// Its SYN carried data (RFC 7413).
    pub early_data: bool,
    pub reset_frame: Option<u64>,
    /// Large segments of it do not arrive.
    pub black_hole: bool,
    trouble: Option<Box<Trouble>>,
}

impl Sender {
    pub fn trouble(&mut self) -> &mut Trouble {
        self.trouble.get_or_insert_default()
    }

    /// The counts, at the end.
    pub fn troubles(&self) -> Trouble {
        self.trouble.as_deref().cloned().unwrap_or_default()
    }

    /// Remembers a segment that was sent again.
    pub fn remember(&mut self, again: Again) {
        if self.again.len() >= MOST_AGAIN {
            self.again.remove(0);
        }
        self.again.push(again);
    }

    /// Notes where its numbers begin. A SYN or SYN/ACK with another number begins anew what an RST had answered. How many
    /// segments are forgotten.
    #[inline]
    pub fn start(&mut self, s: &Segment<'_>) -> u64 {
        if self.said.base.is_some() && !s.has(SYN) {
            return 0;
        }
        let base = if s.has(SYN) { s.seq } else { s.seq.wrapping_sub(1) };
        let anew = self.said.base.is_some_and(|old| old != base);
        self.said.base = Some(base);
        if !anew {
            return 0;
        }
        self.said = Said::default();
        self.said.base = Some(base);
        std::mem::take(&mut self.flight).close()
    }

    /// Takes note of what any segment carries.
    #[inline]
    pub fn count(&mut self, s: &Segment<'_>) {
        self.packets += 1;
        self.bytes += u64::from(s.len);
        self.largest = self.largest.max(s.len);
        self.ce = self.ce.saturating_add(u32::from(s.ce));
        if s.has(ECE | CWR | SYN) {
            self.count_rare(s);
        }
    }

    fn count_rare(&mut self, s: &Segment<'_>) {
        if !s.has(SYN) {
            self.ece = self.ece.saturating_add(u32::from(s.has(ECE)));
            self.cwr = self.cwr.saturating_add(u32::from(s.has(CWR)));
            return;
        }
        self.early_data |= s.len > 0;
        let offered = Offered::read(s.raw_options);
        let offer = &mut self.offer;
        offer.mss = offered.mss.or(offer.mss);
        offer.window_scale = offered.window_scale.or(offer.window_scale);
        offer.sack_permitted |= offered.sack_permitted;
        offer.timestamps |= s.options.timestamps.is_some();
        offer.fast_open |= offered.fast_open;
        offer.ecn |= s.has(ECE);
        offer.syn_ts = s.ts;
        offer.syn_times = offer.syn_times.saturating_add(1);
    }
}
