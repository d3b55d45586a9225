//! Names of link types that are not decoded, for an engineer who meets one (the tcpdump.org registry).

/// By number. What a capture tool of another world writes is named too: it shows that the wrong file, or the wrong
/// interface, was taken.
const NAMES: [(u32, &str); 34] = [
    (2, "experimental Ethernet"),
    (6, "token ring"),
    (7, "ARCNET"),
    (8, "SLIP"),
    (9, "PPP"),
    (10, "FDDI"),
    (50, "PPP in HDLC framing"),
    (51, "PPPoE without Ethernet"),
    (104, "Cisco HDLC"),
    (105, "802.11"),
    (107, "frame relay"),
    (117, "OpenBSD packet filter log"),
    (119, "802.11 with Prism header"),
    (127, "802.11 with radiotap header"),
    (129, "ARCNET of Linux"),
    (144, "IrDA"),
    (163, "802.11 with AVS header"),
    (182, "multi-link frame relay"),
    (187, "Bluetooth"),
    (189, "USB"),
    (192, "per-packet information (PPI), mostly around 802.11"),
    (195, "802.15.4"),
    (201, "Bluetooth"),
    (220, "USB"),
    (230, "802.15.4 without FCS"),
    (239, "NFLOG"),
    (242, "IP over InfiniBand"),
    (249, "USB"),
    (252, "PDUs exported by Wireshark"),
    (253, "netlink"),
    (274, "Ethernet with its preamble"),
    (281, "Ethernet with the tag of a Broadcom switch"),
    (282, "Ethernet behind the tag of a Broadcom switch"),
    (285, "Ethernet with the tag of a Marvell switch"),
];

/// The name, if it has one.
pub(super) fn link_name(number: u32) -> Option<&'static str> {
    let known = NAMES.iter().find(|&&(known, _)| known == number).map(|&(_, name)| name);
    known.or(match number {
        147..=162 => Some("of the capture tool's own making"), // LINKTYPE_USER0 to 15
        284 => Some("Ethernet with the tag of a Marvell switch"),
        _ => None,
    })
}

/// Whether it is of a wireless network, where nobody runs RDMA.
pub(super) const fn is_wireless(number: u32) -> bool {
    matches!(number, 105 | 119 | 127 | 163 | 187 | 192 | 195 | 201 | 230)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_of_one_number_in_order() {
        assert!(NAMES.is_sorted_by(|(a, _), (b, _)| a < b));
        assert!(NAMES.iter().all(|&(number, name)| link_name(number) == Some(name)));
    }

    #[test]
    fn what_is_decoded_needs_no_name() {
        for decoded in [0, 1, 12, 14, 101, 108, 113, 197, 228, 229, 247, 276] {
            assert_eq!(link_name(decoded), None);
        }
    }
}
