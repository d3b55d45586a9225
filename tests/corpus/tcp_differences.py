"""Where the TCP tables of badhop and tshark's analysis of the corpus differ, and why."""

from collections.abc import Mapping
from types import MappingProxyType

NOT_DECODED: Mapping[str, str] = MappingProxyType(
    {
        "tcpdump__lspping-fec-ldp.pcap": "MPLS echo messages inside the stack, and one label stack that is not walked",
        "zeek__gtp_ext_header.pcap": "a GTP extension header",
        "PcapPlusPlus__CiscoHDLC.pcap": "link type Cisco HDLC",
        "libpcap__http_PPI.pcap": "link type PPI",
        "sample-captures__netlink-conntrack.pcap": "link type netlink",
        "sample-captures__nflog.pcap": "link type NFLOG",
        "zeek__nflog-http.pcap": "link type NFLOG",
        "suricata-verify__decode-chdlc-01__hdlc-http_1tx.pcap": "link type Cisco HDLC",
        "suricata-verify__decode-etag-01__input.pcap": "an 802.1BR E-tag",
        "tcpdump__arcnet-rfc1201-arp-icmp-http.pcap": "link type ARCNET",
        "zeek__llc.pcap": "IP over LLC with SNAP",
        "zeek__vntag_vlan_sandwich_clean.pcap": "a VN-tag",
        "High-Precision-Congestion-Control__tcp-chain-test-0-0.pcap": "link type PPP",
        "zeek__gre-aruba.pcap": "GRE with a protocol number of a vendor",
    }
)
"""Files whose TCP lies behind a header that badhop does not read. Who teaches it to can delete the line."""

REASSEMBLED: Mapping[str, str] = MappingProxyType(
    {
        "zeek__gtp1_gn_normal_incl_fragmentation.pcap": "the outer datagrams are fragments",
        "zeek__gtp2_different_udp_port.pcap": "the outer datagrams are fragments",
        "zeek__gtp9_unknown_or_too_short_payload.pcap": "the outer datagrams are fragments",
        "PcapPlusPlus__http_req_frag.pcap": "one segment in several fragments",
        "PcapPlusPlus__ipfragutil_bpf_filter.pcap": "one segment in several fragments",
        "suricata-verify__bug-6887-defrag-ipv4-tcp-syn__frag-ip-tcp-syn.pcap": "the TCP header itself is cut in two",
        "suricata-verify__bug-6887-defrag-ppp-ipv6-tcp__frag-ppp-ipv6-tcp.pcap": "the TCP header itself is cut in two",
    }
)
"""Files in which tshark puts IP fragments together and counts a segment once, with all its bytes; badhop takes the
first fragment for the segment."""

DAMAGED: Mapping[str, str] = MappingProxyType(
    {
        "nDPI__ajp.pcap": "two flows that share ports, one renamed by hand: tshark leaves frames of both in one stream",
        "PcapPlusPlus__tcp-reassembly.pcap": "tshark also counts a TCP header that an sFlow sample quotes",
        "nDPI__ndpi_match_string_subprotocol__error.pcapng": "lengths made up by a fuzzer",
        "suricata-verify__transform-base64-7296__input.pcap": "headers and times made up by a fuzzer",
        "tcpdump__bgp_pmsi_tunnel-oobr.pcap": "lengths made up by a fuzzer",
        "tcpdump__kday4.pcap": "an IP total length of 0: tshark takes the segment for empty, badhop for one still to"
        " be cut",
        "zeek__fuzz-72.pcap": "headers made up by a fuzzer; tshark takes no bytes of a segment with a wrong data "
        "offset",
        "zeek__reassembly.pcap": "a segment whose lengths contradict each other",
        "gopacket__layers__testdata__linux_sll_oversized_addr.pcapng": "lengths made up by a fuzzer",
        "suricata-verify__tcp-fastopen-10-syn-data-ignore__input.pcap": "a server that changes its sequence number "
        "from one SYN/ACK to the next: badhop begins anew, tshark only where the ports look used again",
        "zeek__syn-then-ack-then-rst.pcap": "an ACK as the first segment of a direction: a window update to tshark",
        "nDPI__tls_heur__shadowsocks-tcp.pcapng": "tshark numbers a stream inside SOCKS, of which no frame exists",
        "nDPI__tls_heur__trojan-tcp-tls.pcapng": "the same",
        "nDPI__tls_heur__vmess-websocket.pcapng": "the same",
    }
)
"""Files in which tshark and badhop disagree about what is a segment, and so about all that follows."""

