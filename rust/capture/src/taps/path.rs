//! The way of the packets past the taps: what of it arrived at each.

use std::collections::{HashMap, HashSet};

use super::Compared;
use super::clock::Clock;
use super::order::{self, Both, Hosts, KnownBy, median};
use super::side_by_side::each_packet;
use super::sighting::{Flows, Kind, Sighting, Tap, is_reliable_request};
use crate::rdma::opcode;
use crate::tables::segment_losses::SegmentLoss;
use crate::tables::segments::Segment;
use crate::tables::tap_clocks::TapClock;

/// Packets of a segment whose times are kept; they come in random order.
const TIMES: usize = 1 << 16;
/// Packets of a segment that may be lost and are kept until it can be judged.
const SUSPECTS: usize = 1 << 20;
/// Rows of `segment_losses` for each segment.
const LISTED: usize = 10_000;

/// Times of packets at two taps.
type Times = Vec<(i64, i64)>;

/// One direction between two hosts, and one kind of traffic, from one tap to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Place {
    hosts: Hosts,
    there: bool,
    kind: Kind,
    a: usize,
    b: usize,
}

/// What was seen there.
#[derive(Debug, Default)]
struct Seen {
    matched: u64,
    missing_a: u64,
    missing_b: u64,
    doubled: u64,
    marked: u64,
    damaged: u64,
    times: Times,
    least: Option<i64>,
    most: Option<i64>,
    routers: Option<u8>,
    /// Seen at A and not after it.
    suspects: Vec<Sighting>,
    beyond: u64,
}

impl Seen {
    fn pass(&mut self, a: &Sighting, b: &Sighting) {
        let took = b.ts.saturating_sub(a.ts);
        self.least = Some(self.least.map_or(took, |least| least.min(took)));
        self.most = Some(self.most.map_or(took, |most| most.max(took)));
        self.marked += u64::from(b.marks.ce && !a.marks.ce);
        self.damaged += u64::from(b.marks.icrc == Some(false) && a.marks.icrc == Some(true));
        if self.times.len() < TIMES {
            self.times.push((a.ts, b.ts));
        }
        self.routers = self.routers.or(a.marks.ttl.checked_sub(b.marks.ttl).filter(|_| a.marks.ttl != 0));
    }
}

/// The taps in the order in which packets pass them from the first of two hosts to the second, and back.
struct Line {
    there: Vec<usize>,
    back: Vec<usize>,
    known_by: KnownBy,
}

/// Compares captures of several places and adds what it finds to `found`.
pub fn compare(taps: &[Tap], flows: &Flows, found: &mut Compared) {
    let samples = order::samples(taps, flows);
    let line = |(hosts, both): (&Hosts, &Both)| {
        let (there, known_by) = order::of(both, taps.len())?;
        let back = there.iter().rev().copied().collect();
        Some((*hosts, Line { there, back, known_by }))
    };
    let lines: HashMap<Hosts, Line> = samples.iter().filter_map(line).collect();
    let clocks = clocks(taps, &samples, &lines, found);
    walk(taps, flows, &lines, &clocks, found);
}

/// The same for the two halves of a mirror: whichever way a packet goes, it passes the first before the second.
pub fn compare_halves(halves: &[Tap; 2], flows: &Flows, found: &mut Compared) {
    let line = || Line { there: vec![0, 1], back: vec![0, 1], known_by: KnownBy::Mirror };
    let lines = order::samples(halves, flows).into_keys().map(|hosts| (hosts, line())).collect();
    walk(halves, flows, &lines, &HashMap::from([((0, 1), Clock::ONE)]), found);
}

fn walk(
    taps: &[Tap],
    flows: &Flows,
    lines: &HashMap<Hosts, Line>,
    clocks: &HashMap<(usize, usize), Clock>,
    found: &mut Compared,
) {
    let mut places: HashMap<Place, Seen> = HashMap::new();
    let mut arrived: HashSet<(usize, u32)> = HashSet::new();
    each_packet(taps, |group| {
        for (tap, seen) in group.iter().enumerate() {
            for sighting in *seen {
                arrived.insert((tap, sighting.flow));
            }
        }
        follow(group, flows, lines, &mut places);
    });
    let mut places: Vec<(Place, Seen)> = places.into_iter().collect();
    places.sort_by_key(|(place, _)| *place);
    let after = Afterwards::of(taps, flows, &places);
    for (place, seen) in places {
        let line = &lines[&place.hosts];
        let clock = clocks.get(&(place.a, place.b));
        let row = Judge { taps, flows, arrived: &arrived, after: &after, line, clock, place };
        row.judge(&seen, found);
    }
}

