//! Management datagrams of a capture: which message was sent again, which was answered, and which queue pairs the
//! connection manager joins.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use super::request_stream::A_ROUTER_LATER;
use super::sighting::Sighting;
use crate::address::Address;
use crate::rdma::Roce;
use crate::rdma::cm::{self, Cm};
use crate::rdma::mad::{self, Mad};
use crate::tables::cm_events::CmEvent;

/// Messages kept, some 40 MB of them. A fabric whose subnet manager sweeps says more in an hour, and nothing new.
const MOST_EVENTS: usize = 1 << 17;

/// Sendings of one message that wait for their answer: a connection manager repeats 15 times at most.
const MOST_WAITING: usize = 16;

/// LID of a port on Ethernet, which has none.
const NO_LID: u16 = 0xffff;

/// One end of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// Its queue pair.
    pub qp: u32,
    /// First PSN that it sends.
    pub starting_psn: Option<u32>,
    /// Times that it waits for a receive buffer before an error.
    pub rnr_retry: Option<u8>,
}

/// A connection that REQ and REP agreed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// Who sent the REQ.
    pub active: End,
    /// Who sent the REP.
    pub passive: End,
    /// Frame of the REP.
    pub frame: u64,
    /// The addresses that its packets may carry, active end first: those of the messages, the GIDs and the LIDs.
    pub paths: Vec<(Address, Address)>,
    /// Code of the local ACK timeout.
    pub ack_timeout: Option<u8>,
    /// Resends before an error.
    pub retry_count: Option<u8>,
    /// Bytes.
    pub path_mtu: Option<u16>,
}

/// All that makes a message the same when it is sent again.
type Identity = (Address, Address, u8, u8, u16, u64, Option<u32>);

/// What an answer is looked up by: who waits, for whom, and its communication identifier, or the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Waits {
    ForId(Address, Address, u32),
    ForTransaction(Address, Address, u8, u64),
}

#[derive(Debug, Clone, Copy)]
struct Sent {
    first_frame: u64,
    frame: u64,
    ts: Option<i64>,
    times: u32,
}

/// All management datagrams of a capture.
#[derive(Debug, Default)]
pub struct Mads {
    events: Vec<CmEvent>,
    sent: HashMap<Identity, Sent>,
    /// Events without answer, in the order of time.
    waiting: HashMap<Waits, Vec<usize>>,
    /// The last REQ of each communication identifier, by who sent it to whom.
    opened: HashMap<(Address, Address, u32), usize>,
    source: Option<Arc<str>>,
    /// Datagrams beyond the limit.
    pub untracked: u64,
}

impl Mads {
    /// A datagram passed the tap. Gives the connection that it completes, if any.
    #[cold]
    pub fn on_datagram(&mut self, row: &Sighting<'_>, roce: &Roce<'_>) -> Option<Connection> {
        let mad = mad::of(roce, row.packet.payload)?;
        let (src, dst) = (row.packet.src?, row.packet.dst?);
        if self.events.len() >= MOST_EVENTS {
            self.untracked += 1;
            return None;
        }
        let cm = if mad.class == mad::CM { Cm::read(mad.attribute, mad.data).map(Box::new) } else { None };
        let local_id = cm.as_ref().and_then(|cm| cm.local_id);
        let same = (src, dst, mad.class, mad.method, mad.attribute, mad.transaction, local_id);
        let (before, copy) = self.sent_before(same, row);
        let source = Arc::clone(self.source.get_or_insert_with(|| Arc::from(row.source)));
        let event = CmEvent {
            source,
            frame: row.frame,
            ts: row.ts,
            src,
            dst,
            src_qp: roce.deth.map(|deth| deth.src_qp),
            dest_qp: roce.bth.dest_qp,
            class: mad.class,
            method: mad.method,
            attribute: mad.attribute,
            status: mad.status,
            transaction: mad.transaction,
            cm,
            retry: before.map_or(0, |sent| if copy { sent.times - 1 } else { sent.times }),
            copy,
            first_frame: before.map_or(row.frame, |sent| sent.first_frame),
            since_last: before.and_then(|sent| span(sent.ts, row.ts)),
            answer_frame: None,
            answered_after: None,
        };
        let answered = self.answer(&event, &mad);
        let index = self.events.len();
        if let Some(waits) = waits_for(&event, &mad) {
            let waiting = self.waiting.entry(waits).or_default();
            if waiting.len() >= MOST_WAITING {
                waiting.remove(0);
            }
            waiting.push(index);
        }
        if mad.class == mad::CM
            && mad.attribute == cm::REQ
            && let Some(id) = local_id
        {
            self.opened.insert((src, dst, id), index);
        }
        self.events.push(event);
        answered
    }

