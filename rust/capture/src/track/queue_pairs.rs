//! All queue pairs of one capture: sends each RDMA packet to the stream it belongs to, and turns the streams into rows.

mod credits;

use std::collections::HashMap;

use super::agreed::Agreed;
use super::damage::Icrc;
use super::direction::Direction;
use super::heard::Heard;
use super::ip_ids::{IpIds, Skipped};
use super::mads::Connection;
use super::marks::Marks;
use super::notified::Notified;
use super::pairing::{BY_ACK, BY_CM, Candidate, partner};
use super::psn;
use super::recoveries::DirectionRows;
use super::request_stream::{Answer, Request};
use super::sighting::Sighting;
use super::totals::Totals;
use crate::address::Address;
use crate::rdma::opcode::{self, Transport};
use crate::rdma::{self, Roce};
pub(super) use credits::Pair;

/// What goes from one address to one queue pair of another: requests of one stream, answers to another.
pub(super) type Way = (Address, Address, u32);

/// Queue pair directions kept; further ones are counted as untracked.
const MOST_DIRECTIONS: usize = 1 << 18;
/// Ways kept: two for each direction.
const MOST_WAYS: usize = 2 * MOST_DIRECTIONS;

/// Answers that must fit one stream only, by PSN, before they are taken to be its own.
const LEAST_FITTING: u32 = 3;

/// Candidates looked at while pairing, over a whole capture: a bound on the time that a hostile one can cost.
const MOST_EXAMINED: u64 = 1 << 27;

/// What is known of one way.
#[derive(Debug)]
pub(super) struct Traffic {
    pub(super) way: Way,
    /// Index of the two hosts.
    hosts: usize,
    /// The direction whose requests go this way.
    pub(super) requests: Option<usize>,
    /// The direction whose answers go this way.
    answers: Option<usize>,
    unpaired_answers: u64,
    /// The direction that its last answers fitted by PSN alone, the newest of them, and how many they were.
    guess: Option<(usize, u32, u32)>,
    /// Its last answers.
    heard: Heard,
    cnps: u64,
    cnp_frame: Option<u64>,
    pub(super) notified: Option<Box<Notified>>,
    pub(super) marks: Marks,
}

/// What goes from one address to another.
#[derive(Debug, Default)]
struct Hosts {
    ids: IpIds,
    /// Identification, queue pair, opcode and PSN of the last packet.
    last: Option<(u16, u32, u8, u32)>,
    /// Directions whose requests go this way and whose answers are not found yet.
    unpaired: Vec<usize>,
}

/// Where the ways of the last packets stand: a few queue pairs make most of the packets, and hashing a way with a hash
/// that resists chosen keys costs more than the rest of the look-up.
#[derive(Debug)]
struct Recent([usize; 1024]);

impl Default for Recent {
    fn default() -> Self {
        Self([usize::MAX; 1024])
    }
}

impl Recent {
    /// The place for a way; what stands there may be of another.
    fn of(&mut self, (_, dst, qp): &Way) -> &mut usize {
        let host = match dst {
            Address::V4([.., low]) | Address::V6([.., low]) => u32::from(*low),
            Address::Lid(lid) => u32::from(*lid),
        };
        let mixed = (qp ^ host << 16).wrapping_mul(0x9e37_79b1);
        &mut self.0[(mixed >> 22) as usize]
    }
}

/// CNPs by the address and queue pair that they go to, and the frame of the first.
pub type Cnps = HashMap<(Address, u32), (u64, Option<u64>)>;

/// Those of one share of the host pairs ([`super::shares`]).
#[derive(Debug, Default)]
pub struct QueuePairs {
    ways: HashMap<Way, usize>,
    recent: Recent,
    traffic: Vec<Traffic>,
    pairs: HashMap<(Address, Address), usize>,
    hosts: Vec<Hosts>,
    directions: Vec<Direction>,
    agreed: Agreed,
    icrc: Icrc,
    requests: u64,
    answers: u64,
    untracked: u64,
    examined: u64,
}

impl QueuePairs {
    /// An RDMA packet passed the tap, `now` after the first packet of the capture.
    pub fn on_packet(&mut self, row: &Sighting<'_>, roce: &Roce<'_>, now: i64) {
        let (Some(src), Some(dst)) = (row.packet.src, row.packet.dst) else { return };
        let Some(at) = self.traffic_of((src, dst, roce.bth.dest_qp)) else {
            self.untracked += 1;
            return;
        };
        if let Some(ip) = &row.packet.ip {
            let class = (Some(ip.dscp), row.packet.vlan.map(|vlan| vlan.pcp));
            self.traffic[at].marks.on_packet(class, ip.ecn, row.frame, row.ts);
        }
        let hosts = &mut self.hosts[self.traffic[at].hosts];
        let id = row.packet.ip.and_then(|ip| ip.id);
        let packet = id.map(|id| (id, roce.bth.dest_qp, roce.bth.opcode, roce.bth.psn));
        let copy = packet.is_some_and(|(id, ..)| id != 0) && packet == hosts.last;
        hosts.last = packet;
        let skipped = if copy { None } else { hosts.ids.on_packet(id) };
        match Transport::of(roce.bth.opcode) {
            Transport::Cnp => {
                let traffic = &mut self.traffic[at];
                traffic.cnps += 1;
                traffic.cnp_frame.get_or_insert(row.frame);
                let dscp = row.packet.ip.map(|ip| ip.dscp);
                let first = || Box::new(Notified::new(row.frame, now, dscp));
                traffic.notified.get_or_insert_with(first).on_cnp(row.frame, now);
            }
            Transport::Rc | Transport::Xrc if opcode::name(roce.bth.opcode).is_some() => {
                if opcode::is_response(roce.bth.opcode) {
                    let again = self.traffic[at].heard.again(row, roce, now);
                    if !copy && !again {
                        self.on_answer(at, row, roce, now, skipped);
                    }
                } else {
                    self.on_request(at, row, roce, now);
                }
            }
            _ => {}
        }
    }

