//! Messages: how many of each operation, and how long they are.

use super::Request;
use crate::track::samples::Distribution;

/// Messages of one stream, repeats left out.
#[derive(Debug, Default)]
pub struct Messages {
    /// SENDs.
    pub sends: u64,
    /// WRITEs.
    pub writes: u64,
    /// Atomics.
    pub atomics: u64,
    /// Bytes of SENDs, WRITEs and READs.
    pub sizes: Distribution,
    /// Bytes so far of a SEND that is under way; none when its beginning was not seen.
    send: Option<u64>,
}

impl Messages {
    /// A request that was not sent before; `next` when it follows the one before without a gap. The operation is in the low
    /// five bits of the opcode (IBTA vol. 1, table 38).
    pub fn on_new(&mut self, request: &Request, next: bool) {
        let len = u64::from(request.payload_len.unwrap_or(0));
        match request.opcode & 0x1f {
            0x07 => return, // nearly all packets of large WRITEs: the RETH of the first tells their length
            0x00 => {
                self.sends += 1;
                self.send = request.payload_len.map(u64::from);
                return;
            }
            0x01 => {
                self.send = self.send.filter(|_| next).map(|so_far| so_far + len);
                return;
            }
            0x02 | 0x03 | 0x16 => {
                if let Some(so_far) = self.send.take().filter(|_| next) {
                    self.sizes.sample(i64::try_from(so_far + len).unwrap_or(i64::MAX));
                }
                return;
            }
            0x04 | 0x05 | 0x17 => {
                self.sends += 1;
                if request.payload_len.is_some() {
                    self.sizes.sample(i64::try_from(len).unwrap_or(i64::MAX));
                }
            }
            0x06 | 0x0a | 0x0b => {
                self.writes += 1;
                self.sample_dma(request);
            }
            0x0c => self.sample_dma(request),
            0x13 | 0x14 => self.atomics += 1,
            _ => {}
        }
        self.send = None;
    }

    fn sample_dma(&mut self, request: &Request) {
        if let Some(len) = request.dma_len {
            self.sizes.sample(len.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opcode, payload and RETH length of packets that follow each other without a gap.
    fn of(packets: &[(u8, u32, Option<u32>)]) -> Messages {
        let mut messages = Messages::default();
        for (opcode, payload_len, dma_len) in packets {
            messages.on_new(&request(*opcode, *payload_len, *dma_len), true);
        }
        messages
    }

    fn request(opcode: u8, payload_len: u32, dma_len: Option<u32>) -> Request {
        Request {
            frame: 1,
            ts: 0,
            opcode,
            psn: 0,
            ack_req: false,
            dma_len,
            payload_len: Some(payload_len),
            ip_id: None,
            ttl: None,
            corrupt: false,
        }
    }

    #[test]
    fn each_operation_is_counted_once_a_message_with_its_whole_length() {
        let messages = of(&[
            (0x00, 1024, None),
            (0x01, 1024, None),
            (0x03, 100, None),
            (0x04, 5, None),
            (0x06, 1024, Some(3000)),
            (0x07, 1024, None),
            (0x08, 952, None),
            (0x0a, 1, Some(1)),
            (0x0c, 0, Some(65_536)),
            (0x13, 0, None),
        ]);
        assert_eq!((messages.sends, messages.writes, messages.atomics), (2, 2, 1));
        assert_eq!(messages.sizes.samples(), 5);
        assert_eq!((messages.sizes.least(), messages.sizes.most()), (Some(1), Some(65_536)));
        assert_eq!(messages.sizes.percentile(50), Some(2148));
    }

    #[test]
    fn a_send_that_was_not_seen_whole_has_no_length() {
        let mut messages = of(&[(0x01, 1024, None), (0x02, 7, None), (0x00, 1024, None)]);
        messages.on_new(&request(0x02, 7, None), false);
        assert_eq!((messages.sends, messages.sizes.samples()), (1, 0));
    }
}