/// One packet past the taps of its path.
fn follow(group: &[&[Sighting]], flows: &Flows, lines: &HashMap<Hosts, Line>, places: &mut HashMap<Place, Seen>) {
    let Some(flow) = group.iter().find_map(|seen| seen.first()) else { return };
    let flow = &flows.all[flow.flow as usize];
    let (hosts, there) = order::hosts(flow.src, flow.dst);
    let Some(line) = lines.get(&hosts) else { return };
    let way = if there { &line.there } else { &line.back };
    // How many of its transmissions are seen at each tap, and how many went on at least as far as that.
    let counts: Vec<usize> = way.iter().map(|&tap| group[tap].len()).collect();
    let mut as_sent = counts.clone();
    let mut before = 0;
    for count in &mut as_sent {
        if before > 0 {
            *count = (*count).min(before);
        }
        before = if *count > 0 { *count } else { before };
    }
    let mut reached = as_sent.clone();
    for at in (1..reached.len()).rev() {
        reached[at - 1] = reached[at - 1].max(reached[at]);
    }
    for at in 1..way.len() {
        let (a, b) = (way[at - 1], way[at]);
        let seen = places.entry(Place { hosts, there, kind: flow.kind, a, b }).or_default();
        let lost = reached[at - 1] - reached[at];
        seen.matched += reached[at] as u64;
        seen.missing_a += (reached[at - 1] - as_sent[at - 1]) as u64;
        seen.missing_b += (reached[at] - as_sent[at]) as u64;
        if counts[at - 1] > 0 {
            seen.doubled += counts[at].saturating_sub(counts[at - 1]) as u64;
        }
        if counts[at - 1] == counts[at] {
            for (sent, came) in group[a].iter().zip(group[b]) {
                seen.pass(sent, came);
            }
        }
        // Of several transmissions that cannot be told apart the first are taken to be the lost ones.
        for suspect in group[a].iter().take(lost) {
            if seen.suspects.len() < SUSPECTS {
                seen.suspects.push(*suspect);
            } else {
                seen.beyond += 1;
            }
        }
    }
}

/// The clocks of all taps that follow each other on some path, and their rows.
fn clocks(
    taps: &[Tap],
    samples: &HashMap<Hosts, Both>,
    lines: &HashMap<Hosts, Line>,
    found: &mut Compared,
) -> HashMap<(usize, usize), Clock> {
    let mut both_ways: HashMap<(usize, usize), [Times; 2]> = HashMap::new();
    for (hosts, line) in lines {
        let both = &samples[hosts];
        for next in line.there.windows(2) {
            let &[i, j] = next else { continue };
            let (small, large) = (i.min(j), i.max(j));
            let [small_first, large_first] = both_ways.entry((small, large)).or_default();
            let (along, against) = if i < j { (small_first, large_first) } else { (large_first, small_first) };
            along.extend(Both::times(&both.there, small, large));
            against.extend(Both::times(&both.back, small, large));
        }
    }
    let mut pairs: Vec<_> = both_ways.into_iter().collect();
    pairs.sort_by_key(|(pair, _)| *pair);
    let mut clocks = HashMap::new();
    for ((i, j), [mut i_first, mut j_first]) in pairs {
        let Some(clock) = Clock::of(&i_first, &j_first) else { continue };
        let reason = match (clock.contradictory, clock.lower, clock.upper) {
            (true, ..) => Some("no offset fits all packets: a clock stepped, or its time stamps are too coarse"),
            (_, None, _) | (_, _, None) => Some("packets were seen one way only"),
            _ => None,
        };
        found.tap_clocks.push(TapClock {
            tap_a: taps[i].name.clone(),
            tap_b: taps[j].name.clone(),
            lower: clock.lower,
            upper: clock.upper,
            offset: clock.offset(),
            at: clock.at,
            drift_low: clock.drift.filter(|_| !clock.contradictory).map(|drift| drift.0),
            drift_high: clock.drift.filter(|_| !clock.contradictory).map(|drift| drift.1),
            packets: (i_first.len() + j_first.len()) as u64,
            reason: reason.map(str::to_owned),
        });
        let turned = |times: &mut Times| times.iter_mut().for_each(|(a, b)| std::mem::swap(a, b));
        clocks.insert((i, j), clock);
        turned(&mut i_first);
        turned(&mut j_first);
        if let Some(clock) = Clock::of(&j_first, &i_first) {
            clocks.insert((j, i), clock);
        }
    }
    clocks
}

/// What became of suspects later on, at the tap that saw them last.
struct Afterwards {
    /// For tap, flow and PSN the last time that it was sent, and the frame.
    sent: HashMap<(usize, u32, u32), (i64, u64)>,
    /// For tap and flow the answer that accepted the furthest PSN, and its time.
    accepted: HashMap<(usize, u32), (i64, u32)>,
    /// For a flow those that its answers come by.
    partners: HashMap<u32, Vec<u32>>,
}

