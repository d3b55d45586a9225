//! HTTP/2 without TLS (RFC 9113), and gRPC on it: streams that share one connection, told apart.

mod frames;
mod hpack;
mod huffman;
mod static_table;
mod stream;

use std::collections::HashMap;

use self::frames::{
    CONTINUATION, DATA, END_HEADERS, END_STREAM, Frame, Frames, HEADERS, MOST_COLLECTED, PADDED, PUSH_PROMISE, Part,
    RST_STREAM, SETTINGS, WINDOW_UPDATE,
};
use self::hpack::Decoder;
use self::stream::{Fields, Stream};
use super::exchange::Context;
use super::ledger::Id;
use super::mark::Mark;
use super::reasons::Reasons;

/// What a client sends first.
pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Streams of one connection that are open at a time; further ones are counted. Servers allow some 100 to 250.
const MOST_STREAMS: usize = 256;

/// The window of a stream and of a connection before anything was said (RFC 9113 section 6.9.2).
const FIRST_WINDOW: i64 = 65_535;

/// `SETTINGS_INITIAL_WINDOW_SIZE` (RFC 9113 section 6.5.2).
const INITIAL_WINDOW_SIZE: u16 = 4;

/// One direction.
#[derive(Debug, Default)]
struct Side {
    frames: Frames,
    decoder: Decoder,
    /// The payload of a frame that is looked at as a whole; of HEADERS with those that continue it.
    collected: Vec<u8>,
    /// More came than is collected, or part of it was not captured.
    broken: bool,
    /// Where the frame begins, and the HEADERS that CONTINUATION continues.
    begin: Option<Mark>,
    headers: Option<Frame>,
    /// Padding of the DATA frame: not known yet, or so many bytes at its end.
    padding: Option<u32>,
    data_left: u32,
}

/// One connection.
#[derive(Debug)]
pub struct Http2 {
    sides: [Side; 2],
    /// Bytes of the preface still to come.
    preface: usize,
    streams: HashMap<u32, Stream>,
    window: i64,
    first_window: i64,
    latest: Option<Id>,
}

impl Http2 {
    /// From its preface on; `upgraded` is the request that became stream 1 (RFC 7540 section 3.2).
    pub fn new(upgraded: Option<Id>, ctx: &mut Context<'_>) -> Self {
        let mut streams = HashMap::new();
        if let Some(id) = upgraded {
            if let Some(request) = ctx.ledger.get(id) {
                request.protocol = "http/2";
                request.stream = Some(1);
                request.response = None;
            }
            streams.insert(1, Stream::new(id, FIRST_WINDOW));
        }
        Self {
            sides: [Side::default(), Side::default()],
            preface: PREFACE.len(),
            streams,
            window: FIRST_WINDOW,
            first_window: FIRST_WINDOW,
            latest: upgraded,
        }
    }

    fn side(&mut self, from_client: bool) -> &mut Side {
        let [client, server] = &mut self.sides;
        if from_client { client } else { server }
    }

    /// Bytes in order.
    pub fn bytes(&mut self, from_client: bool, bytes: &[u8], at: Mark, ctx: &mut Context<'_>) {
        let mut rest = bytes;
        if from_client && self.preface > 0 {
            let len = self.preface.min(rest.len());
            self.preface -= len;
            rest = rest.get(len..).unwrap_or_default();
        }
        loop {
            match self.side(from_client).frames.part(&mut rest) {
                Part::Begin(frame) => self.begin(from_client, frame, at, ctx),
                Part::Payload(frame, payload, ends) => self.payload(from_client, frame, payload, ends, at, ctx),
                Part::More | Part::Lost => return,
            }
        }
    }

    fn begin(&mut self, from_client: bool, frame: Frame, at: Mark, _ctx: &mut Context<'_>) {
        let side = self.side(from_client);
        side.begin = Some(at);
        if frame.kind == DATA {
            side.padding = if frame.has(PADDED) { None } else { Some(0) };
            side.data_left = frame.len;
        } else if frame.kind != CONTINUATION {
            side.collected.clear();
            side.broken = false;
        }
    }

    fn payload(
        &mut self,
        from_client: bool,
        frame: Frame,
        payload: &[u8],
        ends: bool,
        at: Mark,
        ctx: &mut Context<'_>,
    ) {
        match frame.kind {
            DATA => self.data(from_client, frame, payload, ends, at, ctx),
            HEADERS | CONTINUATION | PUSH_PROMISE | RST_STREAM | SETTINGS | WINDOW_UPDATE => {
                let side = self.side(from_client);
                let room = MOST_COLLECTED.saturating_sub(side.collected.len());
                side.broken |= room < payload.len();
                side.collected.extend_from_slice(payload.get(..room).unwrap_or(payload));
                if ends {
                    self.whole(from_client, frame, at, ctx);
                }
            }
            _ => {}
        }
        if ends {
            self.side(from_client).begin = None;
        }
    }

