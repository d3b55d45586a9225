//! `ClientHello` and `ServerHello`: server name, ALPN, version (RFC 8446 section 4.1, RFC 6066, RFC 7301).

/// What a hello says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Hello<'a> {
    pub server_name: Option<&'a [u8]>,
    /// Offered by the client, or chosen by the server.
    pub alpn: Vec<&'a [u8]>,
    pub version: u16,
}

pub const CLIENT: u8 = 1;
pub const SERVER: u8 = 2;

const SERVER_NAME: u16 = 0;
const ALPN: u16 = 16;
const SUPPORTED_VERSIONS: u16 = 43;

/// Names of ALPN that are kept of one hello.
const MOST_ALPN: usize = 8;

/// Reads the hello of this kind at the front of handshake messages. `None` when it is not whole, or is another message.
pub fn read(messages: &[u8], kind: u8) -> Option<Hello<'_>> {
    let [first, a, b, c, rest @ ..] = messages else { return None };
    if *first != kind {
        return None;
    }
    let mut body = rest.get(..u32::from_be_bytes([0, *a, *b, *c]) as usize)?;
    let mut hello = Hello { version: number(take(&mut body, 2)?), ..Hello::default() };
    take(&mut body, 32)?; // random
    vector(&mut body, 1)?; // session
    if kind == CLIENT {
        vector(&mut body, 2)?; // cipher suites
        vector(&mut body, 1)?; // compression
    } else {
        take(&mut body, 3)?;
    }
    let mut extensions = vector(&mut body, 2).unwrap_or_default();
    while let (Some(id), Some(mut content)) = (take(&mut extensions, 2), vector(&mut extensions, 2)) {
        match number(id) {
            SERVER_NAME if kind == CLIENT => hello.server_name = server_name(content),
            ALPN => hello.alpn = names(content).unwrap_or_default(),
            SUPPORTED_VERSIONS if kind == SERVER => hello.version = take(&mut content, 2).map_or(hello.version, number),
            _ => {}
        }
    }
    Some(hello)
}

fn server_name(mut content: &[u8]) -> Option<&[u8]> {
    let mut list = vector(&mut content, 2)?;
    (take(&mut list, 1)? == [0]).then(|| vector(&mut list, 2))?
}

fn names(mut content: &[u8]) -> Option<Vec<&[u8]>> {
    let mut list = vector(&mut content, 2)?;
    let mut names = Vec::new();
    while let Some(name) = vector(&mut list, 1)
        && names.len() < MOST_ALPN
    {
        names.push(name);
    }
    Some(names)
}

fn number(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |sum, byte| sum << 8 | u16::from(*byte))
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(len)?;
    *rest = after;
    Some(taken)
}

/// A vector with a length of so many bytes before it.
fn vector<'a>(rest: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let len = number(take(rest, len)?);
    take(rest, len.into())
}
