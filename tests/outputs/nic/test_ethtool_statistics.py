"""`ethtool -S` of every driver, whole and in the ways in which people cut and paste it."""

from pathlib import Path

import pytest

from badhop.tables import counters
from outputs.claimed import of_file, of_text, rows
from outputs.readings import readings

FOLDER = "corpus/text/ethtool_S"


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_it_claims_its_own_files_and_no_other(path: Path) -> None:
    told = of_file(path)
    claimed = told is not None and "ethtool -S" in told.kinds
    assert claimed == (path.parent.name == "ethtool_S")


@pytest.mark.parametrize(
    ("file", "dialect", "count", "sure"),
    [
        ("ethq__bnx2.txt", "broadcom", 47, True),
        ("ethq__bnxt_en.txt", "bnxt", 499, True),
        ("ethq__ena.txt", "ena", 104, True),
        ("ethq__i40e-v2.3.2k.txt", "i40e", 418, True),
        ("ethq__iavf.txt", "i40e", 76, True),
        ("ethq__mlx5_core.txt", "mlx5", 751, True),
        ("ethq__sfc.txt", "sfc", 152, True),
        ("ethq__virtio_net.txt", None, 8, True),
        ("insights-core__test_ethtool__ETHTOOL_S_eth0_1.txt", None, 4, False),
        ("insights-core__test_ethtool__TEST_ETHTOOL_S_DOCS.txt", "broadcom", 13, True),
        ("sandbox__ethtool_S_veth.txt", "virtual", 10, True),
    ],
)
def test_every_driver_is_told_by_its_names(
    corpus: Path, file: str, dialect: str | None, count: int, sure: bool
) -> None:
    told = of_file(corpus / FOLDER / file)
    assert told is not None
    assert told.rows == {"counters": count}
    assert {row[0] for row in rows(told, counters.TABLE, "dialect")} == {dialect}
    assert bool(told.problems) != sure


@pytest.mark.parametrize(
    ("file", "raw_name", "reading"),
    [
        ("ethq__mlx5_core", "rx_packets", "1 - 845320277 packets packets rx host - - -"),
        ("ethq__mlx5_core", "rx_vport_unicast_bytes", "41 - 2199120290572 unicast_bytes bytes rx function - - -"),
        ("ethq__bnxt_en", "[0]: rx_discards", "5 - 11763190 discard_pkts packets rx queue - 0 no_wqe"),
        ("ethq__ena", "queue_3_rx_bytes", "90 - 66809815952 bytes bytes rx queue - 3 -"),
        ("ethq__i40e-v2.3.2k", "rx_packets", "2 - 439831225513 packets packets rx function - - -"),
        ("ethq__i40e-v2.3.2k", "port.rx_priority_3_xoff_rx", "398 - 0 pause_xoff_frames frames rx mac 3 - -"),
        ("ethq__iavf", "rx-8.packets", "48 - 69038 packets packets rx queue - 8 -"),
        ("ethq__sfc", "port_rx_dp_di_dropped_packets", "50 - 27 discard_pkts packets rx port - - no_rule"),
        ("ethq__bnx2", "tx_xoff_frames", "42 - 332 pause_xoff_frames frames tx mac - - -"),
        ("ethq__virtio_net", "tx_queue_1_bytes", "8 - 18293525171 bytes bytes tx queue - 1 -"),
        ("insights-core__test_ethtool__TEST_ETHTOOL_S_DOCS", "rx_octets", "2 - 808488730 bytes bytes rx port - - -"),
        ("insights-core__test_ethtool__ETHTOOL_S_eth0_1", "rxq1: rx_pkts", "4 eth0 5000000 - - - - - - -"),
        ("sandbox__ethtool_S_veth", "peer_ifindex", "2 - 9 - index - - - - -"),
        ("sandbox__ethtool_S_veth", "rx_queue_0_drops", "5 - 0 discard_pkts packets rx queue - 0 -"),
    ],
)
def test_real_values(corpus: Path, file: str, raw_name: str, reading: str) -> None:
    assert readings(of_file(corpus / FOLDER / f"{file}.txt"))[raw_name] == [reading]


def test_names_that_no_vocabulary_has_are_kept_and_counted(corpus: Path) -> None:
    told = of_file(corpus / FOLDER / "insights-core__test_ethtool__ETHTOOL_S_eth0_1.txt")
    assert told is not None
    assert [problem["what"] for problem in told.problems] == [
        "4 counter names are not in the vocabulary: rxq0: rx_pkts, rxq0: rx_drops_no_frags, rxq1: rx_pkts, "
        "rxq1: rx_drops_no_frags"
    ]


def test_the_device_is_that_of_the_command_or_the_path() -> None:
    pasted = "root@h12:~# ethtool -S eth2 | grep prio3_pause\n     rx_prio3_pause: 812\n     tx_prio3_pause: 0\n"
    assert rows(of_text(pasted), counters.TABLE, "host", "device", "line", "name", "priority", "value") == [
        ("h12", "eth2", 2, "pause_frames", 3, 812.0),
        ("h12", "eth2", 3, "pause_frames", 3, 0.0),
    ]
    told = of_text("NIC statistics:\n     rx_prio3_pause: 812\n", "h12/ethtool_S_ens1f0np0.txt")
    assert rows(told, counters.TABLE, "host", "device", "value") == [("h12", "ens1f0np0", 812.0)]


