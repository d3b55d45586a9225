//! What stands between the values of records that all look alike: taken from the first one, in CSV or JSON lines.

use memchr::memchr;

/// Fields that a record may have. The neutral form has six, a stream of one NIC some thousand.
const MOST_FIELDS: usize = 1 << 14;

/// How a value is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A time: all digits count, and none may be missing.
    Whole,
    /// A number, or none.
    Number,
    /// A text, without any escapes.
    Text,
}

/// One value of each record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name: the header's, or the JSON key.
    pub name: String,
    /// What stands before the value.
    pub before: Vec<u8>,
    /// How it is to be read.
    pub kind: Kind,
    /// Its place among the fields of its kind.
    pub slot: usize,
}

/// All of a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Template {
    /// The values in their order.
    pub fields: Vec<Field>,
    /// What stands after the last one: the line end included.
    pub end: Vec<u8>,
    /// Bytes of the header.
    pub header: usize,
}

impl Template {
    /// From the header and the first row of a CSV; `None` where there are quotes, or the two do not fit each other.
    ///
    /// Columns of the names in `whole` are times.
    #[must_use]
    pub fn of_csv(text: &[u8], whole: &[String]) -> Option<Self> {
        let header = memchr(b'\n', text)? + 1;
        let (names, rest) = text.split_at(header);
        let row = rest.get(..memchr(b'\n', rest)?)?;
        let end: &[u8] = if names.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
        let names = std::str::from_utf8(names.strip_suffix(end)?).ok()?;
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        if names.contains('"') || row.contains(&b'"') {
            return None;
        }
        let mut template = Self { end: end.to_vec(), header, fields: Vec::new() };
        let mut values = row.split(|&byte| byte == b',');
        for (index, name) in names.split(',').enumerate() {
            let value = values.next()?;
            let kind = if whole.iter().any(|time| time == name.trim()) && value.iter().all(u8::is_ascii_digit) {
                Kind::Whole
            } else if is_number(value) {
                Kind::Number
            } else {
                Kind::Text
            };
            template.push(name.trim(), if index == 0 { b"" } else { b"," }, kind)?;
        }
        values.next().is_none().then_some(template)
    }

    /// From the first of many flat JSON objects, one a line; `None` where it has anything but numbers and plain strings.
    #[must_use]
    pub fn of_json(text: &[u8], whole: &[String]) -> Option<Self> {
        let line = text.get(..memchr(b'\n', text)?)?;
        let mut template = Self::default();
        let (mut at, mut begun) = (0, 0);
        loop {
            // `{` or `,`, a name in quotes, a colon, and blanks wherever they are allowed
            at += blanks(line, at) + 1;
            if !matches!(line.get(at - 1)?, b'{' | b',') {
                return None;
            }
            at += blanks(line, at);
            let name = plain_string(line.get(at..)?)?;
            at += name.len() + 2;
            at += blanks(line, at);
            if *line.get(at)? != b':' {
                return None;
            }
            at += 1;
            at += blanks(line, at);
            let name = std::str::from_utf8(name).ok()?;
            if *line.get(at)? == b'"' {
                at += 1;
                let value = plain_string(line.get(at - 1..)?)?;
                template.push(name, line.get(begun..at)?, Kind::Text)?;
                at += value.len();
                begun = at;
                at += 1;
            } else {
                let length = line.get(at..)?.iter().take_while(|byte| !matches!(byte, b',' | b'}' | b' ')).count();
                let value = line.get(at..at + length)?;
                let kind = if whole.iter().any(|time| time == name) && value.iter().all(u8::is_ascii_digit) {
                    Kind::Whole
                } else if is_number(value) {
                    Kind::Number
                } else {
                    return None;
                };
                template.push(name, line.get(begun..at)?, kind)?;
                at += length;
                begun = at;
            }
            at += blanks(line, at);
            if *line.get(at)? == b'}' {
                template.end = line.get(begun..)?.to_vec();
                template.end.push(b'\n');
                return Some(template);
            }
        }
    }

    fn push(&mut self, name: &str, before: &[u8], kind: Kind) -> Option<()> {
        // Arrow hands names on as C strings.
        if name.contains('\0') || self.fields.len() >= MOST_FIELDS || self.fields.iter().any(|field| field.name == name)
        {
            return None;
        }
        let slot = self.fields.iter().filter(|field| field.kind == kind).count();
        self.fields.push(Field { name: name.to_owned(), before: before.to_vec(), kind, slot });
        Some(())
    }

    /// The byte with which each value ends: the first of what follows it.
    #[must_use]
    pub fn stop(&self, field: usize) -> u8 {
        let after = self.fields.get(field + 1).map_or(&self.end, |next| &next.before);
        after.first().copied().unwrap_or(b'\n')
    }
}

fn blanks(line: &[u8], at: usize) -> usize {
    line.get(at..).unwrap_or_default().iter().take_while(|byte| **byte == b' ').count()
}

/// The inside of a string in quotes without escapes.
fn plain_string(text: &[u8]) -> Option<&[u8]> {
    let inside = text.strip_prefix(b"\"")?;
    let value = inside.get(..memchr(b'"', inside)?)?;
    (!value.contains(&b'\\')).then_some(value)
}

/// Whether it is a number, or what CSV and JSON write where there is none.
fn is_number(value: &[u8]) -> bool {
    value.is_empty() || value == b"null" || std::str::from_utf8(value).is_ok_and(|text| text.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::{Kind, Template};

    fn kinds(template: &Template) -> Vec<(&str, Kind)> {
        template.fields.iter().map(|field| (field.name.as_str(), field.kind)).collect()
    }

    #[test]
    fn a_csv_tells_its_fields_by_header_and_first_row() {
        let template = Template::of_csv(b"ts,device,value\r\n176,eth0,1.5\r\n", &["ts".to_owned()]).unwrap();
        assert_eq!(kinds(&template), [("ts", Kind::Whole), ("device", Kind::Text), ("value", Kind::Number)]);
        assert_eq!((template.end.as_slice(), template.header), (b"\r\n".as_slice(), 17));
        assert_eq!(Template::of_csv(b"a,b\n1\n", &[]), None);
        assert_eq!(Template::of_csv(b"a,b\n1,\"x\"\n", &[]), None);
        assert_eq!(Template::of_csv(b"a,a\n1,2\n", &[]), None);
        assert_eq!(Template::of_csv(b"a,b\0\n1,2\n", &[]), None);
    }

    #[test]
    fn a_json_line_tells_its_fields_and_what_stands_between() {
        let template =
            Template::of_json(b"{\"ts\": 176, \"device\" : \"eth0\",\"value\":-1.5 }\n", &["ts".to_owned()]).unwrap();
        assert_eq!(kinds(&template), [("ts", Kind::Whole), ("device", Kind::Text), ("value", Kind::Number)]);
        assert_eq!(template.fields[1].before, b", \"device\" : \"");
        assert_eq!(template.fields[2].before, b"\",\"value\":");
        assert_eq!(template.end, b" }\n");
        for odd in [
            &b"{\"a\":[1]}\n"[..],
            b"{\"a\":{}}\n",
            b"{\"a\\n\":1}\n",
            b"{\"a\":tru}\n",
            b"[1]\n",
            b"{}\n",
            b"{\"a\":1",
        ] {
            assert_eq!(Template::of_json(odd, &[]), None);
        }
    }
}
