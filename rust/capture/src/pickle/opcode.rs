//! The opcodes of pickle: those of plain data, which are read, and the names of all others, which are refused
//! (Python's `Lib/pickletools.py`).

pub const PROTO: u8 = 0x80;
pub const FRAME: u8 = 0x95;
pub const STOP: u8 = b'.';
pub const MARK: u8 = b'(';
pub const NONE: u8 = b'N';
pub const NEWTRUE: u8 = 0x88;
pub const NEWFALSE: u8 = 0x89;
pub const BININT: u8 = b'J';
pub const BININT1: u8 = b'K';
pub const BININT2: u8 = b'M';
pub const LONG1: u8 = 0x8a;
pub const LONG4: u8 = 0x8b;
pub const BINFLOAT: u8 = b'G';
pub const SHORT_BINUNICODE: u8 = 0x8c;
pub const BINUNICODE: u8 = b'X';
pub const BINUNICODE8: u8 = 0x8d;
pub const SHORT_BINBYTES: u8 = b'C';
pub const BINBYTES: u8 = b'B';
pub const BINBYTES8: u8 = 0x8e;
pub const EMPTY_LIST: u8 = b']';
pub const APPEND: u8 = b'a';
pub const APPENDS: u8 = b'e';
pub const EMPTY_TUPLE: u8 = b')';
pub const TUPLE: u8 = b't';
pub const TUPLE1: u8 = 0x85;
pub const TUPLE2: u8 = 0x86;
pub const TUPLE3: u8 = 0x87;
pub const EMPTY_DICT: u8 = b'}';
pub const SETITEM: u8 = b's';
pub const SETITEMS: u8 = b'u';
pub const BINPUT: u8 = b'q';
pub const LONG_BINPUT: u8 = b'r';
pub const MEMOIZE: u8 = 0x94;
pub const BINGET: u8 = b'h';
pub const LONG_BINGET: u8 = b'j';

/// The name of an opcode that is not read, and whether it can name or call code.
pub fn refused(code: u8) -> (&'static str, bool) {
    match code {
        b'c' => ("GLOBAL", true),
        0x93 => ("STACK_GLOBAL", true),
        b'R' => ("REDUCE", true),
        b'b' => ("BUILD", true),
        b'i' => ("INST", true),
        b'o' => ("OBJ", true),
        0x81 => ("NEWOBJ", true),
        0x92 => ("NEWOBJ_EX", true),
        0x82 => ("EXT1", true),
        0x83 => ("EXT2", true),
        0x84 => ("EXT4", true),
        b'P' => ("PERSID", true),
        b'Q' => ("BINPERSID", true),
        0x97 => ("NEXT_BUFFER", false),
        0x98 => ("READONLY_BUFFER", false),
        0x96 => ("BYTEARRAY8", false),
        0x8f => ("EMPTY_SET", false),
        0x90 => ("ADDITEMS", false),
        0x91 => ("FROZENSET", false),
        b'0' => ("POP", false),
        b'1' => ("POP_MARK", false),
        b'2' => ("DUP", false),
        b'F' => ("FLOAT", false),
        b'I' => ("INT", false),
        b'L' => ("LONG", false),
        b'S' => ("STRING", false),
        b'T' => ("BINSTRING", false),
        b'U' => ("SHORT_BINSTRING", false),
        b'V' => ("UNICODE", false),
        b'd' => ("DICT", false),
        b'l' => ("LIST", false),
        b'g' => ("GET", false),
        b'p' => ("PUT", false),
        _ => ("no opcode", false),
    }
}