    /// What was sent of this message before, and whether this is only a copy of the last.
    fn sent_before(&mut self, same: Identity, row: &Sighting<'_>) -> (Option<Sent>, bool) {
        let first = Sent { first_frame: row.frame, frame: row.frame, ts: row.ts, times: 1 };
        let sent = self.sent.entry(same).or_insert(first);
        if sent.frame == row.frame {
            return (None, false);
        }
        let before = *sent;
        // No connection manager repeats so soon: one packet is on its way longer than that, and so is its answer.
        let copy =
            row.ts.zip(sent.ts).is_some_and(|(now, last)| (0..A_ROUTER_LATER).contains(&now.saturating_sub(last)));
        if !copy {
            sent.times = sent.times.saturating_add(1);
            (sent.frame, sent.ts) = (row.frame, row.ts);
        }
        (Some(before), copy)
    }

    /// Marks the events that this one answers, and gives the connection if it completes one.
    fn answer(&mut self, event: &CmEvent, mad: &Mad<'_>) -> Option<Connection> {
        let (waits, of): (_, &[u16]) = match (mad.class, mad.attribute) {
            (mad::CM, attribute) => {
                let of: &[u16] = match attribute {
                    cm::REP => &[cm::REQ],
                    cm::RTU => &[cm::REP],
                    cm::REJ | cm::MRA => &[cm::REQ, cm::REP],
                    cm::DREP => &[cm::DREQ],
                    cm::SIDR_REP => &[cm::SIDR_REQ],
                    _ => return None,
                };
                let told = event.cm.as_ref()?;
                // A `SIDR_REP` repeats the request's identifier as its own.
                let id = if attribute == cm::SIDR_REP { told.local_id? } else { told.remote_id? };
                (Waits::ForId(event.dst, event.src, id), of)
            }
            (class, _) if mad.method & 0x80 != 0 => {
                (Waits::ForTransaction(event.dst, event.src, class, mad.transaction), &[])
            }
            _ => return None,
        };
        if let Some(waiting) = self.waiting.get_mut(&waits) {
            waiting.retain(|&index| {
                let Some(asked) = self.events.get_mut(index) else { return false };
                if !of.is_empty() && !of.contains(&asked.attribute) {
                    return true;
                }
                asked.answer_frame = Some(event.frame);
                asked.answered_after = span(asked.ts, event.ts);
                false
            });
        }
        if mad.class != mad::CM || mad.attribute != cm::REP {
            return None;
        }
        let request = self.opened.get(&(event.dst, event.src, event.cm.as_ref()?.remote_id?))?;
        connection(self.events.get(*request)?, event)
    }

    /// The rows of `cm_events`.
    pub fn finish(self) -> Vec<CmEvent> {
        self.events
    }
}

/// Under what an answer to this event would be found.
fn waits_for(event: &CmEvent, mad: &Mad<'_>) -> Option<Waits> {
    if mad.class == mad::CM {
        let asks = matches!(mad.attribute, cm::REQ | cm::REP | cm::DREQ | cm::SIDR_REQ);
        let id = event.cm.as_ref()?.local_id.filter(|_| asks)?;
        return Some(Waits::ForId(event.src, event.dst, id));
    }
    (mad.method & 0x80 == 0).then_some(Waits::ForTransaction(event.src, event.dst, mad.class, mad.transaction))
}

fn connection(request: &CmEvent, reply: &CmEvent) -> Option<Connection> {
    let (req, rep) = (request.cm.as_ref()?, reply.cm.as_ref()?);
    let gids = req.local_gid.zip(req.remote_gid);
    let lids = req.local_lid.zip(req.remote_lid).filter(|(local, _)| *local != NO_LID);
    let lids = lids.map(|(local, remote)| (Address::Lid(local), Address::Lid(remote)));
    let mut paths = vec![(request.src, request.dst)];
    for path in [gids, lids].into_iter().flatten() {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    Some(Connection {
        active: End { qp: req.qpn?, starting_psn: rep.starting_psn, rnr_retry: rep.rnr_retry },
        passive: End { qp: rep.qpn?, starting_psn: req.starting_psn, rnr_retry: req.rnr_retry },
        frame: reply.frame,
        paths,
        ack_timeout: req.ack_timeout,
        retry_count: req.retry_count,
        path_mtu: req.path_mtu,
    })
}

/// From one time to another; `None` when one is not known, or the clock went back in between.
fn span(from: Option<i64>, to: Option<i64>) -> Option<i64> {
    to?.checked_sub(from?).filter(|span| *span >= 0)
}
