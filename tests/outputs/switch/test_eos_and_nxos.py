"""Counters and states of EOS and NX-OS: real files, and samples of what the corpus has no file of."""

from pathlib import Path

import pytest

from badhop.tables import counters, links, qos
from outputs.claimed import of_text, rows
from outputs.switch.corpus_files import told

COUNTED = ("line", "device", "priority", "queue", "direction", "name", "raw_name", "value")


@pytest.mark.parametrize(
    ("file", "kind", "how_many", "row"),
    [
        (
            "switch_nxos/ShowInterfaceCountersErrors__golden_output_1_output.txt",
            "show interface counters (NX-OS)",
            20,
            (24, "Eth1/1", None, None, "rx", "fcs_err_stomped", "Stomped-CRC", 13450.0),
        ),
        (
            "switch_nxos/ShowInterfaceCounters__golden_output2_output.txt",
            "show interface counters (NX-OS)",
            8,
            (11, "Vlan2", None, None, "rx", "multicast_packets", "InMcastPkts", None),
        ),
        (
            "switch_nxos/nxos_pfc_lab_notes.txt",
            "show interface priority-flow-control",
            12,
            (5, "ii1/1/4", None, None, "rx", "pfc_frames", "RxPPP", 14646614.0),
        ),
    ],
)
def test_counters_are_those_of_the_file(
    corpus: Path, file: str, kind: str, how_many: int, row: tuple[object, ...]
) -> None:
    read = told(corpus, file)
    assert read.kinds == (kind,)
    found = rows(read, counters.TABLE, *COUNTED)
    assert len(found) == how_many
    assert row in found
    assert all(one[5] is not None for one in found)


def test_the_bit_map_of_lanes_tells_the_paused_priority(corpus: Path) -> None:
    read = told(corpus, "switch_nxos/nxos_pfc_lab_notes.txt")
    found = rows(read, qos.TABLE, "line", "device", "priority", "setting", "value")
    assert found[:2] == [(2, "ii1/1/1", None, "pfc_configured", "on"), (2, "ii1/1/1", 3, "pfc", "on")]


def test_pfc_that_is_off_or_spelled_apart_is_read() -> None:
    text = (
        "leaf4# show interface priority-flow-control\n"
        "============================================================\n"
        "Port               Mode Oper(VL bmap)  RxPPP      TxPPP\n"
        "============================================================\n\n"
        "Ethernet1/1        Auto Off            0          12\n"
        "Ethernet1/2        Auto On  (18)       3          --\n"
        "Ethernet1/3        Auto On  (1\n"
    )
    read = of_text(text)
    found = rows(read, qos.TABLE, "host", "device", "priority", "setting", "value")
    assert ("leaf4", "Ethernet1/1", None, "pfc", "off") in found
    assert ("leaf4", "Ethernet1/2", 3, "pfc", "on") in found
    assert ("leaf4", "Ethernet1/2", 4, "pfc", "on") in found
    assert ("Ethernet1/2", "TxPPP", None) in rows(read, counters.TABLE, "device", "raw_name", "value")
    assert read is not None
    assert read.problems[0]["line"] == 8


QUEUING = """\
Egress Queuing for Ethernet2/1 [System]
+-------------------------------------------------------------------+
|                              QOS GROUP 0                          |
+-------------------------------------------------------------------+
|                |  Unicast       | OOBFC Unicast  |  Multicast     |
+-------------------------------------------------------------------+
|        Tx Pkts |             120|              22|              34|
|   Dropped Pkts |               1|               0|               2|
+-------------------------------------------------------------------+
|                              QOS GROUP 3                          |
+-------------------------------------------------------------------+
|        Tx Pkts |              50|   Dropped Pkts |               6|
+-------------------------------------------------------------------+
Port Egress Statistics
--------------------------------------------------------
WRED Drop Pkts                              9
Ingress Queuing for Ethernet2/1
Port Ingress Statistics
--------------------------------------------------------
Ingress MMU Drop Pkts                      10
PFC Statistics
----------------------------------------------------------------------------
TxPPP:                    11,   RxPPP:                    12
----------------------------------------------------------------------------
 COS QOS Group        PG   TxPause   TxCount         RxPause         RxCount
   0         -         -  Inactive         0        Inactive               0
   3         3         3  Active           7        Active                 8
"""


