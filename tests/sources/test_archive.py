"""Archives are read member by member: nothing is unpacked to disk, nothing leads out, nothing is lost silently."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.errors import Unreadable
from badhop.sources import Incident, archive, read
from raw_capture import ack, pcap

STATISTICS = b"NIC statistics:\n     rx_prio3_pause: 5\n     tx_prio3_pause: 0\n"
TIME = 1_764_504_000  # 2025-11-30T12:00:00Z


def tar(files: dict[str, bytes], mode: str = "w") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as out:  # type: ignore[call-overload]
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(content), TIME
            out.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(zipfile.ZipInfo(name, (2025, 11, 30, 12, 0, 0)), content)
    return packed.getvalue()


PACKERS: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "tar": tar,
    "tar.gz": lambda files: tar(files, "w:gz"),
    "tar.bz2": lambda files: tar(files, "w:bz2"),
    "tar.xz": lambda files: tar(files, "w:xz"),
    "zip": zipped,
    "zip in tar.gz": lambda files: tar({"inner.zip": zipped(files)}, "w:gz"),
    "tar.gz in zip": lambda files: zipped({"inner.tar.gz": tar(files, "w:gz")}),
}


def opened(tmp_path: Path, content: bytes) -> Incident:
    path = tmp_path / "evidence.bin"
    path.write_bytes(content)
    return read([path])


@pytest.mark.parametrize("form", PACKERS)
def test_what_tools_printed_is_read_out_of_any_archive(tmp_path: Path, form: str) -> None:
    incident = opened(tmp_path, PACKERS[form]({"h12/ethtool_eth2.txt": STATISTICS, "h12/notes": b"hello"}))
    counters = incident.frames["counters"].select("host", "device", "raw_name", "value", "ts_from").collect()
    assert counters.rows()[0] == ("h12", "eth2", "rx_prio3_pause", 5, "mtime")
    assert incident.sources[0].name.endswith("/h12/ethtool_eth2.txt")
    assert incident.sources[-1].problems[-1].startswith("1 file is of no known kind and was left out:")


@pytest.mark.parametrize("form", PACKERS)
def test_captures_in_an_archive_are_captures(tmp_path: Path, form: str) -> None:
    capture = pcap(tmp_path / "tor.pcap", [ack(1, 1)]).read_bytes()
    incident = opened(tmp_path, PACKERS[form]({"h12/tor.pcap": capture, "h13/tor.pcap.gz": gzip.compress(capture)}))
    assert incident.rows("packets") == 2
    assert [source.kind for source in incident.sources] == ["pcap", "pcap+gzip", "archive"]
    assert incident.frames["packets"].collect().height == 2


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_single_compressed_file_is_read_as_what_is_in_it(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / "h12").mkdir()
    (tmp_path / "h12" / "ethtool_eth2.txt.gz").write_bytes(pack(STATISTICS))
    incident = read([tmp_path])
    assert incident.frames["counters"].select("host", "device").collect().rows()[0] == ("h12", "eth2")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_of_a_single_compressed_file_that_is_cut_what_came_before_is_read(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    lines = b"".join(b"     rx%d_packets: %d\n" % (number, number * 7919) for number in range(400_000))
    packed = pack(b"NIC statistics:\n" + lines)
    incident = opened(tmp_path, packed[: len(packed) // 2])
    assert incident.rows("counters") > 10_000
    assert "damaged or cut" in incident.sources[-1].problems[0]


def test_a_report_of_sos_tells_host_and_command(tmp_path: Path) -> None:
    name = "sosreport-gpu-7-2025-11-30-abcdefg/sos_commands/networking/ethtool_-S_eth2"
    incident = opened(tmp_path, tar({name: STATISTICS}, "w:xz"))
    assert incident.frames["counters"].select("host", "device").collect().rows()[0] == ("gpu-7", "eth2")


def test_names_that_lead_out_are_only_names(tmp_path: Path) -> None:
    outside = {"../../etc/passwd": STATISTICS, "/etc/shadow": STATISTICS, "a/../../b": STATISTICS}
    incident = opened(tmp_path, tar(outside))
    assert sorted(source.name for source in incident.sources) == [
        "evidence.bin",
        "evidence.bin/a/b",
        "evidence.bin/etc/passwd",
        "evidence.bin/etc/shadow",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evidence.bin"]


def test_links_and_devices_in_an_archive_are_passed_over(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as out:
        for kind, name in ((tarfile.SYMTYPE, "link"), (tarfile.LNKTYPE, "hard"), (tarfile.CHRTYPE, "zero")):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            out.addfile(entry)
        entry = tarfile.TarInfo("a.txt")
        entry.size = len(STATISTICS)
        out.addfile(entry, io.BytesIO(STATISTICS))
    incident = opened(tmp_path, packed.getvalue())
    assert [source.name for source in incident.sources] == ["evidence.bin/a.txt", "evidence.bin"]


@pytest.mark.parametrize("form", ["tar", "tar.gz", "tar.xz"])
def test_of_an_archive_that_is_cut_what_came_before_is_read_and_the_damage_said(tmp_path: Path, form: str) -> None:
    packed = PACKERS[form]({"a.txt": STATISTICS, "noise": os.urandom(1 << 20)})
    incident = opened(tmp_path, packed[: len(packed) * 3 // 4])
    assert incident.rows("counters") == 2
    assert "damaged or cut" in incident.sources[-1].problems[0]


def test_a_bomb_ends_with_a_note() -> None:
    bomb = gzip.compress(gzip.compress(bytes(1 << 30), 9), 9)
    notes: list[str] = []
    (member,) = archive.members(bomb, notes, PurePath("zeros"))
    assert len(member.head) == archive.HEAD  # and nothing more was unpacked


@pytest.mark.parametrize("form", ["tar", "zip"])
def test_all_that_is_taken_out_counts_and_not_only_first_bytes(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.setattr(archive, "HEAD", 1000)
    monkeypatch.setattr(archive, "MOST_BYTES", 5000)
    notes: list[str] = []
    packed = PACKERS[form]({f"{number}.txt": b"x" * 3000 for number in range(9)})
    sizes = [len(member.content()) for member in archive.members(packed, notes)]
    assert sizes == [3000, 2000]
    assert notes == ["only the first 2 files of it were read: the rest is too much"]


def test_archives_inside_archives_end_somewhere() -> None:
    packed = STATISTICS
    for depth in range(6):
        packed = tar({f"level-{depth}": packed})
    notes: list[str] = []
    assert list(archive.members(packed, notes)) == []
    assert notes == ["level-3: an archive inside 3 others was left out"]


def test_an_archive_without_anything_known_says_so(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="a tar archive, not a packet capture, and no output or log of a known tool"):
        opened(tmp_path, tar({"a.txt": b"hello"}))


def test_a_compressed_file_of_no_known_kind_is_refused_as_one(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="text"):
        opened(tmp_path, b"hello")


@given(st.binary(max_size=1200), st.sampled_from([b"", b"PK\x03\x04", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"BZh9"]))
def test_any_bytes_end_in_members_or_a_note(rest: bytes, magic: bytes) -> None:
    notes: list[str] = []
    for member in archive.members(magic + rest, notes):
        member.content()


def test_every_cut_of_an_archive_ends() -> None:
    for form in PACKERS:
        packed = PACKERS[form]({"a.txt": STATISTICS, "b.txt": STATISTICS * 3})
        for length in range(0, len(packed), 37):
            for member in archive.members(packed[:length], []):
                member.content()
