"""A capture in two files tells what the whole tells: every file of the corpus, cut between two packets."""

import struct
from pathlib import Path

import polars as pl
import pytest

from badhop import _core


def halves(content: bytes) -> tuple[bytes, bytes] | None:
    """The two halves of a plain pcap file, or of a pcapng file with one section, each with what must stand before."""
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\x4d\x3c\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\xa1\xb2\x3c\x4d": ">"}
    if content[:4] in order:
        return _pcap_halves(content, order[content[:4]])
    if content[:4] == b"\x0a\x0d\x0d\x0a":
        return _pcapng_halves(content, "<" if content[8:12] == b"\x4d\x3c\x2b\x1a" else ">")
    return None


def _pcap_halves(content: bytes, order: str) -> tuple[bytes, bytes]:
    places = [24]
    while places[-1] + 16 <= len(content):
        places.append(places[-1] + 16 + struct.unpack_from(f"{order}I", content, places[-1] + 8)[0])
    cut = places[len(places) // 2]
    return content[:cut], content[:24] + content[cut:]


def _pcapng_halves(content: bytes, order: str) -> tuple[bytes, bytes] | None:
    packets, described, place = [], 0, 0
    while place + 12 <= len(content):
        kind, length = struct.unpack_from(f"{order}II", content, place)
        if length < 12 or (kind == 0x0A0D0D0A and place > 0):
            return None
        if kind in (2, 3, 6):
            packets.append(place)
        elif kind in (0x0A0D0D0A, 1) and not packets:
            described = place + length
        elif kind == 1:
            return None  # an interface in the middle: the second half would number it anew
        place += (length + 3) // 4 * 4
    if len(packets) < 2:
        return None
    cut = packets[len(packets) // 2]
    return content[:cut], content[:described] + content[cut:]


def tables(paths: Path | list[Path]) -> dict[str, pl.DataFrame]:
    frames = {name: pl.DataFrame(frame) for name, frame in _core.track(paths, "x").items()}
    columns = [name for name, *_ in next(t for t in _core.tables() if t["name"] == "packets")["columns"]]
    frames["packets"] = pl.concat(pl.DataFrame(f) for f in _core.scan(paths, "packets", "x", columns, 10_000, None))
    return frames


@pytest.mark.each_file("capture", "corpus/files/*/*")
def test_two_halves_tell_what_the_whole_tells(capture: Path, tmp_path: Path) -> None:
    try:
        both = halves(capture.read_bytes())
        whole = tables(capture)
    except (_core.CaptureError, struct.error, pl.exceptions.PolarsError, ValueError):
        pytest.skip("not readable, or without packets: there is nothing to cut")
    if both is None:
        pytest.skip("compressed, or with several sections")
    if whole["problems"].height:
        pytest.skip("damaged: where it breaks, so does the half")
    paths = [tmp_path / "part0", tmp_path / "part1"]
    for path, half in zip(paths, both, strict=True):
        path.write_bytes(half)
    parts = tables(paths)
    assert set(parts) == set(whole)
    for name, frame in whole.items():
        if name == "comments":  # those of section and interface stand in both halves
            of_packets = pl.col("kind") == "packet"
            frame, parts[name] = frame.filter(of_packets), parts[name].filter(of_packets)
        assert parts[name].equals(frame), name
