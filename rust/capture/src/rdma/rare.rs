//! Extended headers that few packets have, read only when somebody asks for them.

use super::{Roce, opcode};

/// Bytes of `AtomicETH` (IBTA vol. 1, 9.3.4).
const ATOMIC_ETH: usize = 28;

/// What they say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rare {
    /// XRCETH: the shared receive queue, 24 bits (IBTA annex A14).
    pub srq: Option<u32>,
    /// RDETH: the end-to-end context, 24 bits (9.3.2).
    pub ee_context: Option<u32>,
    /// `AtomicETH`.
    pub atomic: Option<Atomic>,
    /// `AtomicAckETH`: what stood there before (9.5.3).
    pub original: Option<u64>,
    /// IETH: the key that is no longer valid afterwards (9.3.6).
    pub invalidated: Option<u32>,
}

/// `AtomicETH`, IBTA 9.3.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Atomic {
    /// Virtual address.
    pub va: u64,
    /// Remote key.
    pub r_key: u32,
    /// What to swap in, or to add.
    pub swap_or_add: u64,
    /// What to compare with.
    pub compare: u64,
}

/// The rare headers of a packet; `after` are the captured bytes after all its headers. All `None` when it has none or was cut.
pub fn rare(roce: &Roce<'_>, after: &[u8]) -> Rare {
    let headers = opcode::headers(roce.bth.opcode);
    if !(headers.xrceth || headers.rdeth || headers.atomic_eth || headers.atomic_ack_eth || headers.ieth) {
        return Rare::default();
    }
    let bytes = roce.whole.and_then(|whole| whole.get(..whole.len().checked_sub(after.len())?));
    bytes.and_then(|bytes| read(&headers, bytes)).unwrap_or_default()
}

/// From the last header to the first, for `bytes` end where they end.
fn read(headers: &opcode::Headers, mut bytes: &[u8]) -> Option<Rare> {
    let mut rare = Rare::default();
    if headers.ieth {
        rare.invalidated = Some(u32::from_be_bytes(*take(&mut bytes)?));
    }
    if headers.imm_dt {
        take::<4>(&mut bytes)?;
    }
    if headers.atomic_ack_eth {
        rare.original = Some(u64::from_be_bytes(*take(&mut bytes)?));
    }
    if headers.aeth {
        take::<4>(&mut bytes)?;
    }
    if headers.atomic_eth {
        rare.atomic = atomic(take::<ATOMIC_ETH>(&mut bytes)?);
    }
    if headers.reth {
        take::<16>(&mut bytes)?;
    }
    if headers.feth {
        take::<4>(&mut bytes)?;
    }
    if headers.deth {
        take::<8>(&mut bytes)?;
    }
    if headers.rdeth {
        rare.ee_context = Some(low_24(*take(&mut bytes)?));
    }
    if headers.xrceth {
        rare.srq = Some(low_24(*take(&mut bytes)?));
    }
    Some(rare)
}

fn take<'b, const N: usize>(bytes: &mut &'b [u8]) -> Option<&'b [u8; N]> {
    let (before, header) = bytes.split_last_chunk()?;
    *bytes = before;
    Some(header)
}

fn low_24([_, a, b, c]: [u8; 4]) -> u32 {
    u32::from_be_bytes([0, a, b, c])
}

fn atomic(header: &[u8; ATOMIC_ETH]) -> Option<Atomic> {
    let (va, rest) = header.split_first_chunk()?;
    let (r_key, rest) = rest.split_first_chunk()?;
    let (swap_or_add, rest) = rest.split_first_chunk()?;
    Some(Atomic {
        va: u64::from_be_bytes(*va),
        r_key: u32::from_be_bytes(*r_key),
        swap_or_add: u64::from_be_bytes(*swap_or_add),
        compare: u64::from_be_bytes(*rest.first_chunk()?),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::decode::decode;

    /// A `RoCEv2` packet with these bytes after the BTH, an ICRC of zeros at its end.
    fn packet(opcode: u8, after_bth: &[u8]) -> Vec<u8> {
        let udp = 8 + 12 + after_bth.len() + 4;
        let mut bytes = vec![0; 12];
        bytes.extend([8, 0, 0x45, 0, 0, (20 + udp) as u8, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2]);
        bytes.extend([0xc0, 0, 0x12, 0xb7, 0, udp as u8, 0, 0, opcode, 0, 0xff, 0xff, 0, 0, 0, 0x21, 0, 0, 0, 7]);
        bytes.extend(after_bth);
        bytes.extend([0; 4]);
        bytes
    }

    fn of(bytes: &[u8], wire_len: usize) -> Rare {
        let packet = decode(1, bytes, wire_len as u32);
        packet.roce.map(|roce| rare(&roce, packet.payload)).unwrap_or_default()
    }

    fn whole(opcode: u8, after_bth: &[u8]) -> Rare {
        let bytes = packet(opcode, after_bth);
        of(&bytes, bytes.len())
    }

    #[test]
    fn each_header_is_read_where_it_stands() {
        let mut atomic = [0; 28];
        (atomic[7], atomic[11], atomic[19], atomic[27]) = (1, 2, 3, 4);
        let want = Atomic { va: 1, r_key: 2, swap_or_add: 3, compare: 4 };
        assert_eq!(whole(0x13, &atomic), Rare { atomic: Some(want), ..Rare::default() });
        let xrc: Vec<u8> = [0xee, 0, 1, 2].into_iter().chain(atomic).collect();
        assert_eq!(whole(0xb4, &xrc), Rare { srq: Some(0x102), atomic: Some(want), ..Rare::default() });
        let ack = [0x1f, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0];
        assert_eq!(whole(0x12, &ack), Rare { original: Some(256), ..Rare::default() });
        assert_eq!(whole(0x17, &[0, 0, 3, 9, 0xaa]).invalidated, Some(0x309), "with payload after it");
        let rd = [0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2];
        assert_eq!(whole(0x44, &rd), Rare { ee_context: Some(5), ..Rare::default() });
        assert_eq!(whole(0x04, &[1, 2, 3, 4]), Rare::default());
    }

    #[test]
    fn a_cut_packet_has_none() {
        let bytes = packet(0x13, &[7; 28]);
        for len in 0..bytes.len() {
            assert_eq!(of(&bytes[..len], bytes.len()), Rare::default());
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_left(opcode: u8, after in prop::collection::vec(any::<u8>(), 0..64)) {
            let found = whole(opcode, &after);
            prop_assert!(found.srq.is_none_or(|srq| srq < 1 << 24) && found.ee_context.is_none_or(|ee| ee < 1 << 24));
        }
    }
}
