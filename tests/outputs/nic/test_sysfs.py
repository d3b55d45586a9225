"""Counters in copied trees of sysfs and in dumps of them."""

from pathlib import Path

import pytest

from badhop.sources.outputs.kinds.nic import sysfs_dump, sysfs_value
from badhop.tables import counters
from outputs.claimed import of_file, of_text, rows
from outputs.readings import readings

TREE = "corpus/text/sysfs"
PORT = "class/infiniband/{}/ports/{}/{}"


def inside(path: Path) -> str:
    parts = path.parts
    return "/".join(parts[parts.index("sysfs") + 1 :])


@pytest.mark.each_file("path", "corpus/text/sysfs/**/*", "corpus/text/*/*")
def test_counters_of_a_tree_are_claimed_and_nothing_else_is(path: Path) -> None:
    told = of_file(path, inside(path) if "sysfs" in path.parts else None)
    claimed = told is not None and sysfs_value.KIND.name in told.kinds
    counts = path.parent.name in ("counters", "counters_ext", "hw_counters") or path.name.startswith("carrier_")
    assert claimed == (counts and "sysfs" in path.parts)
    assert told is None or sysfs_dump.KIND.name not in told.kinds


@pytest.mark.parametrize(
    ("tree", "place", "reading"),
    [
        ("gpud_h100_a", ("mlx5_0", 1, "hw_counters/out_of_sequence"), "oos_pkts packets rx roce - - -"),
        ("gpud_h100_a", ("mlx5_0", 1, "hw_counters/lifespan"), "counter_lifespan ms - roce - - -"),
        ("gpud_h100_a", ("mlx5_0", 1, "counters/port_xmit_data"), "data_words words4 tx ib - - -"),
        ("node_exporter/sys", ("mlx4_0", 1, "counters/port_xmit_wait"), "wait_ticks ticks tx ib - - -"),
        ("node_exporter/sys", ("mlx4_0", 1, "counters/port_rcv_data"), "data_words words4 rx ib - - -"),
        ("node_exporter/sys", ("mlx4_0", 2, "counters_ext/port_rcv_packets_64"), "packets packets rx ib - - -"),
        ("node_exporter/sys", ("i40iw0", 1, "counters/symbol_error"), "symbol_err symbols rx ib - - -"),
    ],
)
def test_the_path_says_device_port_and_counter(
    corpus: Path, tree: str, place: tuple[str, int, str], reading: str
) -> None:
    device, port, _ = place
    path = f"{tree}/{PORT.format(*place)}"
    text = (corpus / TREE / path).read_text().strip()
    value = "-" if text.startswith("N/A") else text
    found = of_file(corpus / TREE / path, path)
    assert list(readings(found).values()) == [[f"1 {device}/{port} {value} {reading}"]]
    assert found is not None
    assert not found.problems
    assert rows(found, counters.TABLE, "host") == [(None,)]


def test_a_port_without_counters_has_null_and_not_zero(corpus: Path) -> None:
    path = "node_exporter/sys/class/infiniband/i40iw0/ports/1/counters/link_downed"
    assert rows(of_file(corpus / TREE / path, path), counters.TABLE, "value", "reads") == [(None, "saturating")]


def test_changes_of_the_carrier_are_counters_of_the_interface(corpus: Path) -> None:
    path = "node_exporter/sys/class/net/dmz/carrier_changes"
    assert readings(of_file(corpus / TREE / path, path)) == {
        "carrier_changes": ["1 dmz 2 link_changes events - phy - - -"]
    }


def test_the_host_is_above_the_tree_and_never_in_it() -> None:
    told = of_text("5\n", "h12/sys/class/net/eth0/statistics/rx_dropped")
    assert rows(told, counters.TABLE, "host", "device", "value") == [("h12", "eth0", 5.0)]
    told = of_text("5\n", "sys/class/infiniband/rdmap0s31/ports/1/hw_counters/retrans_timeout_events")
    assert rows(told, counters.TABLE, "host", "device", "name", "dialect") == [
        (None, "rdmap0s31/1", "ack_timeout", "efa")
    ]


def test_what_the_kernel_says_instead_of_a_value_is_null() -> None:
    for text in ("N/A (no PMA)\n", "EINVAL\n", "cat: out_of_sequence: Invalid argument\n"):
        told = of_text(text, "infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence")
        assert rows(told, counters.TABLE, "value") == ([] if text.startswith("cat") else [(None,)])


def test_a_number_at_any_other_path_is_no_counter() -> None:
    assert rows(of_text("5\n", "sys/class/net/eth0/mtu"), counters.TABLE, "value") == []
    assert of_text("5\n", "notes/counters/of_the_shop") is None
    assert of_text("5\n6\n7\n8\n", "infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence") is None


def test_grep_prints_the_path_before_each_value() -> None:
    text = (
        "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence:12\n"
        "/sys/class/infiniband/mlx5_0/ports/1/state:4: ACTIVE\n"
        "/sys/class/infiniband/i40iw0/ports/1/counters/port_xmit_wait:N/A (no PMA)\n"
        "/sys/devices/pci0000:00/0000:00:01.0/net/eth0/statistics/rx_missed_errors:3\n"
    )
    assert readings(of_text(text)) == {
        "out_of_sequence": ["1 mlx5_0/1 12 oos_pkts packets rx roce - - -"],
        "port_xmit_wait": ["3 i40iw0/1 - wait_ticks ticks tx ib - - -"],
        "rx_missed_errors": ["4 eth0 3 discard_pkts packets rx host - - no_wqe"],
    }


def test_grep_again_and_again_is_a_series() -> None:
    line = "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence:{}\n"
    text = "".join(f"Tue Dec  1 12:00:0{n} UTC 2026\n{line.format(n)}" for n in (1, 2))
    assert rows(of_text(text), counters.TABLE, "sample", "value", "ts_from") == [(1, 1.0, "date"), (2, 2.0, "date")]


def test_head_and_tail_print_the_path_above_each_value() -> None:
    text = (
        "==> /sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence <==\n12\n\n"
        "==> /sys/class/infiniband/mlx5_1/ports/1/hw_counters/out_of_sequence <==\n0\n"
    )
    assert readings(of_text(text))["out_of_sequence"] == [
        "2 mlx5_0/1 12 oos_pkts packets rx roce - - -",
        "5 mlx5_1/1 0 oos_pkts packets rx roce - - -",
    ]


def test_a_broken_value_of_a_dump_is_a_problem_with_its_line() -> None:
    told = of_text("a/mlx5_0/ports/1/hw_counters/out_of_sequence:12\na/mlx5_0/ports/1/hw_counters/packet_seq_err:1x\n")
    assert told is not None
    assert rows(told, counters.TABLE, "value") == [(12.0,), (None,)]
    assert [problem["line"] for problem in told.problems] == [2]
