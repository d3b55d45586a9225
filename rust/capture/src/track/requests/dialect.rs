//! What an event of a streamed answer says: content, an empty frame around it, or the end. Told by a few bytes of its
//! JSON, for the kinds of stream that inference servers send.
//!
//! A key such as `"delta":` cannot stand inside a JSON string, where its quotes would be escaped. So a search finds keys
//! only, whatever a model says.

use memchr::memmem;

/// What an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A keep-alive.
    Comment,
    /// An event without content: the role, usage, a finish reason, a start or end mark of a block.
    Empty,
    /// The end mark.
    Done,
    /// Content.
    Token,
    /// An error inside the stream, after a good status.
    Error,
}

impl Kind {
    /// The word in `tokens.kind`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::Empty => "role-only",
            Self::Done => "done",
            Self::Token => "token",
            Self::Error => "error",
        }
    }
}

/// How the last events of a stream looked, so that the next can be told at a glance.
#[derive(Debug, Clone, Copy, Default)]
pub struct Dialect {
    /// The kind of stream, once an event has told it.
    pub name: Option<&'static str>,
    /// Where `"delta":{"content":"` stood.
    hint: usize,
}

const PLAIN_DELTA: &[u8] = b"\"delta\":{\"content\":\"";

/// Keys whose text is content, inside a `delta` of chat completions: the protocol's own, and those that vLLM, `SGLang` and
/// others add for reasoning.
const CONTENT: [&[u8]; 4] = [b"\"content\":", b"\"reasoning_content\":", b"\"reasoning\":", b"\"refusal\":"];

impl Dialect {
    /// What the data of one event (or one line) says. `whole` is false when only its beginning was kept.
    pub fn classify(&mut self, data: &[u8]) -> Kind {
        if let Some(first) = data.get(self.hint..).and_then(|rest| rest.strip_prefix(PLAIN_DELTA)?.first())
            && *first != b'"'
            && self.name == Some("openai")
        {
            return Kind::Token;
        }
        let trimmed = data.trim_ascii();
        if trimmed == b"[DONE]" {
            return Kind::Done;
        }
        if trimmed.is_empty() {
            return Kind::Comment;
        }
        let (name, kind) = recognise(trimmed);
        if let Some(name) = name {
            self.name = Some(name);
            if name == "openai"
                && let Some(at) = memmem::find(data, PLAIN_DELTA)
            {
                self.hint = at;
            }
        }
        kind
    }
}

/// The kind of stream, where this event tells it, and what the event is. What is not known counts as a token.
fn recognise(json: &[u8]) -> (Option<&'static str>, Kind) {
    if json.first() != Some(&b'{') {
        return (None, Kind::Token);
    }
    if starts_with_error(json) {
        return (None, Kind::Error);
    }
    if let Some(delta) = value(json, b"\"delta\":") {
        return of_delta(json, delta);
    }
    if let Some(kind) = value(json, b"\"type\":").and_then(text)
        && let Some(known) = of_type(kind)
    {
        return known;
    }
    if let Some(choices) = value(json, b"\"choices\":") {
        if is_empty(choices) {
            return (Some("openai"), Kind::Empty); // the usage of the whole
        }
        return match value(choices, b"\"text\":") {
            Some(said) => (Some("completions"), token_if(says(said))),
            None => (None, Kind::Token),
        };
    }
    if let Some(token) = value(json, b"\"token\":")
        && token.first() == Some(&b'{')
    {
        return (Some("tgi"), Kind::Token);
    }
    if let Some(done) = value(json, b"\"done\":") {
        let said = value(json, b"\"response\":").or_else(|| value(json, b"\"content\":"));
        let calls = value(json, b"\"tool_calls\":").is_some() || value(json, b"\"thinking\":").is_some_and(says);
        let kind = match (done.starts_with(b"true"), said.is_some_and(says) || calls) {
            (true, false) => Kind::Done,
            (_, says) => token_if(says),
        };
        return (Some("ollama"), kind);
    }
    if let Some(candidates) = value(json, b"\"candidates\":") {
        return (Some("gemini"), token_if(value(candidates, b"\"text\":").is_some_and(says)));
    }
    (None, Kind::Token)
}

/// An object with a `delta`: chat completions, Anthropic's messages, or `OpenAI`'s responses, where it is the text itself.
fn of_delta(json: &[u8], delta: &[u8]) -> (Option<&'static str>, Kind) {
    let Some(object) = delta.strip_prefix(b"{") else {
        return (Some("responses"), token_if(says(delta)));
    };
    let block = memmem::find(json, b"\"content_block_delta\"").is_some();
    if block || memmem::find(json, b"\"message_delta\"").is_some() {
        return (Some("anthropic"), token_if(block));
    }
    if object.trim_ascii_start().first() == Some(&b'}') {
        // With several choices another one may speak; then the first of them decides, which servers send apart anyhow.
        return (Some("openai"), Kind::Empty);
    }
    let said = CONTENT.iter().any(|key| value(object, key).is_some_and(says));
    let calls = [b"\"tool_calls\":".as_slice(), b"\"function_call\":", b"\"audio\":"];
    let calls =
        calls.iter().any(|key| value(object, key).is_some_and(|calls| !is_empty(calls) && !calls.starts_with(b"null")));
    (Some("openai"), token_if(said || calls))
}