def test_queues_of_nxos_are_read_by_group_and_class() -> None:
    read = of_text(QUEUING)
    assert read is not None
    assert read.kinds == ("show queuing interface",)
    found = rows(read, counters.TABLE, *COUNTED)
    assert (7, "Ethernet2/1", None, 0, "tx", "packets", "QOS GROUP 0 Unicast Tx Pkts", 120.0) in found
    assert (8, "Ethernet2/1", None, 0, "tx", "discard_pkts", "QOS GROUP 0 Multicast Dropped Pkts", 2.0) in found
    assert (12, "Ethernet2/1", None, 3, "tx", "discard_pkts", "QOS GROUP 3 Dropped Pkts", 6.0) in found
    assert (20, "Ethernet2/1", None, None, "rx", "discard_pkts", "Ingress MMU Drop Pkts", 10.0) in found
    assert (27, "Ethernet2/1", 3, None, "rx", "pause_frames", "COS 3 RxCount", 8.0) in found
    assert (23, "Ethernet2/1", None, None, "tx", "pfc_frames", "TxPPP", 11.0) in found


EOS_PFC = """\
leaf4#show priority-flow-control counters
Port           RxPfc      TxPfc
Et1              102          0
Et2                0      1,200
"""


def test_pauses_of_eos_are_of_all_priorities() -> None:
    read = of_text(EOS_PFC)
    assert rows(read, counters.TABLE, "host", "device", "priority", "direction", "name", "value", "dialect") == [
        ("leaf4", "Et1", None, "rx", "pfc_frames", 102.0, "eos"),
        ("leaf4", "Et1", None, "tx", "pfc_frames", 0.0, "eos"),
        ("leaf4", "Et2", None, "rx", "pfc_frames", 0.0, "eos"),
        ("leaf4", "Et2", None, "tx", "pfc_frames", 1200.0, "eos"),
    ]


def test_errors_of_eos_are_read() -> None:
    text = (
        "Port              FCS    Align   Symbol       Rx    Runts   Giants       Tx\n"
        "Et1                 5        0        7       12        0        0        0\n"
    )
    found = rows(of_text(text), counters.TABLE, "direction", "name", "value")
    assert ("rx", "fcs_err_frames", 5.0) in found
    assert ("rx", "symbol_err", 7.0) in found


@pytest.mark.parametrize("text", [EOS_PFC, QUEUING])
def test_a_cut_output_invents_no_number(text: str) -> None:
    right = set(rows(of_text(text), counters.TABLE, "device", "raw_name", "value"))
    for length in range(len(text)):
        got = rows(of_text(text[:length]), counters.TABLE, "device", "raw_name", "value")
        if text is EOS_PFC:
            assert set(got) <= right, length


@pytest.mark.parametrize(
    ("file", "how_many", "row"),
    [
        (
            "switch_eos/arista_eos_show_interfaces_status_encap.txt",
            8,
            (2, "Et1", "up", "up", 10**9, "EbraTestPhyPort"),
        ),
        (
            "switch_eos/arista_eos_show_interfaces_status_port_channel.txt",
            6,
            (4, "Et49", "down", "up", None, None),
        ),
        (
            "switch_nxos/cisco_nxos_show_interface_status.txt",
            73,
            (4, "mgmt0", "up", "up", 10**8, None),
        ),
        (
            "switch_nxos/cisco_nxos_show_interface_status2.txt",
            55,
            (9, "Eth1/1", "up", "up", 10**9, "1000base-T"),
        ),
        (
            "switch_nxos/cisco_nxos_show_interface_status4.txt",
            9,
            (12, "Vlan146", "down", None, None, None),
        ),
    ],
)
def test_states_are_those_of_the_file(corpus: Path, file: str, how_many: int, row: tuple[object, ...]) -> None:
    read = told(corpus, file)
    assert read.kinds == ("show interfaces status",)
    found = rows(read, links.TABLE, "line", "device", "state", "admin", "speed_bps", "media")
    assert len(found) == how_many
    assert row in found
