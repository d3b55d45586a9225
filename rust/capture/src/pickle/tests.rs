//! What is read, what is refused, and what is left of a file that ends early.

use proptest::prelude::*;

use super::{MAX_DEPTH, Reading, Value, read};

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn whole(bytes: &[u8]) -> Value {
    let reading = read(bytes).unwrap();
    assert_eq!(reading.cut, None);
    reading.value
}

fn refusal(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

/// As torch writes it: protocol 2, every text remembered, `{'version': '2', 'entries': [{'id': 1, 'pg': ('a', 'b')}, …]}`.
fn dump() -> Vec<u8> {
    let mut bytes = b"\x80\x02}(X\x07\0\0\0versionq\0X\x01\0\0\x002q\x01X\x07\0\0\0entriesq\x02](".to_vec();
    bytes.extend(b"}(X\x02\0\0\0idq\x03K\x01X\x02\0\0\0pgq\x04X\x01\0\0\0aq\x05X\x01\0\0\0bq\x06\x86q\x07u");
    bytes.extend(b"}(h\x03M\x00\x01h\x04h\x07u");
    bytes.extend(b"}(h\x03J\xff\xff\xff\xffh\x04h\x07ueu.");
    bytes
}

fn entry(id: i128) -> Value {
    let group = Value::List(vec![text("a"), text("b")]);
    Value::Dict(vec![(text("id"), Value::Int(id)), (text("pg"), group)])
}

fn dump_with(entries: Vec<Value>) -> Value {
    Value::Dict(vec![(text("version"), text("2")), (text("entries"), Value::List(entries))])
}

#[test]
fn a_dump_is_read_whole() {
    assert_eq!(whole(&dump()), dump_with(vec![entry(1), entry(256), entry(-1)]));
}

#[test]
fn scalars_of_every_width() {
    let bytes = b"\x80\x05\x95\0\0\0\0\0\0\0\0](N\x88\x89K\xffM\xff\xffJ\0\0\0\x80\x8a\0\x8a\x01\xff\x8a\x02\xff\0G\x3f\xf8\0\0\0\0\0\0\x8c\x01x\x94C\x01\xfeh\0)e.";
    let expected = [
        Value::None,
        Value::Bool(true),
        Value::Bool(false),
        Value::Int(255),
        Value::Int(65535),
        Value::Int(-0x8000_0000),
        Value::Int(0),
        Value::Int(-1),
        Value::Int(255),
        Value::Float(1.5),
        text("x"),
        Value::Bytes(b"\xfe".as_slice().into()),
        text("x"),
        Value::List(vec![]),
    ];
    assert_eq!(whole(bytes), Value::List(expected.into()));
}

#[test]
fn every_opcode_that_can_run_code_is_refused_by_name_and_byte() {
    for (code, name) in [
        (b'c', "GLOBAL"),
        (0x93, "STACK_GLOBAL"),
        (b'R', "REDUCE"),
        (b'b', "BUILD"),
        (b'i', "INST"),
        (b'o', "OBJ"),
        (0x81, "NEWOBJ"),
        (0x92, "NEWOBJ_EX"),
        (0x82, "EXT1"),
        (0x83, "EXT2"),
        (0x84, "EXT4"),
        (b'P', "PERSID"),
        (b'Q', "BINPERSID"),
    ] {
        let expected = format!("opcode {name} (0x{code:02x}), which can run code, at byte 3");
        assert_eq!(refusal(&[0x80, 2, b']', code, b'.']), expected);
    }
}

#[test]
fn what_plain_data_never_has_is_refused() {
    for (bytes, expected) in [
        (b"\x80\x02\xff".as_slice(), "opcode no opcode (0xff), at byte 2"),
        (b"\x80\x06N.", "no pickle of protocol 2 to 5, at byte 0"),
        (b"plain text", "no pickle of protocol 2 to 5, at byte 0"),
        (b"\x80\x02h\x05.", "a use of 5, which was not remembered, at byte 2"),
        (b"\x80\x02}(NNNu.", "a key without value, at byte 7"),
        (b"\x80\x02}]Ns.", "a container as key, at byte 5"),
        (b"\x80\x02Ne.", "an end without begin, at byte 3"),
        (b"\x80\x02](N.", "the end within a container, at byte 5"),
        (b"\x80\x02a.", "nothing on the stack that it needs, at byte 2"),
        (b"\x80\x02](a.", "nothing on the stack that it needs, at byte 4"),
        (b"\x80\x02NNa.", "an append to what is no list, at byte 4"),
        (b"\x80\x02\x8a\x1100000000000000000.", "a number of 17 bytes, at byte 2"),
        (b"\x80\x02", "the file ends before anything is complete, at byte 2"),
    ] {
        assert_eq!(refusal(bytes), expected);
    }
}

#[test]
fn a_list_inside_itself_is_too_deep() {
    assert!(refusal(b"\x80\x02]q\0h\0a.").contains("levels"));
}

#[test]
fn depth_is_limited() {
    let mut bytes = vec![0x80, 2];
    bytes.extend(std::iter::repeat_n(b"](".as_slice(), MAX_DEPTH + 1).flatten());
    assert!(refusal(&bytes).contains("levels"));
    let mut tuples = vec![0x80, 2, b'N'];
    tuples.extend(std::iter::repeat_n(0x85, 100_000));
    tuples.push(b'.');
    assert!(refusal(&tuples).contains("levels"));
}

#[test]
fn a_small_file_cannot_unfold_into_a_large_result() {
    // Each list holds the one before ten times: ten to the power of twenty.
    let mut bytes = b"\x80\x02]q\0".to_vec();
    for level in 0..20_u8 {
        bytes.extend([b']', b'q', level + 1, b'(']);
        bytes.extend([b'h', level].repeat(10));
        bytes.push(b'e');
    }
    bytes.extend(b"\x94.");
    let mut one = b"\x80\x02](".to_vec();
    one.extend(bytes.get(2..bytes.len() - 2).unwrap());
    one.extend(b"e.");
    assert!(refusal(&one).contains("items"));
}

#[test]
fn a_file_cut_at_any_byte_has_its_complete_entries_and_no_others() {
    let bytes = dump();
    let complete = [entry(1), entry(256), entry(-1)];
    let mut most = 0;
    for length in 2..bytes.len() {
        let Ok(Reading { value, cut }) = read(bytes.get(..length).unwrap()) else {
            assert!(length < 4, "nothing of {length} bytes");
            continue;
        };
        assert_eq!(cut, Some(length));
        let Value::Dict(pairs) = value else { panic!("the dump is a dict") };
        for (key, value) in pairs {
            if key == text("version") {
                assert_eq!(value, text("2"));
            } else {
                assert_eq!(key, text("entries"));
                let Value::List(entries) = value else { panic!("entries are a list") };
                assert_eq!(Some(entries.as_slice()), complete.get(..entries.len()));
                most = most.max(entries.len());
            }
        }
    }
    assert_eq!(most, 3);
}

#[test]
fn what_follows_an_open_container_of_python_is_not_put_beside_it() {
    // {'entries': [{'id': 1}, {'id': …: Python marks the list and neither of its dicts.
    let bytes = b"\x80\x02}q\0X\x07\0\0\0entriesq\x01]q\x02(}q\x03X\x02\0\0\0idq\x04K\x01s}q\x05h\x04K\x02";
    let first = Value::Dict(vec![(text("id"), Value::Int(1))]);
    let reading = read(bytes).unwrap();
    assert_eq!(reading.value, Value::Dict(vec![(text("entries"), Value::List(vec![first]))]));
    assert_eq!(reading.cut, Some(bytes.len()));
}

proptest! {
    #[test]
    fn no_bytes_are_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut file = vec![0x80, 2];
        file.extend(&bytes);
        let _ = read(&file);
        let _ = read(&bytes);
    }

    #[test]
    fn no_opcodes_of_plain_data_are_a_panic(picks in proptest::collection::vec((0_usize..28, any::<u8>()), 0..200)) {
        let codes = b"](}ueastN\x88\x89K\x85\x86\x87)h\x94qJMX\x8a\x8cG\x95.B";
        let mut file = vec![0x80, 4];
        for (pick, argument) in picks {
            file.push(codes.get(pick % codes.len()).copied().unwrap_or(b'N'));
            file.push(argument % 8);
        }
        let _ = read(&file);
    }
}
