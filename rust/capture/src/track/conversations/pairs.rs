//! A hash table from a pair of ends to what is known of it: one multiplication a word instead of `SipHash` for each packet.

use std::hash::{BuildHasher, RandomState};

use super::End;
use crate::address::Address;

/// A pair of ends in an order that does not depend on who sends: plain words, so that it is compared in a few instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    addresses: [u64; 4],
    /// Kinds of address, and the two ports.
    ports: u64,
}

impl Key {
    /// The key of two ends, and whether the first of them is the first in it.
    #[inline]
    pub fn of((a, a_port): End, (b, b_port): End) -> (Self, bool) {
        let (a, b) = (words(&a), words(&b));
        let first = (a, a_port) <= (b, b_port);
        let ((a, a_port), (b, b_port)) = if first { ((a, a_port), (b, b_port)) } else { ((b, b_port), (a, a_port)) };
        let ports = a.0 << 48 | b.0 << 32 | u64::from(a_port) << 16 | u64::from(b_port);
        (Self { addresses: [a.1, a.2, b.1, b.2], ports }, first)
    }
}

/// What a table keeps carries its key.
pub trait Keyed {
    /// The pair that it is of.
    fn key(&self) -> &Key;
}

/// The table: open addressing, slots of the number of an entry, at most half of them used.
#[derive(Debug)]
pub struct Pairs<T> {
    entries: Vec<T>,
    /// Number of an entry, and the high half of its hash.
    slots: Vec<(u32, u32)>,
    /// Chosen anew in each process, so that nobody can write a capture whose pairs all fall into one slot.
    key: [u64; 2],
}

const FREE: u32 = u32::MAX;
const FIRST_SLOTS: usize = 1 << 10;

impl<T> Default for Pairs<T> {
    fn default() -> Self {
        let random = RandomState::new();
        Self { entries: Vec::new(), slots: Vec::new(), key: [random.hash_one(1_u8), random.hash_one(2_u8)] }
    }
}

impl<T: Keyed> Pairs<T> {
    /// The entry of a pair, made when there is none; `None` when there are `most` already.
    pub fn entry(&mut self, pair: &Key, most: usize, make: impl FnOnce() -> T) -> Option<&mut T> {
        let hash = self.hash(pair);
        let at = match self.find(hash, pair) {
            Some(at) => at,
            None if self.entries.len() >= most.min(FREE as usize) => return None,
            None => {
                self.entries.push(make());
                if self.entries.len() * 2 > self.slots.len() {
                    self.grow();
                } else {
                    self.place(hash, self.entries.len() - 1);
                }
                self.entries.len() - 1
            }
        };
        self.entries.get_mut(at)
    }

    fn find(&self, hash: u64, pair: &Key) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = hash as usize & mask;
        loop {
            let (at, high) = *self.slots.get(slot)?;
            if at == FREE {
                return None;
            }
            if high == (hash >> 32) as u32 && self.entries.get(at as usize).is_some_and(|known| known.key() == pair) {
                return Some(at as usize);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn place(&mut self, hash: u64, at: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot].0 != FREE {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = (at as u32, (hash >> 32) as u32);
    }

    #[cold]
    fn grow(&mut self) {
        self.slots = vec![(FREE, 0); (self.slots.len() * 2).max(FIRST_SLOTS)];
        for at in 0..self.entries.len() {
            let hash = self.hash(self.entries[at].key());
            self.place(hash, at);
        }
    }

    #[inline]
    fn hash(&self, key: &Key) -> u64 {
        let [a_high, a_low, b_high, b_low] = key.addresses;
        let low = fold(a_low ^ self.key[0], b_low.rotate_left(32) ^ key.ports ^ self.key[1]);
        if a_high | b_high == 0 { low } else { fold(fold(low, a_high ^ self.key[0]), b_high ^ self.key[1]) }
    }
}

/// The kind of an address and its bits.
#[inline]
fn words(address: &Address) -> (u64, u64, u64) {
    match *address {
        Address::V4(octets) => (4, 0, u64::from(u32::from_be_bytes(octets))),
        Address::V6(octets) => {
            let all = u128::from_be_bytes(octets);
            (6, (all >> 64) as u64, all as u64)
        }
        Address::Lid(lid) => (2, 0, u64::from(lid)),
    }
}

/// Both halves of the product: each bit of the result depends on all bits of both words.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b | 1);
    let mixed = (product as u64) ^ (product >> 64) as u64;
    mixed ^ mixed >> 29
}
