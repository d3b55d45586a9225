//! The name and labels of a series of Prometheus: `name{key="value",…}`, with the escapes of the exposition formats.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_schema::{DataType, Field};

/// A series by its parts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labelled {
    /// The name of the metric.
    pub name: String,
    /// Labels, sorted by key.
    pub labels: Vec<(String, String)>,
}

impl Labelled {
    /// Parses the start of a line, with or without the blanks before the value. `None` where it is no series.
    ///
    /// Prometheus 3 quotes names that are no identifiers and puts them first in the braces: `{"my.metric",key="value"}`.
    #[must_use]
    pub fn parse(key: &[u8]) -> Option<Self> {
        let key = std::str::from_utf8(key).ok()?.trim();
        let Some((name, braced)) = key.split_once('{') else {
            return (!key.is_empty()).then(|| Self { name: key.to_owned(), labels: Vec::new() });
        };
        let mut found = Self { name: name.trim_end().to_owned(), labels: Vec::new() };
        let mut rest = braced.strip_suffix('}')?.trim_start();
        while !rest.is_empty() {
            let (label, after) = quoted_or_plain(rest)?;
            let Some(valued) = after.trim_start().strip_prefix('=') else {
                if !found.name.is_empty() || !rest.starts_with('"') {
                    return None;
                }
                found.name = label;
                rest = next(after)?;
                continue;
            };
            let (value, after) = quoted(valued.trim_start())?;
            found.labels.push((label, value));
            rest = next(after)?;
        }
        found.labels.sort_unstable();
        (!found.name.is_empty()).then_some(found)
    }

    /// The value of a label; an empty one is the same as none.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.labels
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// The labels as `key="value",…`, sorted by key, with quotes, backslashes and line ends escaped.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (key, value) in &self.labels {
            if !text.is_empty() {
                text.push(',');
            }
            text.push_str(key);
            text.push_str("=\"");
            for character in value.chars() {
                match character {
                    '\\' => text.push_str("\\\\"),
                    '"' => text.push_str("\\\""),
                    '\n' => text.push_str("\\n"),
                    other => text.push(other),
                }
            }
            text.push('"');
        }
        text
    }
}

/// The series as columns: `name`, `labels` (as [`Labelled::text`]), and each of the `wanted` labels as `label_KEY`; null
/// where there is none.
#[must_use]
pub fn columns(series: &[Option<&Labelled>], wanted: &[String]) -> (Vec<Field>, Vec<ArrayRef>) {
    let names: StringArray = series.iter().map(|series| series.map(|series| series.name.as_str())).collect();
    let labels: StringArray = series.iter().map(|series| series.map(Labelled::text)).collect();
    let mut fields = vec![Field::new("name", DataType::Utf8, true), Field::new("labels", DataType::Utf8, true)];
    let mut arrays: Vec<ArrayRef> = vec![Arc::new(names), Arc::new(labels)];
    for label in wanted {
        let values: StringArray = series.iter().map(|series| series.and_then(|series| series.get(label))).collect();
        fields.push(Field::new(format!("label_{label}"), DataType::Utf8, true));
        arrays.push(Arc::new(values));
    }
    (fields, arrays)
}

/// What follows a comma, or nothing at the end.
fn next(after: &str) -> Option<&str> {
    let after = after.trim_start();
    if after.is_empty() { Some(after) } else { after.strip_prefix(',').map(str::trim_start) }
}

fn quoted_or_plain(text: &str) -> Option<(String, &str)> {
    if text.starts_with('"') {
        return quoted(text);
    }
    let end = text.find(|character: char| !is_name(character)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end)).map(|(name, after)| (name.to_owned(), after))
}

const fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | ':' | '.')
}

/// A string in quotes and what follows it. An escape that the formats do not know stands for itself.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut characters = text.strip_prefix('"')?.char_indices();
    let mut value = String::new();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return text.get(at + 2..).map(|after| (value, after)),
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                plain @ ('\\' | '"') => value.push(plain),
                other => {
                    value.push('\\');
                    value.push(other);
                }
            },
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Labelled;

    #[test]
    fn labels_are_sorted_and_their_escapes_kept() {
        let found = Labelled::parse(br#"m_total{b="x,}\"y\\z\n", a="1", } "#).unwrap();
        assert_eq!((found.name.as_str(), found.get("a")), ("m_total", Some("1")));
        assert_eq!(found.get("b"), Some("x,}\"y\\z\n"));
        assert_eq!(found.text(), r#"a="1",b="x,}\"y\\z\n""#);
    }

    #[test]
    fn a_quoted_name_stands_in_the_braces() {
        let found = Labelled::parse(br#"{"my.metric", key="v"}"#).unwrap();
        assert_eq!((found.name.as_str(), found.text().as_str()), ("my.metric", r#"key="v""#));
    }

    #[test]
    fn what_is_cut_or_misses_a_name_is_no_series() {
        let whole = r#"m{a="1",b="2"}"#;
        for length in 2..whole.len() {
            assert_eq!(Labelled::parse(&whole.as_bytes()[..length]), None, "{length}");
        }
        assert_eq!(Labelled::parse(br#"{a="1"}"#), None);
        assert_eq!(Labelled::parse(br#"m{a="1" b="2"}"#), None);
    }
}
