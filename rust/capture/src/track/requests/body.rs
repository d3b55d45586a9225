//! How the body of an HTTP/1.1 message is delimited (RFC 9112 section 6.3), and who looks at it.

use super::chunked::{Chunked, Step};
use super::head::Head;
use super::ledger::{Id, Ledger};
use super::mark::Mark;
use super::reasons::Reasons;
use super::token_stream::{Cut, TokenStream};

/// Who looks at a body.
#[derive(Debug, Default)]
pub enum Body {
    /// Nobody: it is passed over without being copied.
    #[default]
    Skip,
    /// It is a stream of events.
    Tokens(Box<TokenStream>),
}

/// Where one direction of a connection is.
#[derive(Debug, Default)]
pub enum Reading {
    /// Before or in a head.
    #[default]
    Head,
    /// In a body of known length, with so much to come.
    Fixed(u64, Body),
    /// In a chunked body.
    Chunked(Chunked, Body),
    /// In a body that ends with the connection.
    UntilClose(Body),
    /// Somewhere: a head must be found again.
    Lost,
}

impl PartialEq for Reading {
    /// The same place; bodies are not compared.
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl Reading {
    /// A chunked body that nobody looks at.
    pub fn chunked() -> Self {
        Self::Chunked(Chunked::default(), Body::Skip)
    }

    /// A body of this length, or none.
    pub fn fixed(len: u64) -> Self {
        if len == 0 { Self::Head } else { Self::Fixed(len, Body::Skip) }
    }

    /// The body of a response that has one.
    pub fn of_response(id: Id, head: &Head<'_>, ledger: &mut Ledger) -> Self {
        let chunked = head.says("transfer-encoding", "chunked");
        let body = body_of(id, head, chunked, ledger);
        if chunked {
            Self::Chunked(Chunked::default(), body)
        } else {
            match head.content_length() {
                Some(0) => Self::Head,
                Some(len) => Self::Fixed(len, body),
                None => Self::UntilClose(body),
            }
        }
    }

    fn body(&mut self) -> Option<&mut TokenStream> {
        match self {
            Self::Fixed(_, Body::Tokens(stream))
            | Self::Chunked(_, Body::Tokens(stream))
            | Self::UntilClose(Body::Tokens(stream)) => Some(stream),
            _ => None,
        }
    }

    /// One step through a body that nobody looks at. True when it is over; an error when it is not coded as it says.
    pub fn step(&mut self, input: &mut &[u8], body: &mut Body, at: Mark, ledger: &mut Ledger) -> Result<bool, ()> {
        match self {
            Self::Head | Self::Lost => Err(()),
            Self::Fixed(left, _) => {
                let len = usize::try_from(*left).map_or(input.len(), |left| left.min(input.len()));
                let (data, rest) = input.split_at(len);
                *input = rest;
                *left -= len as u64;
                body.bytes(data, at, ledger);
                Ok(*left == 0)
            }
            Self::UntilClose(_) => {
                body.bytes(input, at, ledger);
                *input = &[];
                Ok(false)
            }
            Self::Chunked(chunked, _) => match chunked.step(input) {
                Step::Data(data, ends) => {
                    body.bytes(data, at, ledger);
                    if ends && let Body::Tokens(stream) = body {
                        stream.write_ends(true, at, ledger);
                    }
                    Ok(false)
                }
                Step::End => Ok(true),
                Step::More => Ok(false),
                Step::Bad => Err(()),
            },
        }
    }

    /// [`Self::step`] with the body's own reader.
    pub fn step_taking_body(&mut self, input: &mut &[u8], at: Mark, ledger: &mut Ledger) -> Result<bool, ()> {
        let mut body = match self {
            Self::Fixed(_, body) | Self::Chunked(_, body) | Self::UntilClose(body) => std::mem::take(body),
            Self::Head | Self::Lost => Body::Skip,
        };
        let result = self.step(input, &mut body, at, ledger);
        if let Self::Fixed(_, own) | Self::Chunked(_, own) | Self::UntilClose(own) = self {
            *own = body;
        }
        result
    }

    /// Bytes that were not captured. True when the body is over with them; an error when its end may be in them.
    pub fn skip(&mut self, bytes: u64, reason: Reasons, ledger: &mut Ledger) -> Result<bool, ()> {
        if let Some(stream) = self.body() {
            stream.missing(reason, ledger);
        }
        match self {
            Self::Head | Self::Lost => Err(()),
            Self::UntilClose(_) => Ok(false),
            Self::Fixed(left, _) => {
                *left = left.checked_sub(bytes).ok_or(())?;
                Ok(*left == 0)
            }
            Self::Chunked(chunked, _) => chunked.skip(bytes).map(|_| false).ok_or(()),
        }
    }

    /// The way is lost.
    pub fn lose(&mut self, reason: Reasons, ledger: &mut Ledger) {
        if let Some(stream) = self.body() {
            stream.missing(reason, ledger);
            stream.settle(ledger);
        }
        *self = Self::Lost;
    }

    /// The body is whole.
    pub fn finish(&mut self, at: Mark, ledger: &mut Ledger) {
        if let Some(stream) = self.body() {
            stream.finish(at, ledger);
        }
    }

    /// The body ends early.
    pub fn settle(&mut self, ledger: &mut Ledger) {
        if let Some(stream) = self.body() {
            stream.settle(ledger);
        }
    }

    /// The end of the connection is the end of the body.
    pub fn ends_with_connection(&self) -> bool {
        matches!(self, Self::UntilClose(_))
    }
}

impl Body {
    fn bytes(&mut self, data: &[u8], at: Mark, ledger: &mut Ledger) {
        if let Self::Tokens(stream) = self {
            stream.bytes(data, at, ledger);
        }
    }
}

/// Who looks at the body of this response.
fn body_of(id: Id, head: &Head<'_>, chunked: bool, ledger: &mut Ledger) -> Body {
    let packed = head.field("content-encoding").is_some_and(|coding| !coding.eq_ignore_ascii_case(b"identity"));
    let streamed = streamed(head.field("content-type").unwrap_or_default()).or(chunked.then_some("chunked"));
    let Some(request) = ledger.get(id) else { return Body::Skip };
    request.streamed = streamed;
    match streamed {
        Some("sse" | "ndjson") if packed => {
            request.reasons.add(Reasons::PACKED);
            Body::Skip
        }
        Some("sse") => Body::Tokens(Box::new(TokenStream::new(id, Cut::Sse, ledger))),
        Some("ndjson") => Body::Tokens(Box::new(TokenStream::new(id, Cut::Lines, ledger))),
        Some("chunked") => Body::Tokens(Box::new(TokenStream::new(id, Cut::Writes("every chunk"), ledger))),
        _ => Body::Skip,
    }
}

/// How a response of this content type is streamed, when the type tells.
pub fn streamed(content_type: &[u8]) -> Option<&'static str> {
    let kind = content_type.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii().to_ascii_lowercase();
    match kind.as_slice() {
        b"text/event-stream" => Some("sse"),
        b"application/x-ndjson"
        | b"application/ndjson"
        | b"application/jsonl"
        | b"application/json-lines"
        | b"application/x-jsonlines"
        | b"application/stream+json" => Some("ndjson"),
        _ => None,
    }
}
