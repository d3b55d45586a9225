//! An input of a fuzzer as a script: pieces between borders, each with a control byte, a step of time and a body.
//!
//! Borders, not lengths: a byte that is inserted or lost changes one piece and not all that follow it.

/// Between two pieces. A body that holds it by chance is two pieces, which does no harm.
const BORDER: [u8; 2] = [0xa5, 0x5a];

/// Pieces that are read: enough for every state of a tracker, and a run stays short.
pub(super) const MOST: usize = 600;

/// One step of a script.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'a> {
    /// What it is; its target says which bit means what.
    pub control: u8,
    /// Time since the piece before it in ns, may be negative.
    pub step: i64,
    /// The rest.
    pub body: &'a [u8],
}

impl Piece<'_> {
    /// A bit of the control byte.
    pub(super) fn is(&self, bit: u8) -> bool {
        self.control >> bit & 1 == 1
    }

    /// A byte of the body, 0 where it has ended.
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.body.get(at).copied().unwrap_or_default()
    }

    /// The same as a small number of either sign.
    pub(super) fn signed(&self, at: usize) -> i64 {
        i64::from(self.byte(at) as i8)
    }

    /// The body from there on.
    pub(super) fn rest(&self, at: usize) -> &[u8] {
        self.body.get(at..).unwrap_or_default()
    }
}

/// The pieces of a script.
pub(super) fn pieces(mut input: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    while !input.is_empty() && pieces.len() < MOST {
        let border = input.windows(BORDER.len()).position(|window| window == BORDER);
        let (piece, rest) = border.map_or((input, &[][..]), |at| (&input[..at], &input[at + BORDER.len()..]));
        input = rest;
        let control = piece.first().copied().unwrap_or_default();
        let step = step(piece.get(1).copied().unwrap_or_default());
        pieces.push(Piece { control, step, body: piece.get(2..).unwrap_or_default() });
    }
    pieces
}

/// A step of time from one byte: five bits of a number and three of its size, from microseconds to a quarter of an hour; and
/// one size for a clock that steps back, one for years.
fn step(code: u8) -> i64 {
    const MICROSECOND: i64 = 1000;
    const MONTH: i64 = 30 * 86_400 * 1_000_000_000;
    let number = i64::from(code & 31);
    match code >> 5 {
        6 => -number * 1000 * MICROSECOND,
        7 => number * MONTH,
        size => (number * MICROSECOND) << (5 * size),
    }
}
