"""From a capture to each answer that the RoCE loss playbook may give, through the whole engine."""

from collections.abc import Callable
from pathlib import Path

import pytest

from badhop import playbook, sources
from badhop.localise import Verdict
from rdma_talk import ACCESS_ERROR, RECEIVER_NOT_READY, SEQUENCE_ERROR, B, Talk

BEFORE, AFTER = "side:source@tor.pcap", "side:destination@tor.pcap"


def verdict(talk: Talk, folder: Path, *, snap_len: int = 65535) -> Verdict:
    """The verdict on what one tap saw of a talk."""
    capture = talk.write(folder / "tor.pcap", snap_len=snap_len)
    return playbook.walk(playbook.find("roce-loss"), sources.read([capture])).verdict


def healthy() -> Talk:
    talk = Talk()
    for psn in range(0, 400, 4):
        talk.message(psn)
    return talk


def lost_before() -> Talk:
    talk = healthy()
    for psn in range(400, 440, 4):
        talk.data(psn)
        talk.unseen()
        talk.data(psn + 2)
        talk.answer(psn + 1, SEQUENCE_ERROR)
        talk.message(psn + 1, 3)
    return talk


def lost_after() -> Talk:
    talk = healthy()
    for psn in range(400, 440, 4):
        talk.data(psn)
        talk.data(psn + 1)
        talk.data(psn + 2)
        talk.answer(psn + 1, SEQUENCE_ERROR)
        talk.message(psn + 1, 3)
    return talk


def overtaken() -> Talk:
    talk = healthy()
    for psn in range(400, 440, 4):
        first, second, third = (talk.data(psn + step) for step in range(3))
        talk.packets[-3:] = [first, third, second]
        talk.answer(psn + 1, SEQUENCE_ERROR)
        talk.message(psn + 1, 3)
    return talk


def answers_lost_before() -> Talk:
    talk = healthy()
    for psn in range(400, 600, 8):
        for step in range(8):
            talk.data(psn + step, last=step % 4 == 3)
        talk.unseen(B)
        talk.answer(psn + 7)
    return talk


def not_ready() -> Talk:
    talk = healthy()
    for psn in range(400, 440, 4):
        talk.data(psn)
        talk.data(psn + 1)
        talk.answer(psn, RECEIVER_NOT_READY)
        talk.answer(psn, SEQUENCE_ERROR)  # the Linux software device says this, too: nothing was lost
        talk.message(psn)
    return talk


def refused() -> Talk:
    talk = healthy()
    talk.data(400, last=True)
    talk.answer(400, ACCESS_ERROR)
    return talk


def damaged() -> Talk:
    talk = healthy()
    for psn in range(400, 440, 4):
        talk.data(psn)
        broken = bytearray(talk.data(psn + 1))
        broken[200] ^= 0x10
        talk.packets[-1] = bytes(broken)
        talk.data(psn + 2)
        talk.answer(psn + 1, SEQUENCE_ERROR)
        talk.message(psn + 1, 3)
    return talk


def doubled() -> Talk:
    talk = healthy()
    talk.packets = [copy for packet in talk.packets for copy in ([packet, packet] if len(packet) > 500 else [packet])]
    return talk


def paused() -> Talk:
    talk = healthy()
    for _ in range(300):
        talk.pause()
    return talk


def marked() -> Talk:
    talk = healthy()
    for psn in range(400, 440):
        talk.data(psn, last=True, ecn=3)
        talk.answer(psn)
        talk.notification()
    return talk


def notified() -> Talk:
    talk = healthy()
    for psn in range(400, 440):
        talk.data(psn, last=True)
        talk.answer(psn)
        talk.notification()
    return talk


def dropped_by_the_capture() -> Talk:
    talk = healthy()
    talk.packets = [packet for number, packet in enumerate(talk.packets) if number % 20 != 6]
    return talk


def one_way() -> Talk:
    talk = healthy()
    talk.packets = [packet for packet in talk.packets if len(packet) > 500]
    return talk


@pytest.mark.parametrize(
    ("incident", "word", "hops"),
    [
        (healthy, "healthy", []),
        (lost_before, "side-only", [(BEFORE, "graydrop")]),
        (lost_after, "side-only", [(AFTER, "graydrop")]),
        (overtaken, "side-only", [(BEFORE, "reorder")]),
        (answers_lost_before, "side-only", [(BEFORE, "graydrop")]),
        (damaged, "side-only", [(BEFORE, "corrupt")]),
        (not_ready, "likely", [("192.0.2.2/proc", "slow")]),
        (refused, "likely", [("192.0.2.1/proc", "mismatch")]),
        (doubled, "suspect", [(BEFORE, "duplicate")]),
        (paused, "suspect", [("mac:02:00:00:00:00:01", "slowrx")]),
        (marked, "workload", [(BEFORE, "incast")]),
        (notified, "workload", [(AFTER, "incast")]),
        (dropped_by_the_capture, "capture", [("capture:tor.pcap", "capdrop")]),
        (one_way, "cannot-tell", []),
        (Talk, "cannot-tell", []),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_each_trouble_gets_its_own_verdict(
    incident: Callable[[], Talk], word: str, hops: list[tuple[str, str]], tmp_path: Path
) -> None:
    got = verdict(incident(), tmp_path)
    assert (got.verdict, [(hop.id, hop.mode) for hop in got.hops]) == (word, hops)
    assert bool(got.next) == (word != "healthy")


@pytest.mark.parametrize("incident", [healthy, lost_before, lost_after, not_ready, marked], ids=lambda f: f.__name__)
def test_a_short_snap_length_changes_no_verdict(incident: Callable[[], Talk], tmp_path: Path) -> None:
    (tmp_path / "cut").mkdir()
    whole, cut = verdict(incident(), tmp_path), verdict(incident(), tmp_path / "cut", snap_len=96)
    assert (cut.verdict, cut.hops) == (whole.verdict, whole.hops)


@pytest.mark.parametrize(
    "incident", [healthy, lost_before, lost_after, overtaken, not_ready, doubled], ids=lambda f: f.__name__
)
def test_hosts_that_do_not_count_ip_identifications_get_the_same_verdict(
    incident: Callable[[], Talk], tmp_path: Path
) -> None:
    (tmp_path / "zero").mkdir()
    counted, zero = verdict(incident(), tmp_path), verdict(incident().without_ip_ids(), tmp_path / "zero")
    assert (zero.verdict, [hop.id for hop in zero.hops]) == (counted.verdict, [hop.id for hop in counted.hops])


def test_a_capture_taken_before_the_nic_wrote_the_icrc_is_not_full_of_damage(tmp_path: Path) -> None:
    talk = healthy()
    talk.packets = [packet[:-4] + bytes(4) for packet in talk.packets]
    assert verdict(talk, tmp_path).verdict == "healthy"