/// Events that Anthropic's messages and `OpenAI`'s responses name by a type.
fn of_type(kind: &[u8]) -> Option<(Option<&'static str>, Kind)> {
    Some(match kind {
        b"ping" => (Some("anthropic"), Kind::Comment),
        b"message_start" | b"content_block_start" | b"content_block_stop" => (Some("anthropic"), Kind::Empty),
        b"message_stop" => (Some("anthropic"), Kind::Done),
        b"response.completed" | b"response.incomplete" => (Some("responses"), Kind::Done),
        b"error" | b"response.failed" => (None, Kind::Error),
        other if other.starts_with(b"response.") => (Some("responses"), Kind::Empty),
        _ => return None,
    })
}

fn token_if(says: bool) -> Kind {
    if says { Kind::Token } else { Kind::Empty }
}

/// What stands behind this key, wherever the key is.
fn value<'a>(json: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let at = memmem::find(json, key)?;
    Some(json.get(at + key.len()..)?.trim_ascii_start())
}

/// A string that is not empty.
fn says(value: &[u8]) -> bool {
    value.first() == Some(&b'"') && value.get(1).is_some_and(|next| *next != b'"')
}

/// The string at the beginning, when it has no escapes.
fn text(value: &[u8]) -> Option<&[u8]> {
    let rest = value.strip_prefix(b"\"")?;
    rest.get(..memchr::memchr(b'"', rest)?)
}

/// `[]` or `{}`.
fn is_empty(value: &[u8]) -> bool {
    let inner = value.get(1..).map(<[u8]>::trim_ascii_start);
    matches!((value.first(), inner.and_then(<[u8]>::first)), (Some(b'['), Some(b']')) | (Some(b'{'), Some(b'}')))
}

fn starts_with_error(json: &[u8]) -> bool {
    let inner = json.get(1..).unwrap_or_default().trim_ascii_start();
    inner.strip_prefix(b"\"error\":").is_some_and(|error| !error.trim_ascii_start().starts_with(b"null"))
}

#[cfg(test)]
mod tests {
    use super::Kind::{Comment, Done, Empty, Token};
    use super::*;

    fn told(events: &[&str]) -> (Option<&'static str>, Vec<Kind>) {
        let mut dialect = Dialect::default();
        let kinds = events.iter().map(|event| dialect.classify(event.as_bytes())).collect();
        (dialect.name, kinds)
    }

    #[test]
    fn a_role_a_usage_and_an_empty_delta_are_no_tokens_of_chat_completions() {
        let events = [
            r#"{"id":"c-1","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}"#,
            r#"{"id":"c-1","choices":[{"index":0,"delta":{"role":"assistant"}}]}"#,
            r#"{"id":"c-1","choices":[{"index":0,"delta":{"content":"He"}}]}"#,
            r#"{"id":"c-1","choices":[{"index":0,"delta":{"content":""}}]}"#,
            r#"{"id": "c-1", "choices": [{"index": 0, "delta": {"content": "llo"}}]}"#,
            r#"{"id":"c-1","choices":[{"index":0,"delta":{"reasoning_content":"hm","content":null}}]}"#,
            r#"{"id":"c-1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0}]}}]}"#,
            r#"{"id":"c-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
            r#"{"id":"c-1","choices":[],"usage":{"prompt_tokens":11}}"#,
            "[DONE]",
        ];
        let kinds = vec![Empty, Empty, Token, Empty, Token, Token, Token, Empty, Empty, Done];
        assert_eq!(told(&events), (Some("openai"), kinds));
    }

    #[test]
    fn what_a_model_says_of_deltas_does_not_mislead() {
        let events = [
            r#"{"choices":[{"delta":{"role":"assistant","content":"\"content\":\"x\""}}]}"#,
            r#"{"text":"\"delta\":{}"}"#,
        ];
        assert_eq!(told(&events).1, [Token, Token]);
    }

    #[test]
    fn anthropic_tgi_ollama_completions_and_responses_are_told_by_their_keys() {
        let anthropic = [
            r#"{"type":"message_start","message":{"id":"m"}}"#,
            r#"{"type":"ping"}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"He"}}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#,
            r#"{"type":"message_stop"}"#,
        ];
        assert_eq!(told(&anthropic), (Some("anthropic"), vec![Empty, Comment, Token, Empty, Done]));
        let tgi = [r#"{"index":1,"token":{"id":5,"text":" He","special":false},"generated_text":null}"#];
        assert_eq!(told(&tgi), (Some("tgi"), vec![Token]));
        let ollama = [
            r#"{"model":"m","response":"He","done":false}"#,
            r#"{"model":"m","message":{"role":"assistant","content":"l"},"done":false}"#,
            r#"{"model":"m","response":"","done":true,"eval_count":9}"#,
        ];
        assert_eq!(told(&ollama), (Some("ollama"), vec![Token, Token, Done]));
        let completions = [r#"{"choices":[{"index":0,"text":"He"}]}"#, r#"{"choices":[{"index":0,"text":""}]}"#];
        assert_eq!(told(&completions), (Some("completions"), vec![Token, Empty]));
        let responses = [
            r#"{"type":"response.created","response":{}}"#,
            r#"{"type":"response.output_text.delta","delta":"He"}"#,
            r#"{"type":"response.completed","response":{}}"#,
        ];
        assert_eq!(told(&responses), (Some("responses"), vec![Empty, Token, Done]));
    }

    #[test]
    fn an_unknown_event_is_a_token_of_no_known_dialect_and_an_error_is_an_error() {
        assert_eq!(told(&["hello", r#"{"x":1}"#]), (None, vec![Token, Token]));
        assert_eq!(told(&[r#"{"error":{"message":"overloaded"}}"#]), (None, vec![Kind::Error]));
    }
}
