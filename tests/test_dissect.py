"""One packet, field by field."""

import random
import struct
from pathlib import Path

import pytest

from badhop import _core
from badhop.dissect import Field, dissect, syndrome
from raw_capture import ETHERNET, ack, ipv4_udp, pfc, roce

RETH = struct.pack(">QII", 0x7F2000000000, 0x18A2D, 4096)
WRITE_ONLY = roce(0x0A, 0x12345, 0xABCDEF, RETH + b"payload.")
LINK_TYPES = (0, 1, 9, 12, 101, 113, 228, 229, 247, 276, 65535)


def named(fields: tuple[Field, ...], layer: str) -> dict[str, Field]:
    return {field.name: field for field in fields if field.layer == layer}


def bytes_of(data: bytes, field: Field) -> bytes:
    assert field.offset is not None
    assert field.length is not None
    return data[field.offset : field.offset + field.length]


def test_a_write_shows_bth_reth_message_and_icrc_with_the_bytes_they_came_from() -> None:
    fields = dissect(WRITE_ONLY, ETHERNET)
    bth, reth = named(fields, "BTH"), named(fields, "RETH")
    assert bth["opcode"].value == "RC_RDMA_WRITE_ONLY (0xa)"
    assert bth["dest_qp"].value == "74565 (0x12345)"
    assert bytes_of(WRITE_ONLY, bth["psn"]) == b"\xab\xcd\xef"
    assert reth["dma_len"].value == "4096 (0x00001000)"
    assert bytes_of(WRITE_ONLY, reth["va"]) == RETH[:8]
    assert bytes_of(WRITE_ONLY, named(fields, "Payload")["data"]) == b"payload."
    assert bytes_of(WRITE_ONLY, named(fields, "ICRC")["icrc"]) == WRITE_ONLY[-4:]


def test_layers_stand_in_wire_order() -> None:
    layers = list(dict.fromkeys(field.layer for field in dissect(WRITE_ONLY, ETHERNET)))
    assert layers == ["Ethernet", "IP", "UDP", "BTH", "RETH", "Payload", "ICRC"]
    offsets = [field.offset for field in dissect(WRITE_ONLY, ETHERNET)]
    assert offsets == sorted(offset for offset in offsets if offset is not None)


@pytest.mark.parametrize("low_port", [69, 53, 4791, 67, 123])
def test_roce_is_known_by_its_destination_port_whatever_the_source_port(low_port: int) -> None:
    fields = dissect(roce(0x0A, 17, 5, RETH, source_port=low_port), ETHERNET)
    assert named(fields, "BTH")["psn"].value == "5"
    assert named(fields, "UDP")["sport"].value == str(low_port)


def test_a_datagram_that_only_comes_from_that_port_is_not_roce() -> None:
    assert not named(dissect(ipv4_udp(bytes(40), 4791, 5000), ETHERNET), "BTH")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0x1F, "ACK"),
        (0x03, "ACK, 3 in the credit code"),
        (0x2E, "RNR NAK: receiver not ready, timer code 14"),
        (0x60, "NAK: PSN sequence error"),
        (0x63, "NAK: remote operational error"),
        (0x40, "reserved"),
        (0x7F, "NAK: reserved code"),
    ],
)
def test_a_syndrome_is_told_in_words(value: int, words: str) -> None:
    assert syndrome(value) == words
    aeth = named(dissect(ack(17, 5, syndrome=value, msn=9), ETHERNET), "AETH")
    assert aeth["syndrome"].value == f"0x{value:02x} ({words})"
    assert aeth["msn"].value == "9 (0x000009)"


