//! Why something of a request is not known: a set of reasons, written as one sentence.

/// A set of reasons.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reasons(u32);

/// Each reason: its bit, and its words.
macro_rules! reasons {
    ($($name:ident = $bit:literal, $words:literal;)*) => {
        impl Reasons {
            $(#[doc = $words] pub const $name: Self = Self(1 << $bit);)*
            const WORDS: &'static [(Self, &'static str)] = &[$((Self::$name, $words)),*];
        }
    };
}

reasons! {
    MID_FLOW = 0, "the capture begins in mid-flow";
    GAP = 1, "a gap was not captured";
    SNAP = 2, "part of a payload was not captured: cut by the snap length, or a fragment";
    NO_REQUEST = 3, "the request was not seen";
    NO_RESPONSE = 4, "no response was seen";
    MALFORMED = 5, "the bytes do not follow the protocol";
    TOO_LONG = 6, "a header is longer than is kept";
    NO_TIMES = 7, "the capture has no times";
    NOT_STREAMED = 8, "the response is not streamed, so its first token cannot be told";
    NO_TOKEN = 9, "no token was seen";
    ENCRYPTED = 10, "TLS shows only record sizes: interval instead of number";
    MULTIPLEXED = 11, "several requests on a TLS connection that may be multiplexed (h2): they cannot be told apart without keys";
    NO_CADENCE = 12, "no steady cadence of records";
    ALIKE = 13, "the stream is of no known kind: every event counts as a token";
    HPACK = 14, "the header table of the connection is not known";
    PACKED = 15, "the response is compressed: its events cannot be read";
    MANY_GAPS = 16, "more chunks than quantiles are made of";
    CONTINUES = 17, "the capture ends before the response";
    PUSHED_BACK = 18, "the request was sent again after a retry, and times count from the first";
}

impl Reasons {
    /// Adds them.
    pub fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// All of `other` are in it.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Without those.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// In words; `None` for the empty set.
    pub fn words(self) -> Option<String> {
        let words: Vec<_> =
            Self::WORDS.iter().filter(|(reason, _)| self.has(*reason)).map(|(_, words)| *words).collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_reasons_make_one_sentence() {
        let mut reasons = Reasons::default();
        assert_eq!(reasons.words(), None);
        reasons.add(Reasons::GAP);
        reasons.add(Reasons::MID_FLOW);
        assert_eq!(reasons.words().unwrap(), "the capture begins in mid-flow; a gap was not captured");
    }
}