def test_few_lines_without_heading_and_command_are_known_by_their_names() -> None:
    told = of_text("rx_prio3_pause: 1\nrx_prio3_pause_duration: 2\ntx_prio3_pause: 3\n")
    assert rows(told, counters.TABLE, "dialect", "value") == [("mlx5", 1.0), ("mlx5", 2.0), ("mlx5", 3.0)]
    assert of_text("rx_foo: 1\nrx_bar: 2\nrx_baz: 3\n") is None
    assert of_text("rx_bytes: 1\ntx_bytes: 2\nrx_packets: 3\n") is None


def test_a_loop_over_interfaces_tells_each_device_apart() -> None:
    text = (
        "eth2\nNIC statistics:\n     rx_prio3_pause: 1\n\n"
        "eth3:\nNIC statistics:\n     rx_prio3_pause: 2\n"
        "--- ethtool -S eth4 ---\nNIC statistics:\n     rx_prio3_pause: 3\n"
    )
    told = of_text(text)
    assert rows(told, counters.TABLE, "device", "line", "value") == [
        ("eth2", 3, 1.0),
        ("eth3", 7, 2.0),
        ("eth4", 10, 3.0),
    ]
    assert told is not None
    assert not told.problems


def test_the_same_output_again_and_again_is_a_series() -> None:
    text = "".join(f"Tue Dec  1 12:00:0{n} UTC 2026\nNIC statistics:\n     rx_prio3_pause: {n}\n" for n in range(3))
    found = rows(of_text(text), counters.TABLE, "sample", "value", "ts_from")
    assert found == [(1, 0.0, "date"), (2, 1.0, "date"), (3, 2.0, "date")]
    timeless = "NIC statistics:\n     rx_prio3_pause: 5\nNIC statistics:\n     rx_prio3_pause: 6\n"
    assert rows(of_text(timeless), counters.TABLE, "sample", "value") == [(1, 5.0), (2, 6.0)]


def test_screens_of_watch_are_samples() -> None:
    head = "Every 1.0s: ethtool -S eth2 | grep prio3        h12: Tue Dec  1 12:00:0{} 2026\n\n     rx_prio3_pause: {}\n"
    told = of_text(head.format(1, 10) + head.format(2, 11))
    assert rows(told, counters.TABLE, "host", "device", "sample", "value", "ts_from") == [
        ("h12", "eth2", 1, 10.0, "watch"),
        ("h12", "eth2", 2, 11.0, "watch"),
    ]


def test_no_value_is_null_and_what_cannot_be_read_is_a_problem() -> None:
    told = of_text(
        "NIC statistics:\n     rx_prio3_pause: N/A\n     tx_prio3_pause: 12x\n     cut_li\n     rx_prio0_pause: 3\n"
    )
    assert rows(told, counters.TABLE, "line", "value") == [(2, None), (3, None), (5, 3.0)]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [4, 3]


def test_a_counter_that_a_driver_does_not_have_is_null() -> None:
    told = of_text(
        "NIC statistics:\n     rx_prio3_pause: 18446744073709551615\n     tx_prio3_pause: 1844674407370955161\n"
    )
    assert [row[0] is None for row in rows(told, counters.TABLE, "value")] == [True, False]
    assert told is not None
    assert list(told.problems) == []


def test_a_number_larger_than_any_counter_and_a_queue_larger_than_any_are_not_believed() -> None:
    told = of_text(
        f"NIC statistics:\n     rx_prio3_pause: {'9' * 400}\n     rx99999_packets: 1\n     rx_prio0_pause: 1\n"
    )
    assert rows(told, counters.TABLE, "value", "priority", "queue", "name") == [
        (None, 3, None, "pause_frames"),
        (1.0, None, None, None),
        (1.0, 0, None, "pause_frames"),
    ]


def test_dos_line_ends_colours_and_a_collectors_prefix_do_not_matter() -> None:
    text = "NIC statistics:\r\n     \x1b[7mrx_prio3_pause\x1b[0m: 812\r\n"
    assert rows(of_text(text), counters.TABLE, "raw_name", "value") == [("rx_prio3_pause", 812.0)]
    stamped = "".join(
        f"2026-12-01T12:00:00Z {line}\n" for line in ("NIC statistics:", "     rx_prio3_pause: 812", "     tx_x: 0")
    )
    assert rows(of_text(stamped), counters.TABLE, "value", "ts_from") == [(812.0, "line"), (0.0, "line")]


def test_a_long_hostile_line_costs_linear_time() -> None:
    told = of_text("NIC statistics:\n" + ": " * 300_000 + "\n" + "a" * 300_000 + ":\n     rx_prio3_pause: 1\n")
    assert (1.0, "rx_prio3_pause") in rows(told, counters.TABLE, "value", "raw_name")


def test_the_standard_groups_name_their_interface() -> None:
    text = (
        "Standard stats for eth2:\neth-phy-SymbolErrorDuringCarrier: 3\neth-mac-FramesTransmittedOK: 902623288966\n"
        "rx-rmon-etherStatsPkts65to127Octets: 7\n"
    )
    assert readings(of_text(text)) == {
        "eth-phy-SymbolErrorDuringCarrier": ["2 eth2 3 symbol_err symbols rx phy - - -"],
        "eth-mac-FramesTransmittedOK": ["3 eth2 902623288966 packets packets tx port - - -"],
        "rx-rmon-etherStatsPkts65to127Octets": ["4 eth2 7 packets_by_size packets rx port - - -"],
    }