@pytest.mark.parametrize(
    ("opcode", "headers"),
    [
        (0x04, []),
        (0x05, ["ImmDt"]),
        (0x06, ["RETH"]),
        (0x0B, ["RETH", "ImmDt"]),
        (0x0C, ["RETH"]),
        (0x0E, []),
        (0x10, ["AETH"]),
        (0x12, ["AETH", "AtomicAckETH"]),
        (0x14, ["AtomicETH"]),
        (0x17, ["IETH"]),
        (0x2A, ["RETH"]),
        (0x4A, ["RDETH", "DETH", "RETH"]),
        (0x51, ["RDETH", "AETH"]),
        (0x64, ["DETH"]),
        (0xAA, ["XRCETH", "RETH"]),
        (0xB1, ["AETH"]),
        (0x81, ["CNP"]),
        (0xC4, []),
    ],
)
def test_each_opcode_has_the_extension_headers_of_ibta_table_38(opcode: int, headers: list[str]) -> None:
    fields = dissect(roce(opcode, 17, 5, bytes(64)), ETHERNET)
    found = list(dict.fromkeys(field.layer for field in fields))
    assert found[found.index("BTH") + 1 :] == [*headers, "Payload", "ICRC"]


def test_padding_is_told_from_the_message() -> None:
    packet = bytearray(roce(0x04, 17, 5, b"abcde" + bytes(3)))
    packet[43] |= 3 << 4  # pad count
    payload = named(dissect(bytes(packet), ETHERNET), "Payload")
    assert bytes_of(bytes(packet), payload["data"]) == b"abcde"
    assert payload["pad"].length == 3


def test_a_packet_that_the_capture_cut_has_no_icrc_and_says_what_is_missing() -> None:
    fields = dissect(WRITE_ONLY[:-10], ETHERNET)
    assert not named(fields, "ICRC")
    assert fields[-1].value == "the last 10 bytes, ICRC included, were not captured"
    assert named(fields, "RETH")


def test_a_header_that_the_capture_cut_is_named() -> None:
    assert dissect(WRITE_ONLY[:60], ETHERNET)[-1].value == "cut inside the RETH"
    assert dissect(WRITE_ONLY[:50], ETHERNET)[-1].value == "cut inside the BTH: 8 of 12 bytes were captured"


def test_a_pause_frame_shows_what_it_pauses() -> None:
    fields = dissect(pfc(0x08, [0, 0, 0, 0xFFFF, 0, 0, 0, 0]), ETHERNET)
    values = {field.name: field.value for field in fields}
    assert values["c3_enabled"] == "1"
    assert values["c3_pause_time"].startswith("65535")


def test_an_unknown_link_type_says_so() -> None:
    assert dissect(b"abc", 65535) == (Field("not dissected", "reason", "no dissector for link type 65535", 0, 3),)


def test_native_infiniband_starts_at_its_lrh() -> None:
    fields = dissect(bytes([0, 2, 0, 17, 0, 9, 0, 5]) + WRITE_ONLY[42:], 247)
    assert named(fields, "LRH")["dlid"].value == "17 (0x0011)"
    assert named(fields, "BTH")["dest_qp"].value == "74565 (0x12345)"
    assert named(fields, "ICRC")


def test_no_truncation_and_no_odd_byte_raises_and_no_field_lies_outside_the_packet() -> None:
    dice = random.Random(4791)
    packets = [WRITE_ONLY, ack(17, 5), pfc(255, [1] * 8), b"\x00\x03" + WRITE_ONLY[12:]]
    tried = [packet[:end] for packet in packets for end in range(len(packet) + 1)]
    for _ in range(1500):
        damaged = bytearray(dice.choice(packets))
        for _ in range(dice.randrange(1, 6)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        tried.append(bytes(damaged))
    for packet in tried:
        for field in dissect(packet, dice.choice(LINK_TYPES)):
            if field.offset is not None and field.length is not None:
                assert 0 <= field.offset <= field.offset + field.length <= len(packet)


def test_a_thousand_nested_labels_end_in_a_reason() -> None:
    packet = WRITE_ONLY[:12] + b"\x81\x00\x00\x01" * 1000 + b"\x08\x00"
    fields = dissect(packet, ETHERNET)
    assert fields[-1].layer == "not dissected"
    assert len(fields) < 1000


@pytest.mark.each_file("path", "corpus/files/*/*")
def test_the_first_packets_of_every_real_capture_are_dissected(path: Path) -> None:
    for frame in range(1, 6):
        try:
            packet = _core.packet(path, frame)
        except (ValueError, IndexError):  # no capture, or fewer packets
            return
        assert dissect(packet.data, packet.link_type)