    /// The connection manager joined two queue pairs.
    #[cold]
    pub fn on_connection(&mut self, connection: &Connection) {
        self.agreed.on_connection(connection);
    }

    fn traffic_of(&mut self, way: Way) -> Option<usize> {
        let recent = self.recent.of(&way);
        if self.traffic.get(*recent).is_some_and(|traffic| traffic.way == way) {
            return Some(*recent);
        }
        let at = match self.ways.get(&way) {
            Some(at) => *at,
            None if self.traffic.len() >= MOST_WAYS => return None,
            None => {
                let hosts = *self.pairs.entry((way.0, way.1)).or_insert(self.hosts.len());
                if hosts == self.hosts.len() {
                    self.hosts.push(Hosts::default());
                }
                let (requests, answers, cnp_frame) = (None, None, None);
                self.traffic.push(Traffic {
                    way,
                    hosts,
                    requests,
                    answers,
                    unpaired_answers: 0,
                    guess: None,
                    heard: Heard::default(),
                    cnps: 0,
                    cnp_frame,
                    notified: None,
                    marks: Marks::default(),
                });
                self.ways.insert(way, self.traffic.len() - 1);
                self.traffic.len() - 1
            }
        };
        *recent = at;
        Some(at)
    }

    fn on_request(&mut self, at: usize, row: &Sighting<'_>, roce: &Roce<'_>, now: i64) {
        self.requests += 1;
        let corrupt = self.icrc.is_damaged(rdma::icrc_ok(roce));
        let Some(index) = self.direction_of(at, row, roce, corrupt) else { return };
        self.before_request(index, row.frame, now);
        let direction = &mut self.directions[index];
        direction.on_ecn(row.packet.ip.map(|ip| ip.ecn), row.frame);
        direction.seen(row);
        let sent_before = direction.stream.counts.distinct_psns;
        direction.stream.on_request(&Request {
            frame: row.frame,
            ts: now,
            opcode: roce.bth.opcode,
            psn: roce.bth.psn,
            ack_req: roce.bth.ack_req,
            dma_len: roce.reth.map(|reth| reth.dma_len),
            payload_len: roce.payload_len,
            ip_id: row.packet.ip.and_then(|ip| ip.id),
            ttl: row.packet.ip.map(|ip| ip.ttl),
            corrupt,
        });
        if direction.stream.counts.distinct_psns > sent_before {
            self.after_new_request(index, roce.bth.opcode, (row.frame, now), roce.payload_len);
        }
    }

    /// The direction of a request; a new one when its first packet is sound.
    fn direction_of(&mut self, at: usize, row: &Sighting<'_>, roce: &Roce<'_>, corrupt: bool) -> Option<usize> {
        let traffic = &mut self.traffic[at];
        if traffic.requests.is_some() || corrupt {
            return traffic.requests;
        }
        let index = self.directions.len();
        if index >= MOST_DIRECTIONS {
            self.untracked += 1;
            return None;
        }
        traffic.requests = Some(index);
        self.hosts[traffic.hosts].unpaired.push(index);
        self.directions.push(Direction::new(traffic.way, row, roce));
        Some(index)
    }

    fn on_answer(&mut self, at: usize, row: &Sighting<'_>, roce: &Roce<'_>, now: i64, skipped: Option<Skipped>) {
        self.answers += 1;
        let corrupt = self.icrc.is_damaged(rdma::icrc_ok(roce));
        let Some(index) = self.direction_answered(at, row.packet.sport, roce.bth.psn) else { return };
        let direction = &mut self.directions[index];
        direction.seen(row);
        if corrupt {
            direction.stream.on_damage(row.frame);
        } else if let Some(answer) = answer_of(roce) {
            direction.stream.on_answer(row.frame, now, roce.bth.psn, skipped, answer);
        }
    }

