//! Names that a device announces, as text: what is no text is written as bytes, and nothing is longer than allowed.

use std::fmt::Write;

/// IEEE 802.1AB allows 255 bytes for every text; other protocols are held to the same.
pub(super) const LONGEST: usize = 255;
/// Bytes written in hexadecimal, at most.
const LONGEST_HEX: usize = 32;

/// A text of the wire. Null bytes at its end are padding. Bytes that are no UTF-8, or hold control characters other than
/// line breaks, are written `0x…`. An empty text is `None`: the device has no name.
pub(super) fn named(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().rposition(|byte| *byte != 0)? + 1; // at most the length
    let bytes = bytes.get(..end)?;
    match str::from_utf8(bytes) {
        Ok(text) if text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')) => {
            Some(shortened(text.to_owned(), LONGEST))
        }
        _ => Some(hexadecimal(bytes)),
    }
}

/// Bytes as `0x00ff…`.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::from("0x");
    for byte in bytes.iter().take(LONGEST_HEX) {
        let _ = write!(text, "{byte:02x}"); // writing to a String cannot fail
    }
    if bytes.len() > LONGEST_HEX {
        text.push('…');
    }
    text
}

/// Cut at a character, with a mark that it was cut.
pub(super) fn shortened(mut text: String, longest: usize) -> String {
    const MARK: &str = "…";
    if text.len() > longest {
        let mut end = longest.saturating_sub(MARK.len());
        while !text.is_char_boundary(end) {
            end = end.saturating_sub(1);
        }
        text.truncate(end);
        text.push_str(MARK);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_and_bytes_are_shown_as_bytes() {
        assert_eq!(named(b"leaf1\0\0").as_deref(), Some("leaf1"));
        assert_eq!(named("Gerät 1".as_bytes()).as_deref(), Some("Gerät 1"));
        assert_eq!(named(b"a\x1b[2J").as_deref(), Some("0x611b5b324a"));
        assert_eq!(named(&[0xff, 0xfe]).as_deref(), Some("0xfffe"));
        assert_eq!((named(b""), named(&[0, 0])), (None, None));
    }

    #[test]
    fn a_long_text_is_cut_between_characters_and_says_so() {
        for bytes in [vec![b'x'; 400], "é".repeat(300).into_bytes(), vec![0xff; 500]] {
            let text = named(&bytes).unwrap();
            assert!(text.len() <= LONGEST && text.ends_with('…'), "{}", text.len());
        }
        assert_eq!(shortened("x".repeat(255), LONGEST).len(), 255);
    }
}
