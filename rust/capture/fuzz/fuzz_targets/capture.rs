//! A whole file: recognised, walked, every packet decoded. The input is the file.

#![no_main]

use std::io::Cursor;
use std::path::Path;

use capture::container::Capture;
use capture::decode::decode;
use capture::window::Window;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    let window = Window::stream(Cursor::new(file.to_vec()));
    let Ok(mut capture) = Capture::from_window(window, Path::new("fuzz")) else { return };
    while let Some(record) = capture.next() {
        let packet = decode(record.link_type, record.data, record.wire_len);
        assert_eq!(packet.roce.is_some(), packet.kind == capture::packet::Kind::Roce);
    }
});
