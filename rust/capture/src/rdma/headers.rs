//! Reading the BTH and the headers that its opcode announces.

use std::array;
use std::sync::LazyLock;

use super::opcode::{self, Headers};
use super::{Aeth, Bth, Deth, Encapsulation, Reth, Roce};
use crate::packet::{Kind, Layer, Packet, Rest, Stopped};

/// Bytes of the BTH (IBTA 9.2).
const BTH: u32 = 12;
/// Bytes of the invariant CRC at the end.
const ICRC: u32 = 4;

/// What the opcode table says of each of the 256 opcodes, looked up once.
static SHAPES: LazyLock<[Shape; 256]> = LazyLock::new(|| array::from_fn(|opcode| Shape::of(opcode as u8)));

#[derive(Clone, Copy)]
struct Shape {
    headers: Headers,
    /// Bytes of all headers after the BTH; `None` for an opcode whose headers nobody knows.
    len: Option<u32>,
    /// There are no others than RETH, AETH and immediate data, in this order.
    plain: bool,
}

impl Shape {
    fn of(code: u8) -> Self {
        let headers = opcode::headers(code);
        let parts = [
            (headers.xrceth, 4),
            (headers.rdeth, 4),
            (headers.deth, 8),
            (headers.feth, 4),
            (headers.reth, 16),
            (headers.atomic_eth, 28),
            (headers.aeth, 4),
            (headers.atomic_ack_eth, 8),
            (headers.imm_dt, 4),
            (headers.ieth, 4),
            (headers.cnp_reserved, 16),
        ];
        let len = parts.iter().filter(|(present, _)| *present).map(|(_, len)| len).sum();
        let plain = [(headers.reth, 16), (headers.aeth, 4), (headers.imm_dt, 4)];
        let plain = plain.iter().filter(|(present, _)| *present).map(|(_, len)| len).sum::<u32>() == len;
        Self { headers, len: opcode::name(code).map(|_| len), plain }
    }
}

/// A packet that begins with a BTH. `start` is where the bytes that the ICRC covers begin: the IP header, the GRH of
/// `RoCEv1`, the LRH.
#[inline]
pub(crate) fn decode<'a>(
    encapsulation: Encapsulation,
    start: usize,
    rest: &mut Rest<'a>,
    packet: &mut Packet<'a>,
) -> Result<(), Stopped> {
    let (wire, whole) = (rest.wire(), rest.since(start));
    let bth = read_bth(*rest.take(Layer::Bth)?)?;
    let shape = &SHAPES[usize::from(bth.opcode)];
    let trailers = u32::from(bth.pad_count) + ICRC;
    let payload_len = wire.zip(shape.len).and_then(|(wire, headers)| wire.checked_sub(BTH + headers + trailers));
    packet.kind = Kind::Roce;
    packet.payload_len = payload_len;
    let roce = Roce { encapsulation, bth, reth: None, aeth: None, deth: None, immediate: None, payload_len, whole };
    read_headers(shape, rest, packet.roce.insert(roce))
}

#[inline]
fn read_bth(header: [u8; BTH as usize]) -> Result<Bth, Stopped> {
    let [opcode, flags, k0, k1, congestion, q0, q1, q2, ack, p0, p1, p2] = header;
    // IBTA 9.2.2: a receiver drops any other version. Here it mostly shows that port 4791 carries something else.
    let version = flags & 0x0f;
    if version != 0 {
        return Err(Stopped::BadField { layer: Layer::Bth, field: "transport version", value: version.into() });
    }
    Ok(Bth {
        opcode,
        solicited: flags & 0x80 != 0,
        mig_req: flags & 0x40 != 0,
        pad_count: flags >> 4 & 0b11,
        p_key: u16::from_be_bytes([k0, k1]),
        fecn: congestion & 0x80 != 0,
        becn: congestion & 0x40 != 0,
        dest_qp: u32::from_be_bytes([0, q0, q1, q2]),
        ack_req: ack & 0x80 != 0,
        psn: u32::from_be_bytes([0, p0, p1, p2]),
    })
}