impl Afterwards {
    fn of(taps: &[Tap], flows: &Flows, places: &[(Place, Seen)]) -> Self {
        let suspects =
            |tap: usize| places.iter().filter(move |(place, _)| place.a == tap).flat_map(|(_, s)| &s.suspects);
        let mut by_ends: HashMap<_, Vec<u32>> = HashMap::new();
        for (number, flow) in (0..).zip(&flows.all) {
            if flow.kind == Kind::Rdma {
                by_ends.entry((flow.src, flow.dst, flow.sport)).or_default().push(number);
            }
        }
        let mut after = Self { sent: HashMap::new(), accepted: HashMap::new(), partners: HashMap::new() };
        for (at, tap) in taps.iter().enumerate() {
            let wanted: HashSet<(u32, u32)> = suspects(at).map(|s| (s.flow, s.psn)).collect();
            let mut partners: HashSet<u32> = HashSet::new();
            for suspect in suspects(at) {
                let flow = &flows.all[suspect.flow as usize];
                let answers = by_ends.get(&(flow.dst, flow.src, flow.sport)).cloned().unwrap_or_default();
                partners.extend(&answers);
                after.partners.entry(suspect.flow).or_insert(answers);
            }
            if wanted.is_empty() {
                continue;
            }
            for sighting in &tap.sightings {
                if wanted.contains(&(sighting.flow, sighting.psn)) && is_reliable_request(sighting) {
                    let last = after.sent.entry((at, sighting.flow, sighting.psn)).or_insert((i64::MIN, 0));
                    *last = (*last).max((sighting.ts, sighting.frame));
                }
                if sighting.marks.accepts && partners.contains(&sighting.flow) {
                    let furthest = after.accepted.entry((at, sighting.flow)).or_insert((sighting.ts, sighting.psn));
                    if covers(sighting.psn, furthest.1) {
                        *furthest = (sighting.ts, sighting.psn);
                    }
                }
            }
        }
        after
    }

    /// The frame in which it was sent again.
    fn resent(&self, tap: usize, suspect: &Sighting) -> Option<u64> {
        let (ts, frame) = *self.sent.get(&(tap, suspect.flow, suspect.psn))?;
        (ts > suspect.ts).then_some(frame)
    }

    /// Something at or after its PSN was acknowledged later on.
    fn accepted(&self, tap: usize, suspect: &Sighting) -> bool {
        let answers = self.partners.get(&suspect.flow).into_iter().flatten();
        let mut furthest = answers.filter_map(|flow| self.accepted.get(&(tap, *flow)));
        furthest.any(|&(ts, psn)| ts > suspect.ts && covers(psn, suspect.psn))
    }
}

/// An answer for the PSN `answer` also answers `psn`: it is the same or later, on the circle of 2^24.
fn covers(answer: u32, psn: u32) -> bool {
    answer.wrapping_sub(psn) & 0xff_ffff < 0x80_0000
}

/// The judgement of one place.
struct Judge<'w> {
    taps: &'w [Tap],
    flows: &'w Flows,
    /// Which flow was seen at which tap.
    arrived: &'w HashSet<(usize, u32)>,
    after: &'w Afterwards,
    line: &'w Line,
    clock: Option<&'w Clock>,
    place: Place,
}

