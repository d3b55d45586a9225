//! `pauses`: one row for each pause frame.

use super::captured::{Captured, FRAME, SOURCE};
use super::{Column, Get, Table};
use crate::packet::Kind;

/// The table; rows are the [`Captured`] packets that are pause frames.
pub const PAUSES: Table<Captured<'static>> = Table {
    name: "pauses",
    doc: "One row for each 802.3x PAUSE or 802.1Qbb PFC frame. Only taps and some mirrors see them: a NIC eats its own.",
    columns: &[
        SOURCE,
        FRAME,
        Column { name: "ts", unit: "UTC", doc: "When it was captured.", get: Get::Time(|r| r.ts) },
        Column {
            name: "sender",
            unit: "",
            doc: "MAC of the port that asks its neighbour to stop.",
            get: Get::Mac(|r| r.packet.src_mac),
        },
        Column {
            name: "kind",
            unit: "",
            doc: "`pfc` (802.1Qbb, per priority) or `pause` (802.3x, the whole link).",
            get: Get::Word(|r| Some(r.packet.kind.name())),
        },
        Column {
            name: "enabled",
            unit: "",
            doc: "PFC class-enable vector: bit n addresses priority n; null for 802.3x.",
            get: Get::U8(|r| (r.packet.kind == Kind::Pfc).then_some(r.packet.pause?.enabled)),
        },
        Column {
            name: "quanta",
            unit: "512 bit times",
            doc: "802.3x pause time; 0 resumes; null for PFC.",
            get: Get::U16(|r| (r.packet.kind == Kind::Pause).then_some(r.packet.pause?.quanta[0])),
        },
        Column {
            name: "quanta_0",
            unit: "512 bit times",
            doc: "Pause time of priority 0; 0 releases (XON); null when its bit is clear.",
            get: Get::U16(|r| quanta(r, 0)),
        },
        Column {
            name: "quanta_1",
            unit: "512 bit times",
            doc: "The same for priority 1.",
            get: Get::U16(|r| quanta(r, 1)),
        },
        Column {
            name: "quanta_2",
            unit: "512 bit times",
            doc: "The same for priority 2.",
            get: Get::U16(|r| quanta(r, 2)),
        },
        Column {
            name: "quanta_3",
            unit: "512 bit times",
            doc: "The same for priority 3.",
            get: Get::U16(|r| quanta(r, 3)),
        },
        Column {
            name: "quanta_4",
            unit: "512 bit times",
            doc: "The same for priority 4.",
            get: Get::U16(|r| quanta(r, 4)),
        },
        Column {
            name: "quanta_5",
            unit: "512 bit times",
            doc: "The same for priority 5.",
            get: Get::U16(|r| quanta(r, 5)),
        },
        Column {
            name: "quanta_6",
            unit: "512 bit times",
            doc: "The same for priority 6.",
            get: Get::U16(|r| quanta(r, 6)),
        },
        Column {
            name: "quanta_7",
            unit: "512 bit times",
            doc: "The same for priority 7.",
            get: Get::U16(|r| quanta(r, 7)),
        },
    ],
};

/// Pause time of one priority in a PFC frame, if the frame addresses it.
fn quanta(row: &Captured<'_>, priority: usize) -> Option<u16> {
    let pause = row.packet.pause.filter(|_| row.packet.kind == Kind::Pfc)?;
    (pause.enabled >> priority & 1 == 1).then(|| pause.quanta[priority])
}