/// A whole BTH and the extended headers of nearly all packets (RETH, AETH, immediate data), read at once from the captured
/// bytes of a message of `wire` bytes: what [`decode`] would find, and the bytes after the headers. `None` for anything
/// that is not so plain: [`decode`] must look at it.
#[allow(clippy::inline_always)] // measured: the headers are not carried through memory
#[inline(always)]
pub(crate) fn at_once<'a>(wire: u32, captured: &'a [u8], whole: Option<&'a [u8]>) -> Option<(Roce<'a>, &'a [u8])> {
    let bth = read_bth(*captured.first_chunk()?).ok()?;
    let shape = &SHAPES[usize::from(bth.opcode)];
    let headers = &shape.headers;
    if !shape.plain {
        return None;
    }
    let len = BTH + shape.len?;
    let (read, payload) = captured.split_at_checked(len as usize)?;
    let mut rest = &read[BTH as usize..];
    let mut reth = None;
    if headers.reth {
        let ([v0, v1, v2, v3, v4, v5, v6, v7, k0, k1, k2, k3, l0, l1, l2, l3], after) = rest.split_first_chunk()?;
        rest = after;
        reth = Some(Reth {
            va: u64::from_be_bytes([*v0, *v1, *v2, *v3, *v4, *v5, *v6, *v7]),
            r_key: u32::from_be_bytes([*k0, *k1, *k2, *k3]),
            dma_len: u32::from_be_bytes([*l0, *l1, *l2, *l3]),
        });
    }
    let mut aeth = None;
    if headers.aeth {
        let ([syndrome, m0, m1, m2], after) = rest.split_first_chunk()?;
        rest = after;
        aeth = Some(Aeth { syndrome: *syndrome, msn: u32::from_be_bytes([0, *m0, *m1, *m2]) });
    }
    let immediate = if headers.imm_dt { Some(u32::from_be_bytes(*rest.first_chunk()?)) } else { None };
    let payload_len = wire.checked_sub(len + u32::from(bth.pad_count) + ICRC);
    let encapsulation = Encapsulation::RoceV2;
    Some((Roce { encapsulation, bth, reth, aeth, deth: None, immediate, payload_len, whole }, payload))
}

/// In wire order (IBTA 9.2, figure 73 on). The reserved bytes of a CNP hold nothing, so one cut there is whole enough.
#[inline]
fn read_headers(shape: &Shape, rest: &mut Rest<'_>, roce: &mut Roce<'_>) -> Result<(), Stopped> {
    let headers = &shape.headers;
    if headers.xrceth {
        rest.skip(4, Layer::Xrceth)?;
    }
    if headers.rdeth {
        rest.skip(4, Layer::Rdeth)?;
    }
    if headers.deth {
        let [k0, k1, k2, k3, _, q0, q1, q2] = *rest.take(Layer::Deth)?;
        roce.deth =
            Some(Deth { q_key: u32::from_be_bytes([k0, k1, k2, k3]), src_qp: u32::from_be_bytes([0, q0, q1, q2]) });
    }
    if headers.feth {
        rest.skip(4, Layer::Feth)?;
    }
    if headers.reth {
        let [v0, v1, v2, v3, v4, v5, v6, v7, k0, k1, k2, k3, l0, l1, l2, l3] = *rest.take(Layer::Reth)?;
        roce.reth = Some(Reth {
            va: u64::from_be_bytes([v0, v1, v2, v3, v4, v5, v6, v7]),
            r_key: u32::from_be_bytes([k0, k1, k2, k3]),
            dma_len: u32::from_be_bytes([l0, l1, l2, l3]),
        });
    }
    if headers.atomic_eth {
        rest.skip(28, Layer::AtomicEth)?;
    }
    if headers.aeth {
        let [syndrome, m0, m1, m2] = *rest.take(Layer::Aeth)?;
        roce.aeth = Some(Aeth { syndrome, msn: u32::from_be_bytes([0, m0, m1, m2]) });
    }
    if headers.atomic_ack_eth {
        rest.skip(8, Layer::AtomicAckEth)?;
    }
    if headers.imm_dt {
        roce.immediate = Some(u32::from_be_bytes(*rest.take(Layer::ImmDt)?));
    }
    if headers.ieth {
        rest.skip(4, Layer::Ieth)?;
    }
    Ok(())
}
