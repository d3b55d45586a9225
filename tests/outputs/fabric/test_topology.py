"""Cables of an InfiniBand fabric and its switches: real outputs, and iblinkinfo as its source prints it."""

from pathlib import Path

import pytest

from badhop.tables import counters, links, rdma_devices
from outputs.claimed import of_file, of_text, rows

TABLE = links.TABLE
CABLE = ("host", "device", "speed_bps", "lanes", "peer_host", "peer_device", "state")


def test_a_topology_file_gives_both_ends_of_every_cable(corpus: Path) -> None:
    told = of_file(corpus / "corpus/text/ibnetdiscover/topograph__example.out")
    assert told is not None
    assert told.kinds == ("ibnetdiscover",)
    assert not told.problems
    found = rows(told, TABLE, "line", *CABLE)
    assert len(found) == 2228
    assert found[0] == (11, "A09-P1-IBLEAF-04-04", "1", 400 * 10**9, 4, "a08-p1-dgx-04-c01", "mlx5_5/1", "up")
    assert [row[1:] for row in found if row[0] == 1904] == [
        ("a08-p1-dgx-04-c17", "mlx5_5/1", 400 * 10**9, 4, "A09-P1-IBLEAF-04-04", "17", "up")
    ]
    ends = rows(told, TABLE, "guid", "lid", "peer_guid", "peer_lid")
    assert ends[0] == ("2c5eab0300b87b40", 73, "e09d7303007a4bd8", 647)


def test_a_node_with_the_makers_description_has_no_host(corpus: Path) -> None:
    told = of_file(corpus / "corpus/text/ibnetdiscover/topograph__example.out")
    found = {row[0]: row[1:] for row in rows(told, TABLE, "line", "peer_host", "peer_device", "peer_guid")}
    assert found[44] == (None, "1", "2c5eab0300b87b50")


def test_a_list_of_ports(corpus: Path) -> None:
    told = of_file(corpus / "corpus/text/ibnetdiscover/infiniband_exporter__ibnetdiscover_test.out")
    assert told is not None
    assert told.kinds == ("ibnetdiscover -p",)
    found = rows(told, TABLE, *CABLE)
    assert found[0] == ("o0001", "HCA-1/1", 100 * 10**9, 4, "ib-i1l1s01", "10", "up")
    assert found[-1] == ("ib-i7l2s01", "80", None, None, None, None, None)
    told = of_file(corpus / "corpus/text/ibnetdiscover/infiniband_exporter__ibnetdiscover_test3.out")
    assert rows(told, TABLE, *CABLE, "reason", "lid") == [
        (None, "22", None, None, None, None, None, "no port at the other end", 479)
    ]


LINKINFO = """Switch: 0x7cfe900300b07320 MF0;leaf1:MQM8700/U1:
           5   17[  ] ==( 4X         53.125 Gbps Active/  LinkUp)==>      12    1[  ] "node7 mlx5_0" ( )
           5   18[  ] ==( 2X       25.78125 Gbps Active/  LinkUp)==>      13    1[  ] "node8 mlx5_0" \
( Could be 4X Could be 53.125 Gbps)
           5   19[  ] ==(                Down/ Polling)==>             [  ] "" ( )
           5   20[  ] ==( 4X
CA: node7 mlx5_0:
      0x9c63c00300aa0001     12    1[  ] ==( 4X         53.125 Gbps Active/  LinkUp)==>       5   17[  ] \
"MF0;leaf1:MQM8700/U1" ( )
"""


def test_iblinkinfo_tells_a_cable_that_could_do_more() -> None:
    told = of_text(LINKINFO)
    assert rows(told, TABLE, "line", *CABLE, "physical_state", "expected_bps", "expected_lanes") == [
        (2, "leaf1", "17", 200 * 10**9, 4, "node7", "mlx5_0/1", "up", "LinkUp", None, None),
        (3, "leaf1", "18", 50 * 10**9, 2, "node8", "mlx5_0/1", "up", "LinkUp", 200 * 10**9, 4),
        (4, "leaf1", "19", None, None, None, None, "down", "Polling", None, None),
        (7, "node7", "mlx5_0/1", 200 * 10**9, 4, "leaf1", "17", "up", "LinkUp", None, None),
    ]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [5]


def test_iblinkinfo_by_lines() -> None:
    told = of_text(
        '0x7cfe900300b07320 "MF0;leaf1:MQM8700/U1"      5   17[  ] ==( 4X         106.25 Gbps Active/  LinkUp)==>  '
        '0x9c63c00300aa0001     12    1[  ] "node7 mlx5_0" ( )\n'
    )
    assert rows(told, TABLE, "guid", "peer_guid", *CABLE) == [
        ("7cfe900300b07320", "9c63c00300aa0001", "leaf1", "17", 400 * 10**9, 4, "node7", "mlx5_0/1", "up")
    ]


@pytest.mark.parametrize("length", range(0, len(LINKINFO), 7))
def test_a_cut_iblinkinfo_invents_no_port(length: int) -> None:
    assert {row[0] for row in rows(of_text(LINKINFO[:length]), TABLE, "device")} <= {"17", "18", "19", "mlx5_0/1"}


@pytest.mark.parametrize(
    ("name", "type_", "alarms", "broken"),
    [
        ("test-err1", "MSB7790-ES2F", [], "PSU0 power (W)"),
        ("test-err3", "MSB7790-ES2F", [], "fan#1 (rpm)"),
        ("test1", "MSB7790-ES2F", ["fan status: ERROR"], None),
        ("test3", "MQM8790-HS2F", ["PSU1 DC power: ERROR", "PSU1 fan status: ERROR"], None),
    ],
)
def test_switches_of_ibswinfo(corpus: Path, name: str, type_: str, alarms: list[str], broken: str | None) -> None:
    told = of_file(corpus / f"corpus/text/ibswinfo/infiniband_exporter__ibswinfo_{name}.out")
    assert told is not None
    assert told.kinds == ("ibswinfo",)
    assert rows(told, rdma_devices.TABLE, "part", "type", "alarms") == [("switch", type_, alarms)]
    gauges = dict(rows(told, counters.TABLE, "raw_name", "value"))
    assert [name for name, value in gauges.items() if value is None] == ([broken] if broken else [])
    assert gauges["temperature (C)"] in (45.0, 47.0)
    assert len(told.problems) == (1 if broken else 0)