    /// A frame that is looked at as a whole is there.
    fn whole(&mut self, from_client: bool, frame: Frame, at: Mark, ctx: &mut Context<'_>) {
        let side = self.side(from_client);
        let begin = side.begin.unwrap_or(at);
        let collected = std::mem::take(&mut side.collected);
        match frame.kind {
            HEADERS | CONTINUATION | PUSH_PROMISE => {
                let first = if frame.kind == CONTINUATION { side.headers.take() } else { Some(frame) };
                let Some(first) = first.filter(|first| first.stream == frame.stream) else { return };
                if frame.has(END_HEADERS) {
                    self.headers(from_client, first, &collected, begin, at, ctx);
                } else {
                    side.headers = Some(first);
                    side.collected = collected;
                    return;
                }
            }
            RST_STREAM => {
                if let Some(mut stream) = self.streams.remove(&frame.stream) {
                    stream.settle(ctx.ledger);
                    ctx.ledger.end(stream.id, "cancelled");
                }
            }
            SETTINGS if from_client && !frame.has(END_STREAM) => self.settings(&collected),
            WINDOW_UPDATE if from_client => self.window_update(frame.stream, &collected, at, ctx),
            _ => {}
        }
        let mut collected = collected;
        collected.clear();
        self.side(from_client).collected = collected;
    }

