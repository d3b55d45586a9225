//! Decryption secrets in a pcapng file (draft-ietf-opsawg-pcapng, 4.7). They are credentials: their content is never kept,
//! shown or written; only that they are there.

use crate::error::Problem;

/// The kinds that the format names, and what people call them.
const KINDS: [(u32, &str); 6] = [
    (0x544c_534b, "TLS key log"),
    (0x5353_484b, "SSH key log"),
    (0x5747_4b4c, "WireGuard key log"),
    (0x5a4e_574b, "ZigBee network key"),
    (0x5a41_504b, "ZigBee APS key"),
    (0x5541_4b4c, "OPC UA key log"),
];

/// How much of each kind; the last one counts what has no name.
#[derive(Debug, Default)]
pub(super) struct Secrets([Held; KINDS.len() + 1]);

#[derive(Debug, Default, Clone, Copy)]
struct Held {
    blocks: u64,
    bytes: u64,
    offset: u64,
    frame: u64,
}

impl Secrets {
    /// A block with `bytes` of secrets of this kind, at this place.
    #[cold]
    pub(super) fn add(&mut self, kind: u32, bytes: u32, offset: u64, frame: u64) {
        let place = KINDS.iter().position(|&(known, _)| known == kind).unwrap_or(KINDS.len());
        let Some(held) = self.0.get_mut(place) else { return };
        if held.blocks == 0 {
            (held.offset, held.frame) = (offset, frame);
        }
        held.blocks += 1;
        held.bytes = held.bytes.saturating_add(bytes.into());
    }

    /// A row for each kind, so that whoever hands the capture on knows.
    pub(super) fn notes(&self) -> impl Iterator<Item = Problem> {
        let names = KINDS.iter().map(|&(_, name)| name).chain(["of another kind"]);
        self.0.iter().zip(names).filter(|(held, _)| held.blocks > 0).map(|(held, name)| Problem {
            offset: held.offset,
            frame: held.frame,
            what: format!(
                "the file holds decryption secrets ({name}): {} bytes in {} {}",
                held.bytes,
                held.blocks,
                if held.blocks == 1 { "block" } else { "blocks" },
            ),
            next: "they were neither read nor kept; strip them before you hand the file on: \
                   `editcap --discard-all-secrets OLD NEW`"
                .to_owned(),
        })
    }
}
