//! MAC control frames: 802.3x PAUSE (IEEE 802.3 annex 31B) and priority flow control (802.1Qbb, annex 31D).

use crate::packet::{Kind, Layer, Packet, Pause, Rest, Stopped};

pub(super) fn decode<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    packet.payload_len = None;
    let opcode = u16::from_be_bytes(*rest.take(Layer::MacControl)?);
    let mut quanta = [0; 8];
    let enabled = match opcode {
        Pause::PAUSE => {
            quanta[0] = u16::from_be_bytes(*rest.take(Layer::MacControl)?);
            packet.kind = Kind::Pause;
            0
        }
        Pause::PFC => {
            let fields = rest.take::<18>(Layer::MacControl)?;
            for (time, bytes) in quanta.iter_mut().zip(fields[2..].as_chunks().0) {
                *time = u16::from_be_bytes(*bytes);
            }
            packet.kind = Kind::Pfc;
            fields[1] // the high byte of the class-enable vector is reserved
        }
        other => return Err(Stopped::NotDecoded { layer: Layer::MacControl, value: other.into() }),
    };
    packet.pause = Some(Pause { opcode, enabled, quanta });
    packet.payload_len = Some(0); // the rest is padding
    Ok(())
}