impl Judge<'_> {
    fn judge(&self, seen: &Seen, found: &mut Compared) {
        let Place { hosts, there, kind, a, b } = self.place;
        let (tap_a, tap_b) = (&self.taps[a], &self.taps[b]);
        let (src, dst) = if there { hosts } else { (hosts.1, hosts.0) };
        let (mut missing_b, mut elsewhere, mut witnessed) = (seen.missing_b, 0, 0);
        let mut lost = Vec::new();
        let ran: Vec<(&Sighting, Option<u64>, bool)> = seen
            .suspects
            .iter()
            .filter(|suspect| self.ran(seen, suspect))
            .map(|suspect| {
                let resent = self.after.resent(a, suspect);
                let accepted = resent.is_none() && is_reliable_request(suspect) && self.after.accepted(a, suspect);
                (suspect, resent, accepted)
            })
            .collect();
        // Nobody acknowledges answers and datagrams; where none of a flow comes by, another path is as good a reason.
        let takes_another_path: HashSet<u32> = ran
            .iter()
            .filter(|(suspect, _, accepted)| *accepted || (kind == Kind::Rdma && !is_reliable_request(suspect)))
            .map(|(suspect, ..)| suspect.flow)
            .filter(|flow| !self.arrived.contains(&(b, *flow)))
            .collect();
        for (suspect, resent, accepted) in ran {
            if takes_another_path.contains(&suspect.flow) {
                elsewhere += 1;
            } else if accepted {
                missing_b += 1;
            } else {
                witnessed += u64::from(resent.is_some());
                lost.push((*suspect, resent));
            }
        }
        lost.sort_by_key(|(suspect, _)| suspect.frame);
        let count = lost.len() as u64 + seen.beyond;
        let sent = seen.matched + count;
        let (low, high) = wilson(count, sent);
        let delays = self.delays(seen);
        let reason = match (self.clock.map(Clock::offset), seen.beyond) {
            (_, 1..) => Some("so many packets are missing that not all were looked at one by one"),
            (None | Some(None), _) => Some("the offset of the clocks is not known, so no delays"),
            _ => None,
        };
        found.segments.push(Segment {
            tap_a: tap_a.name.clone(),
            tap_b: tap_b.name.clone(),
            src,
            dst,
            traffic: kind.name(),
            sent,
            matched: seen.matched,
            lost: count,
            witnessed,
            missing_a: seen.missing_a,
            missing_b,
            elsewhere,
            doubled: seen.doubled,
            marked: seen.marked,
            damaged: seen.damaged,
            overtaken: overtaken(seen),
            loss_share: (sent > 0).then(|| count as f64 / sent as f64),
            loss_low: low,
            loss_high: high,
            delay_min: delays.first().copied(),
            delay_median: median(delays.iter().copied()),
            delay_p99: delays.get(delays.len() * 99 / 100).copied(),
            delay_max: delays.last().copied(),
            uncertain: self
                .clock
                .and_then(|clock| Some((clock.upper? - clock.lower?) / 2))
                .filter(|_| !delays.is_empty()),
            routers: seen.routers,
            order_by: Some(self.line.known_by.name()),
            first_lost_ts: lost.first().map(|(suspect, _)| suspect.ts),
            first_lost_frame: lost.first().map(|(suspect, _)| suspect.frame),
            one_of: tap_a.one_of,
            reason: reason.map(str::to_owned),
        });
        found.segment_losses.extend(lost.iter().take(LISTED).map(|(suspect, resent)| {
            let rdma = kind == Kind::Rdma;
            SegmentLoss {
                tap_a: tap_a.name.clone(),
                frame_a: suspect.frame,
                ts: suspect.ts,
                tap_b: tap_b.name.clone(),
                src,
                dst,
                traffic: kind.name(),
                dest_qp: rdma.then(|| self.flows.all[suspect.flow as usize].dest_qp),
                psn: rdma.then_some(suspect.psn),
                opcode: if rdma { opcode::name(suspect.opcode).as_ref().map(ToString::to_string) } else { None },
                resent_frame: *resent,
            }
        }));
    }

    /// The capture at B ran while the packet would have come by there: it had begun before the earliest, and had not ended
    /// before the latest that packets of this place take.
    fn ran(&self, seen: &Seen, suspect: &Sighting) -> bool {
        let Some((least, most)) = seen.least.zip(seen.most) else {
            // Nothing arrives at B at all: by the clocks as they are, or by their offset where it is known.
            let by_b = suspect.ts.saturating_add(self.clock.and_then(Clock::offset).unwrap_or(0));
            return (self.taps[self.place.b].first_ts..=self.taps[self.place.b].last_ts).contains(&by_b);
        };
        let tap = &self.taps[self.place.b];
        suspect.ts.saturating_add(least) >= tap.first_ts && suspect.ts.saturating_add(most) <= tap.last_ts
    }

    /// Times from A to B with the clocks put right, shortest first; none when the clocks cannot be.
    fn delays(&self, seen: &Seen) -> Vec<i64> {
        let Some(clock) = self.clock.filter(|clock| clock.offset().is_some()) else { return Vec::new() };
        let right = |&(a, b): &(i64, i64)| Some(b.saturating_sub(a).saturating_sub(clock.offset_at(a)?));
        let mut delays: Vec<i64> = seen.times.iter().filter_map(right).collect();
        delays.sort_unstable();
        delays
    }
}

/// Packets that left A before another one and arrived at B after it; `None` when not all were kept.
fn overtaken(seen: &Seen) -> Option<u64> {
    if seen.times.len() >= TIMES {
        return None;
    }
    let mut times = seen.times.clone();
    times.sort_unstable();
    let mut latest = i64::MIN;
    let mut count = 0;
    for (_, came) in times {
        count += u64::from(came < latest);
        latest = latest.max(came);
    }
    Some(count)
}

/// The interval of Wilson (1927) for `lost` of `sent`, at 95 %.
fn wilson(lost: u64, sent: u64) -> (Option<f64>, Option<f64>) {
    const Z: f64 = 1.96;
    if sent == 0 {
        return (None, None);
    }
    let (n, p) = (sent as f64, lost as f64 / sent as f64);
    let middle = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + Z * Z / n;
    (Some(((middle - half) / whole).max(0.0)), Some(((middle + half) / whole).min(1.0)))
}