ACKED_UNSEEN: Mapping[str, int] = MappingProxyType(
    {
        "zeek__erspan.pcap": 1,
        "PcapPlusPlus__ldap.pcapng": 4,
        "nDPI__nest_log_sink.pcap": 1,
        "sample-captures__openflow_v1.3_messages.pcapng.gz": 1,
    }
)
"""By how much the number of ACKs of unseen segments in a stream may differ. tshark says it again, or not, after further
holes, by rules that its guide does not give."""

OURS: Mapping[str, str] = MappingProxyType(
    {
        "dup_acks": "Wireshark counts each ACK that repeats itself; badhop those that say something: "
        "while data is on its way "
        "(RFC 5681), or with news in SACK (RFC 6675), and not the copies of a mirror port",
        "out_of_order": "Wireshark takes what comes within the handshake's round trip, or 3 ms, for out of "
        "order, even bytes that "
        "had passed before; badhop asks whether they had, for timestamp and IP identification, then for time",
        "retransmissions": "the other side of the same coin; and copies by a mirror port are none",
        "keep_alives": "an empty segment below the next byte, sent into a closed window, is a probe of that "
        "window; one byte sent "
        "again that is not acknowledged is a retransmission",
        "zero_window_probes": "likewise; a byte beyond a window that is closed by an RST's field is none",
        "skips": "after an ACK of unseen bytes badhop knows of them already and does not say so again "
        "when the next comes",
        "acked_unseen": "badhop counts each ACK beyond all that was seen; Wireshark each that is beyond the "
        "first hole, once",
    }
)
"""Counts of badhop that differ from Wireshark's on purpose, and why."""
OURS_DIFFER: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "acked_unseen": frozenset(
            {
                "PcapPlusPlus__ldap.pcapng",
                "libtrace__vlan.pcap",
                "nDPI__heuristic_tcp_ack_payload.pcap",
                "nDPI__nest_log_sink.pcap",
                "nDPI__tls_client_certificate_with_missing_server_one.pcapng",
                "pcap-parser__wireshark_samples-test.pcapng",
                "sample-captures__lustre-lnet_sample.cap.gz",
                "sample-captures__openflow_v1.3_messages.pcapng.gz",
                "sample-captures__smb-direct-man-in-the-middle-02-reassemble-frames9.pcap.gz",
                "suricata-verify__tcp-rst-unacked-stream-09__TLPW1-tcp-110.37.219.134-10.12.14.101-tcp-990-49230.pcap",
                "suricata-verify__tcp-rst-unacked-stream-12__TLPW1-tcp-110.37.219.134-10.12.14.101-tcp-990-49254.pcap",
                "zeek__1000-requests-one-dropped-response.pcap.gz",
                "zeek__bro.org-filtered.pcap",
                "zeek__content-range-gap-skip.pcap",
                "zeek__content-range-gap.pcap",
                "zeek__cooper-grill-dvwa.pcapng",
                "zeek__fuzz-1011.pcap",
                "zeek__miss_end_data.pcap",
                "zeek__ocsp-request-only.pcap",
                "zeek__zero-length-bodies-with-drops.pcap",
            }
        ),
        "dup_acks": frozenset(
            {
                "gopacket__tests__le__test301.pcapng",
                "nDPI__edonkey.pcap",
                "nDPI__ethereum.pcap",
                "nDPI__fix2.pcap",
                "nDPI__nest_log_sink.pcap",
                "nDPI__reasm_segv_anon.pcapng",
                "nDPI__rtsp.pcap",
                "sample-captures__lustre-lnet_sample.cap.gz",
                "sample-captures__mpls-basic.cap",
                "sample-captures__mpls-exp.cap",
                "sample-captures__mpls-twolevel.cap",
                "suricata-verify__http-range-multiflows__input.pcap",
                "tcpdump__mptcp-fclose.pcap",
                "tcpdump__mptcp-v0.pcap",
                "tcpdump__pptp.pcap",
                "tcpdump__ssh.pcap",
                "tcpreplay__test.pcap",
                "wireshark4.0.17__http2_follow_multistream.pcapng",
                "zeek__ctu-62604-80.pcap",
                "zeek__ctu-64702-888.pcap",
                "zeek__http-bad-request-with-version.pcap",
                "zeek__mixed-vlan-mpls.pcap",
                "zeek__percent-end-of-line.pcap",
                "zeek__post.pcap",
                "zeek__rdp-unknown-keyboard.pcap",
                "zeek__ssh-dups.pcap",
                "zeek__ssl-to-http-server.pcap",
                "zeek__version-mismatch.pcap",
            }
        ),
        "keep_alives": frozenset(
            {
                "sample-captures__c06-ldapv3-app-r1.pcap.gz",
            }
        ),
        "out_of_order": frozenset(
            {
                "nDPI__ethereum.pcap",
                "nDPI__fix2.pcap",
                "nDPI__heuristic_tcp_ack_payload.pcap",
                "nDPI__reasm_segv_anon.pcapng",
                "suricata-verify__http-pipeline-files-with-gap__input.pcap",
                "suricata-verify__tcp-rst-unacked-stream-09__TLPW1-tcp-110.37.219.134-10.12.14.101-tcp-990-49230.pcap",
                "tcpdump__bgp-as-path-oobr.pcap",
                "wireshark4.0.17__http-ooo.pcap",
                "wireshark4.0.17__http2_follow_multistream.pcapng",
                "zeek__206_example_a.pcap",
                "zeek__206_example_c.pcap",
                "zeek__ctu-64702-888.pcap",
            }
        ),
        "retransmissions": frozenset(
            {
                "nDPI__ethereum.pcap",
                "nDPI__heuristic_tcp_ack_payload.pcap",
                "nDPI__reasm_segv_anon.pcapng",
                "nDPI__rtsp.pcap",
                "pcap-parser__err-buffertoosmall.pcapng",
                "suricata-verify__http-pipeline-files-with-gap__input.pcap",
                "suricata-verify__tcp-rst-unacked-stream-09__TLPW1-tcp-110.37.219.134-10.12.14.101-tcp-990-49230.pcap",
                "tcpdump__bgp-as-path-oobr.pcap",
                "tcpdump__pptp.pcap",
                "wireshark4.0.17__http-ooo.pcap",
                "wireshark4.0.17__http2_follow_multistream.pcapng",
                "zeek__206_example_a.pcap",
                "zeek__206_example_c.pcap",
                "zeek__ctu-64702-888.pcap",
                "zeek__fuzz-1011.pcap",
                "zeek__ssh-dups.pcap",
                "zeek__ssl-to-http-server.pcap",
            }
        ),
        "skips": frozenset(
            {
                "PcapPlusPlus__ldap.pcapng",
                "libtrace__vlan.pcap",
                "nDPI__ethereum.pcap",
                "nDPI__heuristic_tcp_ack_payload.pcap",
                "nDPI__nest_log_sink.pcap",
                "pcap-parser__err-buffertoosmall.pcapng",
                "pcap-parser__wireshark_samples-test.pcapng",
                "sample-captures__lustre-lnet_sample.cap.gz",
                "sample-captures__openflow_v1.3_messages.pcapng.gz",
                "suricata-verify__http-pipeline-files-with-gap__input.pcap",
                "zeek__1000-requests-one-dropped-response.pcap.gz",
                "zeek__bro.org-filtered.pcap",
                "zeek__content-range-gap.pcap",
                "zeek__cooper-grill-dvwa.pcapng",
                "zeek__erspan.pcap",
                "zeek__fuzz-1011.pcap",
                "zeek__ocsp-request-only.pcap",
                "zeek__zero-length-bodies-with-drops.pcap",
            }
        ),
        "zero_window_probes": frozenset(
            {
                "nDPI__ethereum.pcap",
                "sample-captures__c06-ldapv3-app-r1.pcap.gz",
            }
        ),
    }
)
"""The files in which each of them differs, over all connections of the file."""