    fn headers(&mut self, from_client: bool, first: Frame, block: &[u8], begin: Mark, at: Mark, ctx: &mut Context<'_>) {
        let mut fields = Fields::default();
        let side = self.side(from_client);
        let mut known = !side.broken;
        if known {
            let block = frames::unpadded(first, block);
            known = block.is_some_and(|block| side.decoder.block(block, |name, value| fields.add(name, value)).is_ok());
        }
        if first.kind == PUSH_PROMISE {
            return; // it only keeps the table right
        }
        let bytes = block.len() as u64 + 9;
        if from_client {
            self.request(first, &fields, known, bytes, begin, at, ctx);
        } else {
            self.response(first, &fields, known, bytes, begin, at, ctx);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn request(
        &mut self,
        first: Frame,
        fields: &Fields,
        known: bool,
        size: u64,
        begin: Mark,
        at: Mark,
        ctx: &mut Context<'_>,
    ) {
        let first_window = self.first_window;
        if !self.streams.contains_key(&first.stream) {
            if self.streams.len() >= MOST_STREAMS {
                ctx.ledger.unmatched += 1;
                return;
            }
            let id = ctx.open("http/2", Some(begin));
            if let Some(request) = ctx.ledger.get(id) {
                request.stream = Some(first.stream);
                fields.describe_request(request);
                if !known || fields.unknown && (request.path.is_none() || request.method.is_none()) {
                    request.reasons.add(Reasons::HPACK);
                }
            }
            self.streams.insert(first.stream, Stream::new(id, first_window));
        }
        let Some(stream) = self.streams.get_mut(&first.stream) else { return };
        self.latest = Some(stream.id);
        ctx.upload(stream.id, size);
        if first.has(END_STREAM) {
            ctx.sent(stream.id, at);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn response(
        &mut self,
        first: Frame,
        fields: &Fields,
        known: bool,
        size: u64,
        begin: Mark,
        at: Mark,
        ctx: &mut Context<'_>,
    ) {
        if !self.streams.contains_key(&first.stream) {
            if self.streams.len() >= MOST_STREAMS || first.stream.is_multiple_of(2) || first.stream == 0 {
                return; // pushed streams answer no request
            }
            let id = ctx.open("http/2", None);
            ctx.note(id, Reasons::NO_REQUEST);
            if let Some(request) = ctx.ledger.get(id) {
                request.stream = Some(first.stream);
            }
            self.streams.insert(first.stream, Stream::new(id, self.first_window));
        }
        let Some(stream) = self.streams.get_mut(&first.stream) else { return };
        if fields.status.is_some_and(|status| (100..200).contains(&status)) {
            return;
        }
        if let Some(request) = ctx.ledger.get(stream.id) {
            request.response.get_or_insert(begin);
        }
        ctx.download(stream.id, size, at);
        if !stream.answered {
            stream.answer(fields, known, ctx.ledger);
        }
        if first.has(END_STREAM) {
            self.response_ends(first.stream, at, ctx);
        }
    }

    fn data(&mut self, from_client: bool, frame: Frame, payload: &[u8], ends: bool, at: Mark, ctx: &mut Context<'_>) {
        let side = self.side(from_client);
        let mut payload = payload;
        side.data_left = side.data_left.saturating_sub(payload.len() as u32);
        let padding = *match side.padding {
            None => {
                let Some((pad, rest)) = payload.split_first() else { return };
                payload = rest;
                side.padding.insert((*pad).into())
            }
            Some(ref mut padding) => padding,
        };
        // Of this piece, what reaches into the padding at the end of the frame is none of the body.
        let after = side.data_left;
        let of_padding = padding.saturating_sub(after) as usize;
        let body = payload.get(..payload.len().saturating_sub(of_padding)).unwrap_or_default();
        if from_client {
            let Some(stream) = self.streams.get_mut(&frame.stream) else { return };
            ctx.upload(stream.id, payload.len() as u64);
            if ends && frame.has(END_STREAM) {
                ctx.sent(stream.id, at);
            }
            return;
        }
        if ends {
            self.window -= i64::from(frame.len);
        }
        let blocked = ends && self.window <= 0;
        let Some(stream) = self.streams.get_mut(&frame.stream) else { return };
        ctx.download(stream.id, payload.len() as u64, at);
        stream.body.bytes(body, at, ctx.ledger);
        if !ends {
            return;
        }
        stream.window -= i64::from(frame.len);
        if frame.has(END_STREAM) {
            self.response_ends(frame.stream, at, ctx);
        } else if stream.window <= 0 || blocked {
            stream.stalled.get_or_insert(at);
        }
    }

    fn settings(&mut self, payload: &[u8]) {
        let size = |setting: &[u8]| match *setting {
            [k0, k1, ref value @ ..] if u16::from_be_bytes([k0, k1]) == INITIAL_WINDOW_SIZE => {
                value.first_chunk().map(|value| i64::from(u32::from_be_bytes(*value)))
            }
            _ => None,
        };
        let Some(size) = payload.chunks_exact(6).rev().find_map(size) else { return };
        for stream in self.streams.values_mut() {
            stream.window += size - self.first_window;
        }
        self.first_window = size;
    }

    fn window_update(&mut self, stream: u32, payload: &[u8], at: Mark, ctx: &mut Context<'_>) {
        let Some(increment) = payload.first_chunk::<4>() else { return };
        let increment = i64::from(u32::from_be_bytes(*increment) & 0x7fff_ffff);
        if stream == 0 {
            self.window += increment;
        } else if let Some(stream) = self.streams.get_mut(&stream) {
            stream.window += increment;
        }
        if self.window <= 0 || ctx.mid_flow {
            return; // in mid-flow the windows are not known
        }
        for stream in self.streams.values_mut().filter(|stream| stream.window > 0) {
            if let Some(stalled) = stream.stalled.take()
                && let Some(waited) = at.since(stalled)
                && let Some(request) = ctx.ledger.get(stream.id)
            {
                request.flow_control = request.flow_control.saturating_add(waited);
            }
        }
    }

    fn response_ends(&mut self, stream: u32, at: Mark, ctx: &mut Context<'_>) {
        if let Some(mut stream) = self.streams.remove(&stream) {
            stream.body.finish(at, ctx.ledger);
            ctx.ledger.end(stream.id, "complete");
        }
    }

    /// Bytes that were not captured.
    pub fn missing(&mut self, from_client: bool, bytes: u64, reason: Reasons, at: Mark, ctx: &mut Context<'_>) {
        let side = self.side(from_client);
        side.broken = true;
        let Some((frame, ends)) = side.frames.skip(bytes) else {
            // Which streams had data in the gap, or ended in it, is not known.
            side.headers = None;
            side.begin = None;
            for stream in self.streams.values_mut() {
                if !from_client {
                    stream.body.missing(reason, ctx.ledger);
                }
                ctx.ledger.note(stream.id, reason);
            }
            return;
        };
        if frame.kind == DATA {
            side.data_left = side.data_left.saturating_sub(bytes.min(u32::MAX.into()) as u32);
            side.padding.get_or_insert(0);
            if let Some(stream) = self.streams.get_mut(&frame.stream)
                && !from_client
            {
                stream.body.missing(reason, ctx.ledger);
                ctx.download(stream.id, bytes, at);
            }
            self.payload(from_client, frame, &[], ends, at, ctx);
        } else if ends {
            self.whole(from_client, frame, at, ctx);
            self.side(from_client).begin = None;
        }
    }

    /// Nothing more is seen of the connection.
    pub fn give_up(&mut self, how: &'static str, ctx: &mut Context<'_>) {
        for (_, mut stream) in self.streams.drain() {
            stream.settle(ctx.ledger);
            ctx.ledger.end(stream.id, how);
        }
    }

    /// Requests under way.
    pub fn waiting(&self) -> impl Iterator<Item = Id> + '_ {
        self.streams.values().map(|stream| stream.id)
    }
}
