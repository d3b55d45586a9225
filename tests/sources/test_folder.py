"""Captures in a folder: found by content, and nothing there can hang or break the search."""

import os
from pathlib import Path

import pytest

from badhop.sources.folder import Folder, files_in, left_out, without_evidence
from raw_capture import ack, pcap


def names(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in files_in(folder, lambda _: None).captures]


def search(folder: Path) -> Folder:
    return files_in(folder, lambda _: None)


def test_captures_are_known_by_content_and_not_by_name(tmp_path: Path) -> None:
    pcap(tmp_path / "trace.bin", [])
    (tmp_path / "fake.pcap").write_text("this is no capture, whatever its name says")
    (tmp_path / "deep" / "er").mkdir(parents=True)
    pcap(tmp_path / "deep" / "er" / "tor.pcap", [])
    assert names(tmp_path) == ["trace.bin", "deep/er/tor.pcap"]


def test_what_is_no_capture_is_given_for_other_readers_to_try(tmp_path: Path) -> None:
    pcap(tmp_path / "tor.pcap", [])
    (tmp_path / "dmesg.txt").write_text("some log")
    assert search(tmp_path) == Folder((tmp_path / "tor.pcap",), (tmp_path / "dmesg.txt",), ())


def test_what_nobody_can_read_is_counted_in_one_note() -> None:
    assert left_out([]) == ()
    assert left_out(["a.txt"]) == ("1 file is of no known kind and was left out: a.txt",)
    assert left_out([f"log-{number}.txt" for number in range(5)]) == (
        "5 files are of no known kind and were left out: log-0.txt, log-1.txt, log-2.txt and 2 more",
    )


def test_hidden_files_and_folders_are_left_out(tmp_path: Path) -> None:
    pcap(tmp_path / "tor.pcap", [])
    pcap(tmp_path / ".tor.pcap.part", [])
    (tmp_path / ".git").mkdir()
    pcap(tmp_path / ".git" / "x.pcap", [])
    assert search(tmp_path) == Folder((tmp_path / "tor.pcap",), (), ())


def test_links_neither_loop_nor_lead_out(tmp_path: Path) -> None:
    inside, outside = tmp_path / "incident", tmp_path / "elsewhere"
    inside.mkdir()
    outside.mkdir()
    pcap(inside / "tor.pcap", [])
    pcap(outside / "other.pcap", [])
    (inside / "loop").symlink_to(inside, target_is_directory=True)
    (inside / "out").symlink_to(outside, target_is_directory=True)
    (inside / "self").symlink_to(inside / "self")
    (inside / "dangling").symlink_to(inside / "nowhere")
    assert names(inside) == ["tor.pcap"]


def test_a_named_pipe_in_a_folder_is_not_opened(tmp_path: Path) -> None:
    pcap(tmp_path / "tor.pcap", [ack(1, 1)])
    os.mkfifo(tmp_path / "pipe")  # opening it would wait for a writer for ever
    assert names(tmp_path) == ["tor.pcap"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_noted_with_the_reason(tmp_path: Path) -> None:
    pcap(tmp_path / "tor.pcap", [])
    pcap(tmp_path / "secret.pcap", []).chmod(0)
    (note,) = search(tmp_path).notes
    assert note.startswith("secret.pcap: Permission denied")


def test_a_capture_of_a_kind_that_is_not_read_is_noted_with_the_reason(tmp_path: Path) -> None:
    pcap(tmp_path / "tor.pcap", [])
    (tmp_path / "old.snoop").write_bytes(b"snoop\0\0\0\0\0\0\2\0\0\0\4" + bytes(64))
    (note,) = search(tmp_path).notes
    assert note.startswith("old.snoop: a snoop capture")


def test_a_folder_without_evidence_is_unreadable_and_says_what_is_known() -> None:
    error = without_evidence(Path("incident"), ("old.snoop: a snoop capture",))
    assert str(error).startswith("incident: no packet capture and no output of a known tool in this folder; old.snoop")
    assert "badhop tables" in error.next_step


def test_each_file_is_told_before_it_is_looked_into(tmp_path: Path) -> None:
    pcap(tmp_path / "a.pcap", [])
    pcap(tmp_path / "b.pcap", [])
    told: list[Path] = []
    files_in(tmp_path, told.append)
    assert told == [tmp_path / "a.pcap", tmp_path / "b.pcap"]
