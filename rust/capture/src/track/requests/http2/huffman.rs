//! The Huffman code of HPACK (RFC 7541 appendix B). It is canonical: the lengths of its codes and the order of its symbols
//! say everything.

/// How many codes have each length in bits. The last of length 30 is EOS, which no string may hold.
const COUNTS: [u16; 31] =
    [0, 0, 0, 0, 0, 10, 26, 32, 6, 0, 5, 3, 2, 6, 2, 3, 0, 0, 0, 3, 8, 13, 26, 29, 12, 4, 15, 19, 29, 0, 4];

/// The symbols in the order of their codes.
const SYMBOLS: [u8; 256] = [
    48, 49, 50, 97, 99, 101, 105, 111, 115, 116, 32, 37, 45, 46, 47, 51, 52, 53, 54, 55, 56, 57, 61, 65, 95, 98, 100,
    102, 103, 104, 108, 109, 110, 112, 114, 117, 58, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81,
    82, 83, 84, 85, 86, 87, 89, 106, 107, 113, 118, 119, 120, 121, 122, 38, 42, 44, 59, 88, 90, 33, 34, 40, 41, 63, 39,
    43, 124, 35, 62, 0, 36, 64, 91, 93, 126, 94, 125, 60, 96, 123, 92, 195, 208, 128, 130, 131, 162, 184, 194, 224,
    226, 153, 161, 167, 172, 176, 177, 179, 209, 216, 217, 227, 229, 230, 129, 132, 133, 134, 136, 146, 154, 156, 160,
    163, 164, 169, 170, 173, 178, 181, 185, 186, 187, 189, 190, 196, 198, 228, 232, 233, 1, 135, 137, 138, 139, 140,
    141, 143, 147, 149, 150, 151, 152, 155, 157, 158, 165, 166, 168, 174, 175, 180, 182, 183, 188, 191, 197, 231, 239,
    9, 142, 144, 145, 148, 159, 171, 206, 215, 225, 236, 237, 199, 207, 234, 235, 192, 193, 200, 201, 202, 205, 210,
    213, 218, 219, 238, 240, 242, 243, 255, 203, 204, 211, 212, 214, 221, 222, 223, 241, 244, 245, 246, 247, 248, 250,
    251, 252, 253, 254, 2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28, 29, 30,
    31, 127, 220, 249, 10, 13, 22,
];

/// Longest code, in bits.
const LONGEST: usize = 30;

/// Decodes a string; stops after `most` bytes. `None` when it is no such string: EOS inside it, or padding that is not
/// the beginning of EOS (RFC 7541 section 5.2).
pub fn decode(coded: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(most.min(coded.len() * 8 / 5));
    let (mut code, mut len, mut first, mut index) = (0_u32, 0_usize, 0_u32, 0_u32);
    for byte in coded {
        for bit in (0..8).rev() {
            code = code << 1 | u32::from(byte >> bit & 1);
            first <<= 1;
            len += 1;
            if len > LONGEST {
                return None;
            }
            let count = u32::from(*COUNTS.get(len)?);
            if code.wrapping_sub(first) < count {
                text.push(*SYMBOLS.get((index + code - first) as usize)?);
                if text.len() >= most {
                    return Some(text);
                }
                (code, len, first, index) = (0, 0, 0, 0);
            } else {
                index += count;
                first = first.wrapping_add(count);
            }
        }
    }
    // What is left is padding: fewer than eight bits, all set.
    (len < 8 && code == (1 << len) - 1).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_rfc_are_decoded() {
        // RFC 7541 appendix C.4.1 and C.6.1.
        let host = [0xf1, 0xe3, 0xc2, 0xe5, 0xf2, 0x3a, 0x6b, 0xa0, 0xab, 0x90, 0xf4, 0xff];
        assert_eq!(decode(&host, 99).unwrap(), b"www.example.com");
        assert_eq!(decode(&[0x64, 0x02], 99).unwrap(), b"302");
        assert_eq!(decode(&host, 3).unwrap(), b"www");
    }

    #[test]
    fn padding_that_is_no_beginning_of_eos_is_refused() {
        assert_eq!(decode(&[0x00], 99), None);
        assert_eq!(decode(&[0xff, 0xff, 0xff, 0xff], 99), None);
    }
}
