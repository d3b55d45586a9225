//! The head of an HTTP/1.1 message (RFC 9112): where it ends, its start line, its fields.

use std::fmt::Write;

/// Bytes of a name or target that a row keeps.
pub const MOST_TEXT: usize = 512;

/// Methods of RFC 9110, RFC 5789, `WebDAV` (RFC 4918, 3253, 5323) and `UPnP`, which begin a request without doubt.
const METHODS: &[&[u8]] = &[
    b"GET",
    b"POST",
    b"HEAD",
    b"PUT",
    b"DELETE",
    b"CONNECT",
    b"OPTIONS",
    b"TRACE",
    b"PATCH",
    b"PROPFIND",
    b"PROPPATCH",
    b"MKCOL",
    b"COPY",
    b"MOVE",
    b"LOCK",
    b"UNLOCK",
    b"REPORT",
    b"SEARCH",
    b"NOTIFY",
    b"SUBSCRIBE",
    b"UNSUBSCRIBE",
    b"QUERY",
];

/// A head: its start line and its fields.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    start: &'a [u8],
    /// The start line is whole.
    whole: bool,
    fields: &'a [u8],
}

/// Where the blank line after the head ends, looking from `from` on.
pub fn end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr::memchr(b'\n', bytes.get(at..)?)? + 1;
        match bytes.get(at..)? {
            [b'\n', ..] => return Some(at + 1),
            [b'\r', b'\n', ..] => return Some(at + 2),
            _ => {}
        }
    }
}

/// These bytes begin an HTTP/1 request, as far as they go.
pub fn is_request(bytes: &[u8]) -> bool {
    let line = bytes.get(..memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())).unwrap_or(bytes);
    let Some(space) = memchr::memchr(b' ', line.get(..32).unwrap_or(line)) else { return false };
    let (method, rest) = line.split_at(space);
    let version = memchr::memmem::find(rest, b" HTTP/").is_some();
    let plausible = matches!(rest, [b' ', b'/' | b'*' | b'h' | b'H', ..]) || version;
    let token =
        !method.is_empty() && method.iter().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'-' | b'_'));
    plausible && (METHODS.contains(&method) || token && version)
}

/// These bytes begin an HTTP/1 response.
pub fn is_response(bytes: &[u8]) -> bool {
    bytes.starts_with(b"HTTP/1.")
}

impl<'a> Head<'a> {
    /// Of these bytes, which may end early: then of their whole lines, and what is whole of the first.
    pub fn of(bytes: &'a [u8]) -> Self {
        let end = memchr::memchr(b'\n', bytes);
        let (start, fields) = bytes.split_at(end.unwrap_or(bytes.len()));
        let fields = fields.get(1..).unwrap_or_default();
        let lines = memchr::memrchr(b'\n', fields).map_or(0, |last| last + 1);
        let start = if end.is_some() { start.trim_ascii_end() } else { start };
        Self { start, whole: end.is_some(), fields: fields.get(..lines).unwrap_or_default() }
    }

    /// Method and target of a request.
    pub fn request(&self) -> (&'a [u8], Option<&'a [u8]>) {
        let mut words = self.start.splitn(2, |byte| *byte == b' ');
        let method = words.next().unwrap_or_default();
        let Some(rest) = words.next() else { return (method, None) };
        let target = match memchr::memmem::rfind(rest, b" HTTP/") {
            Some(at) => rest.get(..at).unwrap_or(rest),
            None if self.whole => rest,
            // Only a space shows that all of the target is there.
            None => memchr::memchr(b' ', rest).and_then(|space| rest.get(..space)).unwrap_or_default(),
        };
        (method, Some(target).filter(|target| !target.is_empty()))
    }

    /// Status of a response.
    pub fn status(&self) -> Option<u16> {
        let digits = self.start.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).nth(1)?;
        std::str::from_utf8(digits.get(..3)?).ok()?.parse().ok()
    }

    /// The first field of this name (in lower case), without white space around it.
    pub fn field(&self, name: &str) -> Option<&'a [u8]> {
        self.fields.split(|byte| *byte == b'\n').find_map(|line| {
            let colon = memchr::memchr(b':', line)?;
            let (key, value) = line.split_at(colon);
            key.trim_ascii()
                .eq_ignore_ascii_case(name.as_bytes())
                .then(|| value.get(1..).unwrap_or_default().trim_ascii())
        })
    }

    /// The field holds this word among others, in whatever case.
    pub fn says(&self, name: &str, word: &str) -> bool {
        self.field(name).is_some_and(|value| {
            value
                .split(|byte| matches!(byte, b',' | b';'))
                .any(|part| part.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
        })
    }

    /// The length of the body, as its field tells.
    pub fn content_length(&self) -> Option<u64> {
        std::str::from_utf8(self.field("content-length")?).ok()?.parse().ok()
    }
}

/// Text for a row: its beginning, with what is no printable ASCII escaped.
pub fn printable(bytes: &[u8]) -> Box<str> {
    let bytes = bytes.get(..MOST_TEXT).unwrap_or(bytes);
    if bytes.iter().all(|byte| matches!(byte, 0x20..=0x7e)) {
        return String::from_utf8_lossy(bytes).into();
    }
    let mut text = String::with_capacity(bytes.len() + 16);
    for byte in bytes {
        match byte {
            0x20..=0x7e => text.push(*byte as char),
            other => {
                let _ = write!(text, "\\x{other:02x}"); // writing to a String cannot fail
            }
        }
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_told_from_a_body_that_begins_like_one() {
        for bytes in ["GET / HTTP/1.1\r\n", "POST /v1", "BREW pot HTTP/1.1\r\n", "OPTIONS HTTP/1.1\r\n"] {
            assert!(is_request(bytes.as_bytes()), "{bytes}");
        }
        for bytes in ["GET key\r\n", "HELO me\r\n", "data: GET / HTTP/1.1\r\n", "", "GET"] {
            assert!(!is_request(bytes.as_bytes()), "{bytes}");
        }
    }

    #[test]
    fn the_end_of_a_head_is_its_blank_line() {
        assert_eq!(end(b"GET / HTTP/1.1\r\nHost: x\r\n\r\nbody", 0), Some(27));
        assert_eq!(end(b"GET / HTTP/1.1\nHost: x\n\nbody", 0), Some(24));
        assert_eq!(end(b"GET / HTTP/1.1\r\nHost: x\r\n", 0), None);
    }

    #[test]
    fn fields_are_found_in_any_case_and_text_is_safe_to_show() {
        let head = Head::of(b"HTTP/1.1 200 OK\r\nTRANSFER-encoding:  gzip, Chunked \r\nContent-Length: 5\r\n\r\n");
        assert_eq!(head.status(), Some(200));
        assert!(head.says("transfer-encoding", "chunked"));
        assert_eq!(head.content_length(), Some(5));
        assert_eq!(&*printable(b"/a\x1b[31m\xff"), "/a\\x1b[31m\\xff");
        assert_eq!(printable(&[b'x'; 2000]).len(), MOST_TEXT);
    }
}
