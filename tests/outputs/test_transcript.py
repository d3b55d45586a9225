"""A pasted terminal falls into what each command printed, with its host, device and time."""

from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.sources.outputs import transcript
from badhop.sources.outputs.lines import Lines
from badhop.sources.outputs.passage import Moment, Passage

NOON = 1_764_504_000_000_000_000  # 2025-11-30T12:00:00Z
MTIME = Moment(NOON + 10**9, "mtime")


def passages(text: str, begins: str = "\0", path: str = "pasted.txt") -> list[Passage]:
    lines = Lines(text.split("\n"))
    around = Passage(PurePath(path), Lines(()), taken=MTIME)
    return list(transcript.passages(lines, around, lambda line: line.startswith(begins)))


@pytest.mark.parametrize(
    ("prompt", "host"),
    [
        ("root@h12:~# ethtool -S eth2", "h12"),
        ("[root@h12 tmp]# ethtool -S eth2", "h12"),
        ("admin@h12:/var/log$ sudo ethtool -S eth2", "h12"),
        ("h12# ethtool -S eth2", "h12"),
        ("h12(config)#ethtool -S eth2", "h12"),
        ("$ ethtool -S eth2", None),
        ("# ethtool -S eth2", None),
        ("+ ethtool -S eth2", None),
        ("# $ ethtool -S eth2", None),
    ],
)
def test_a_prompt_begins_a_passage_and_names_host_command_and_device(prompt: str, host: str | None) -> None:
    (found,) = passages(f"{prompt}\nNIC statistics:\n  rx: 1")
    assert (found.host, found.device) == (host, "eth2")
    assert found.command is not None
    assert transcript.words(found.command) == ("ethtool", "-S", "eth2")
    assert list(found.numbered()) == [(2, "NIC statistics:"), (3, "  rx: 1")]


@pytest.mark.parametrize(
    "line", ["# of packets: 5", "$HOME is full", "a > b", "Total #5 of x", "100% done", "rx -> tx"]
)
def test_a_line_that_only_has_such_a_sign_is_no_prompt(line: str) -> None:
    (found,) = passages(f"first\n{line}\nlast")
    assert found.command is None
    assert found.lines.texts == ["first", line, "last"]


@pytest.mark.parametrize(
    "line",
    [
        "Sun Nov 30 12:00:00 UTC 2025",
        "2025-11-30T12:00:00Z",
        "=== 2025-11-30 12:00:00 ===",
        "--- Sun Nov 30 12:00:00 UTC 2025 ---",
        "1764504000",
        "# 1764504000000000",
    ],
)
def test_a_line_with_a_date_gives_its_time_to_all_that_follows(line: str) -> None:
    before, after, last = passages(f"a: 1\n{line}\na: 2\n$ ethtool -S eth2\na: 3")
    assert before.taken == MTIME
    assert after.taken == last.taken == Moment(NOON, "date")


def test_a_large_number_among_numbers_is_no_date() -> None:
    (found,) = passages("1764504000\n1764504001\n1764504002")
    assert len(found.lines.texts) == 3


def test_a_heading_of_a_script_names_the_device() -> None:
    one, two = passages("# 1764504000000000 eth0\na: 1\n# 1764504001000000 eth1\na: 2")
    assert (one.device, one.taken) == ("eth0", Moment(NOON, "date"))
    assert (two.device, two.taken) == ("eth1", Moment(NOON + 10**9, "date"))


def test_watch_tells_command_host_and_time() -> None:
    (found,) = passages("Every 2.0s: ethtool -S eth2      h12: Sun Nov 30 12:00:00 2025\n\nrx: 1")
    assert (found.command, found.host, found.device) == ("ethtool -S eth2", "h12", "eth2")
    assert found.taken == Moment(NOON, "watch")


def test_a_command_by_its_path_begins_a_section_only_below_a_rule() -> None:
    rule = "_" * 44
    found = passages(
        f"{rule}\n\n/usr/sbin/ethtool -S eth2\n\nNIC statistics:\n{rule}\n\n*** /proc/cmdline\n/bin/ls -l\nx"
    )
    assert [(part.command, part.device) for part in found] == [
        (None, None),
        ("ethtool -S eth2", "eth2"),
        (None, None),
    ]
    (whole,) = passages("running\n/usr/sbin/ethtool -S eth2\nNIC statistics:")
    assert whole.command is None


def test_tail_names_the_file_that_follows() -> None:
    (found,) = passages("==> /h12/counters/mlx5_0.txt <==\n5")
    assert (found.host, found.device, found.path.name) == ("h12", "mlx5_0", "mlx5_0.txt")


def test_a_report_of_nvidia_names_each_file_and_command() -> None:
    rule = "_" * 44
    found = passages(
        f"{rule}\n\n*** /proc/interrupts\n*** ls: -r--r--r-- 1 root root 0\n 0: 1\n{rule}\n\n"
        "/usr/bin/nvidia-smi -q\n\nGPU 0\n"
    )
    one, two = (passage for passage in found if passage.lines.texts[0] != rule)
    assert (one.path.parts[-2:], one.lines.texts[0]) == (("proc", "interrupts"), " 0: 1")
    assert (two.command, two.lines.texts[-2]) == ("nvidia-smi -q", "GPU 0")


def test_a_line_with_which_an_output_begins_stays_in_it() -> None:
    one, two = passages("HEAD 1\na\nHEAD 2\nb", begins="HEAD")
    assert (one.lines.texts, two.lines.texts) == (["HEAD 1", "a"], ["HEAD 2", "b"])
    assert (one.lines.first, two.lines.first) == (1, 3)


def test_words_stop_at_a_pipe_and_bear_an_odd_quote() -> None:
    assert transcript.words("sudo ethtool -S eth2 | grep prio") == ("ethtool", "-S", "eth2")
    assert transcript.words("grep 'it") == ("grep", "'it")


@given(st.lists(st.text(alphabet="ab@:#$ >=-0157TZ\t", max_size=30), max_size=12))
def test_no_line_is_lost_or_told_twice(texts: list[str]) -> None:
    found = passages("\n".join(texts))
    numbers = [number for passage in found for number, _ in passage.numbered()]
    assert numbers == sorted(set(numbers))
    told = {number for passage in found for number, _ in passage.numbered()}
    for number, text in enumerate("\n".join(texts).split("\n"), 1):
        if text.isalpha():
            assert number in told
