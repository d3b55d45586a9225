//! What an HTTP/1.1 connection turns into: CONNECT and Upgrade (RFC 9110 sections 7.8 and 9.3.6).

use super::head::Head;
use super::ledger::Id;

/// What a connection turns into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// A tunnel, whose content is looked at anew.
    Tunnel,
    /// Frames of a WebSocket, of this request.
    WebSocket(Id),
    /// HTTP/2, with this request as its stream 1.
    Http2(Option<Id>),
    /// Something else.
    Opaque,
}

impl Switch {
    /// What the connection turns into after this head of a response, if it does.
    pub fn after(id: Id, status: Option<u16>, method: &str, head: &Head<'_>) -> Option<Self> {
        match status? {
            101 if head.says("upgrade", "websocket") => Some(Self::WebSocket(id)),
            101 if head.says("upgrade", "h2c") => Some(Self::Http2(Some(id))),
            101 => Some(Self::Opaque),
            200..=299 if method == "CONNECT" => Some(Self::Tunnel),
            _ => None,
        }
    }
}