    fn direction_answered(&mut self, at: usize, sport: Option<u16>, psn: u32) -> Option<usize> {
        let traffic = &mut self.traffic[at];
        if traffic.answers.is_some() {
            return traffic.answers;
        }
        traffic.unpaired_answers += 1;
        let (src, dst, answer_qp) = traffic.way;
        if let Some(agreement) = self.agreed.of(src, dst, answer_qp) {
            // The requests of the other end go to the queue pair that sends these answers. Nobody else's will do.
            let requests = self.ways.get(&(dst, src, agreement.src_qp))?;
            let index = self.traffic[*requests].requests?;
            return Some(self.pair(at, index, BY_CM));
        }
        // Looking through all streams of two hosts is dear; a stream that stays ambiguous is tried ever more rarely.
        if traffic.unpaired_answers > 16 && !traffic.unpaired_answers.is_power_of_two() {
            return None;
        }
        let hosts = *self.pairs.get(&(dst, src))?;
        let unpaired = &self.hosts[hosts].unpaired;
        self.examined += unpaired.len() as u64;
        if self.examined > MOST_EXAMINED {
            return None;
        }
        let candidate = |stream: usize| {
            let direction = &self.directions[stream];
            let sent_it = direction.stream.may_answer(psn);
            Candidate { stream, dest_qp: direction.dest_qp, sport: direction.sport, sent_it }
        };
        let candidates: Vec<Candidate> = unpaired.iter().copied().map(candidate).collect();
        let (index, rule) = partner(&candidates, answer_qp, sport)?;
        if rule == BY_ACK {
            // Streams may count alike, and the right one may not have been captured yet.
            let (guess, psn_before, fitting) = traffic.guess.unwrap_or((index, psn, 0));
            let fitting =
                if guess == index { fitting + u32::from(fitting == 0 || psn::newer(psn, psn_before)) } else { 1 };
            traffic.guess = Some((index, psn, fitting));
            if fitting < LEAST_FITTING {
                return None;
            }
        }
        Some(self.pair(at, index, rule))
    }

    /// The answers of this way are those of that direction.
    fn pair(&mut self, at: usize, index: usize, rule: &'static str) -> usize {
        let direction = &mut self.directions[index];
        let traffic = &mut self.traffic[at];
        (direction.src_qp, direction.paired_by) = (Some(traffic.way.2), Some(rule));
        traffic.answers = Some(index);
        traffic.unpaired_answers -= 1;
        if let Some(hosts) = self.pairs.get(&(direction.src, direction.dst)) {
            self.hosts[*hosts].unpaired.retain(|stream| *stream != index);
        }
        index
    }

    /// CNPs on their way to each queue pair, and the frame of the first.
    pub fn add_cnps(&self, cnps: &mut Cnps) {
        for traffic in &self.traffic {
            let (_, sender, qp) = traffic.way;
            let told = cnps.entry((sender, qp)).or_default();
            told.0 += traffic.cnps;
            told.1 = [told.1, traffic.cnp_frame].into_iter().flatten().min();
        }
    }

    /// The rows of each direction, what goes each way, and the pairs of data and credit, when the capture ended at `ended`; the sums for `capture_health` are added to `totals`.
    pub fn finish(
        mut self,
        source: &str,
        (began, ended): (Option<i64>, i64),
        cnps: &Cnps,
        totals: &mut Totals,
    ) -> (Vec<DirectionRows>, Vec<Traffic>, Vec<Pair>) {
        totals.requests += self.requests;
        totals.answers += self.answers;
        totals.untracked += self.untracked;
        for traffic in &self.traffic {
            totals.one_way += u32::from(traffic.answers.is_none() && traffic.unpaired_answers > 0);
        }
        let mut found = Vec::with_capacity(self.directions.len());
        for direction in &mut self.directions {
            direction.agreement = self.agreed.of(direction.src, direction.dst, direction.dest_qp).copied();
            let cnps = direction.src_qp.and_then(|qp| cnps.get(&(direction.src, qp))).copied().unwrap_or_default();
            let other_way = self.pairs.contains_key(&(direction.dst, direction.src));
            let rows = direction.finish(source, began, cnps, other_way);
            totals.add(&rows.roce_qp);
            totals.timers_left_out += direction.stream.timers_left_out;
            found.push(rows);
        }
        let pairs = self.credit_pairs(ended);
        (found, self.traffic, pairs)
    }
}

/// The answer that a response packet gives (IBTA 9.7.5.2.1); `None` when its AETH was cut or reserved.
fn answer_of(roce: &Roce<'_>) -> Option<Answer> {
    let opcode = roce.bth.opcode;
    if opcode & 0x1f != 0x11 {
        let first = matches!(opcode & 0x1f, 0x0d | 0x10 | 0x12);
        let full = matches!(opcode & 0x1f, 0x0d | 0x0e).then_some(roce.payload_len).flatten();
        return Some(Answer::Response {
            first,
            full: full.filter(|len| len.is_power_of_two()),
            len: roce.payload_len.unwrap_or(0),
        });
    }
    let syndrome = roce.aeth?.syndrome;
    match (syndrome >> 5 & 3, syndrome & 0x1f) {
        (0, _) => Some(Answer::Ack),
        (1, timer) => Some(Answer::ReceiverNotReady(timer)),
        (3, 0) => Some(Answer::SequenceNak),
        (3, _) => Some(Answer::FatalNak(syndrome)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
