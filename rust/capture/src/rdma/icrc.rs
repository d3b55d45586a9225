//! The invariant CRC: proves that nothing which must not change on the way did (IBTA vol. 1, 7.8.1; `RoCEv2` annex
//! A17.3.3). Routers may change TTL, DSCP and ECN without breaking it.

use crc32fast::Hasher;

use super::{Encapsulation, Roce};

const ICRC: usize = 4;
/// Stands for the LRH that a packet on Ethernet does not have.
const NO_LRH: [u8; 8] = [0xff; 8];
/// Protocol number of UDP.
const UDP: u8 = 17;

/// Whether the ICRC of a packet fits its bytes. `None` when that cannot be told: the packet was cut, or has IP options
/// or extension headers.
#[must_use]
pub fn icrc_ok(roce: &Roce<'_>) -> Option<bool> {
    icrc_of(roce).map(|(right, stored)| right == stored)
}

/// The ICRC that a packet should have, and the one that it has.
pub(crate) fn icrc_of(roce: &Roce<'_>) -> Option<(u32, u32)> {
    let (covered, stored) = roce.whole?.split_last_chunk::<ICRC>()?;
    let mut crc = Hasher::new();
    let header = match (roce.encapsulation, covered.first()? >> 4) {
        (Encapsulation::RoceV2, 4) => {
            let mut header = *covered.first_chunk::<40>()?; // IPv4 20, UDP 8, BTH 12
            if header[0] != 0x45 || header[9] != UDP {
                return None;
            }
            mask(&mut header, &[1, 8, 10, 11, 26, 27, 32]);
            crc.update(&NO_LRH);
            crc.update(&header);
            header.len()
        }
        (Encapsulation::RoceV2, _) => {
            let mut header = *covered.first_chunk::<60>()?; // IPv6 40, UDP 8, BTH 12
            if header[6] != UDP {
                return None;
            }
            mask_global(&mut header);
            mask(&mut header, &[46, 47, 52]);
            crc.update(&NO_LRH);
            crc.update(&header);
            header.len()
        }
        (Encapsulation::RoceV1, _) => {
            let mut header = *covered.first_chunk::<52>()?; // GRH 40, BTH 12
            mask_global(&mut header);
            mask(&mut header, &[44]);
            crc.update(&NO_LRH);
            crc.update(&header);
            header.len()
        }
        (Encapsulation::InfiniBand, _) if covered.get(1)? & 0b11 == 3 => {
            let mut header = *covered.first_chunk::<60>()?; // LRH 8, GRH 40, BTH 12
            header[..8].fill(0xff);
            mask_global(&mut header[8..]);
            mask(&mut header, &[52]);
            crc.update(&header);
            header.len()
        }
        (Encapsulation::InfiniBand, _) => {
            let mut header = *covered.first_chunk::<20>()?; // LRH 8, BTH 12
            header[0] |= 0xf0; // the virtual lane may change from link to link
            mask(&mut header, &[12]);
            crc.update(&header);
            header.len()
        }
    };
    crc.update(covered.get(header..)?);
    Some((crc.finalize(), u32::from_le_bytes(*stored)))
}

fn mask(header: &mut [u8], places: &[usize]) {
    for &place in places {
        header[place] = 0xff;
    }
}

/// Traffic class, flow label and hop limit of an IPv6 header or GRH.
fn mask_global(header: &mut [u8]) {
    header[0] |= 0x0f;
    mask(header, &[1, 2, 3, 7]);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::decode::decode;

    use super::*;

    /// A CNP as a `ConnectX`-4 Lx sent it, published with its ICRC; the others were computed with a program of their own,
    /// which agrees with real frames.
    const VECTORS: [(&str, &str); 5] = [
        (
            "CNP of a ConnectX-4 Lx",
            "e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a001201000012b7002800008100ffff4000011800000000\
             0000000000000000000000000000000082fd002a",
        ),
        (
            "WRITE_ONLY",
            "0200000000020200000000010800456a004c12344000401114010a0000010a000002c00112b7003800000a40ffff00001a2b80fffffe\
             00007f00123400000018123400000010000102030405060708090a0b0c0d0e0fc85e69cb",
        ),
        (
            "NAK",
            "020000000002020000000001080045680030000240003f1127510a0000020a000001c00112b7001c00001140ffff0000003c00000005\
             6000000728a8400d",
        ),
        (
            "ACK",
            "020000000002020000000001080045680030000140003f1127520a0000020a000001c00112b7001c00001140ffff0000003c00fffffe\
             1f000007a98491a4",
        ),
        (
            "CNP over IPv6",
            "02000000000202000000000186dd6c0123450028114020010db800000000000000000000000120010db8000000000000000000000002\
             c00212b7002800008100ffff400000770000000000000000000000000000000000000000259979c7",
        ),
    ];

    fn frame(hex: &str) -> Vec<u8> {
        let digits: Vec<u8> = hex.bytes().filter_map(|c| (c as char).to_digit(16)).map(|d| d as u8).collect();
        digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
    }

    fn check(frame: &[u8]) -> Option<bool> {
        icrc_ok(&decode(1, frame, frame.len() as u32).roce.unwrap())
    }

    #[test]
    fn the_icrc_of_known_frames_fits() {
        for (name, hex) in VECTORS {
            assert_eq!(check(&frame(hex)), Some(true), "{name}");
        }
    }

    #[test]
    fn padding_of_the_frame_is_not_taken_for_the_icrc() {
        let mut padded = frame(VECTORS[3].1);
        padded.extend([0; 6]);
        assert_eq!(check(&padded), Some(true));
    }

    #[test]
    fn every_byte_is_covered_except_those_that_routers_change() {
        for (name, hex) in VECTORS {
            let good = frame(hex);
            let (ip, ecn_of_bth) =
                if good[12..14] == [0x08, 0x00] { (20, 14 + 20 + 8 + 4) } else { (40, 14 + 40 + 8 + 4) };
            let udp_checksum = [14 + ip + 6, 14 + ip + 7];
            let routed: &[usize] = if ip == 20 { &[15, 22, 24, 25] } else { &[14, 15, 16, 17, 21] };
            for at in 14..good.len() {
                let mut changed = good.clone();
                changed[at] ^= 0x01;
                let Some(roce) = decode(1, &changed, changed.len() as u32).roce else { continue };
                let Some(fits) = icrc_ok(&roce) else { continue };
                let free = routed.contains(&at) || udp_checksum.contains(&at) || at == ecn_of_bth;
                assert_eq!(fits, free, "{name}, byte {at}");
            }
        }
    }

    #[test]
    fn a_cut_packet_cannot_be_checked() {
        for (name, hex) in VECTORS {
            let whole = frame(hex);
            for len in 0..whole.len() {
                let packet = decode(1, &whole[..len], whole.len() as u32);
                assert_eq!(packet.roce.as_ref().and_then(icrc_ok), None, "{name}, {len} bytes");
            }
        }
    }
}
