"""The readers of NICs, fabrics and hardware on texts that nobody printed: nothing raises, and time is linear."""

from pathlib import PurePath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from badhop.sources.outputs.kind import Kind, Log, Output
from badhop.sources.outputs.kinds.fabric import devices, topology
from badhop.sources.outputs.kinds.hardware import KINDS as HARDWARE
from badhop.sources.outputs.kinds.nic import settings as nic_settings
from badhop.sources.outputs.lines import Lines
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows

KINDS: tuple[Kind, ...] = (*nic_settings.KINDS, *devices.KINDS, *topology.KINDS, *HARDWARE)

WORDS = st.sampled_from(
    (
        "Settings for eth0:",
        "GPU 00000000:01:00.0",
        "GPU 0: x (UUID: GPU-1)",
        "Speed",
        "Channel 1",
        "==(",
        ")==>",
        "[1]",
        '"S-0123456789abcdef"',
        "lid 1 lmc 0",
        "4xNDR",
        "|",
        ":",
        ",",
        "N/A",
        "-inf dBm",
        "99999999999999999999999",
        "-1",
        "1e999",
        "0x",
        "P99",
        "prio-tc",
        "0:ets",
        "\t",
        "  ",
        "\n",
        "\n\t",
        "\n        ",
        "PSU0 status",
        "00:00.0 PCI bridge: x",
        "LnkSta:",
        "Width x99",
        "²",
        "{",
        "]",
    )
)


def passage(text: str, command: str | None = None) -> Passage:
    return Passage(PurePath("pasted.txt"), Lines(text.split("\n")), command)


def read_by_all(text: str, command: str | None = None) -> None:
    whole = passage(text, command)
    for kind in KINDS:
        rows = Rows("pasted.txt")
        if isinstance(kind, Output):
            kind.recognise(whole)
        if isinstance(kind, Output | Log):
            kind.read(whole, rows)
        rows.frames()


@given(st.lists(WORDS | st.text(max_size=12), max_size=40).map(" ".join))
@settings(max_examples=300, deadline=None)
def test_no_text_raises(text: str) -> None:
    read_by_all(text)


@pytest.mark.parametrize("command", ["nvidia-smi --query-gpu=index,name --format=csv,noheader", "mlxlink -d", "' -i"])
@given(text=st.text(alphabet="0123456789,:-| GPUx\n[]()./", max_size=200))
@settings(max_examples=50, deadline=None)
def test_no_text_after_a_command_raises(command: str, text: str) -> None:
    read_by_all(text, command)


@pytest.mark.parametrize(
    "piece", ["a", " ", "0", "-", ":", "0:", "a b ", "| ", '"', "[1]", "(", "00:00.0 ", "\t", "x."]
)
def test_a_line_of_a_megabyte_costs_no_more_than_its_length(piece: str) -> None:
    """A search that begins anew at every character would not end in the time that the whole run of tests has."""
    for start in ("", "GPU 0: ", "00:00.0 PCI bridge: ", "Settings for ", "SW ", "tc: 1 ratelimit: ", "[1] "):
        read_by_all(start + piece * ((1 << 20) // len(piece)))
