//! What the connection manager agreed on for each direction of a queue pair.

use std::collections::HashMap;

use super::mads::{Connection, End};
use crate::address::Address;

/// Directions kept: connections that are closed are forgotten when their queue pairs are used again.
const MOST: usize = 1 << 18;

/// What is agreed for the requests of one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreement {
    /// Queue pair that sends the requests.
    pub src_qp: u32,
    /// First PSN of the requests.
    pub starting_psn: Option<u32>,
    /// Code of the local ACK timeout.
    pub ack_timeout: Option<u8>,
    /// Resends before an error.
    pub retry_count: Option<u8>,
    /// Waits for a receive buffer before an error; 7 is for ever.
    pub rnr_retry: Option<u8>,
    /// Bytes.
    pub path_mtu: Option<u16>,
    /// Frame of the REP.
    pub frame: u64,
}

/// By source and destination of the requests, and the queue pair that they go to.
#[derive(Debug, Default)]
pub struct Agreed(HashMap<(Address, Address, u32), Agreement>);

impl Agreed {
    /// REQ and REP were heard.
    pub fn on_connection(&mut self, connection: &Connection) {
        for (active, passive) in &connection.paths {
            self.add((*active, *passive), &connection.active, &connection.passive, connection);
            self.add((*passive, *active), &connection.passive, &connection.active, connection);
        }
    }

    fn add(&mut self, (src, dst): (Address, Address), sender: &End, receiver: &End, connection: &Connection) {
        let way = (src, dst, receiver.qp);
        if self.0.len() >= MOST && !self.0.contains_key(&way) {
            return;
        }
        let agreement = Agreement {
            src_qp: sender.qp,
            starting_psn: sender.starting_psn,
            ack_timeout: connection.ack_timeout,
            retry_count: connection.retry_count,
            rnr_retry: sender.rnr_retry,
            path_mtu: connection.path_mtu,
            frame: connection.frame,
        };
        self.0.insert(way, agreement);
    }

    /// What was agreed for the requests from `src` to queue pair `qp` of `dst`.
    pub fn of(&self, src: Address, dst: Address, qp: u32) -> Option<&Agreement> {
        self.0.get(&(src, dst, qp))
    }
}
