"""Ports and queues of Junos, EOS, NX-OS and Cumulus: real files, and samples of what the corpus has no file of."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.tables import counters, links
from outputs.claimed import of_text, rows
from outputs.switch.corpus_files import told

COUNTED = ("line", "device", "priority", "queue", "direction", "name", "raw_name", "value")


@pytest.mark.parametrize(
    ("file", "kind", "how_many", "row"),
    [
        (
            "switch_junos/ShowInterfacesQueue__golden_output_output.txt",
            "show interfaces (Junos)",
            75,
            (9, "ge-0/0/2", None, 0, "tx", "queued_packets", "queue 0 Queued Packets", 1470816406.0),
        ),
        (
            "switch_junos/ShowInterfacesExtensive__golden_output2_output.txt",
            "show interfaces (Junos)",
            60,
            (43, "et-0/0/0", None, 3, "tx", "packets", "queue 3 Transmitted packets", 17184.0),
        ),
        (
            "switch_junos/ShowInterfacesExtensive__golden_output4_output.txt",
            "show interfaces (Junos)",
            44,
            (45, "ae0", None, 0, "tx", "discard_pkts", "queue 0 Dropped packets", 0.0),
        ),
        (
            "switch_junos/ShowInterfacesInterfaceDetail__golden_output_output.txt",
            "show interfaces (Junos)",
            16,
            (26, "et-0/0/0", None, 0, "tx", "packets", "queue 0 Transmitted packets", 4.0),
        ),
        (
            "switch_junos/ShowInterfaces__golden_output_2_output.txt",
            "show interfaces (Junos)",
            956,
            (59, "ge-0/0/0", None, None, "rx", "fcs_err_frames", "MAC statistics CRC/Align errors Receive", 0.0),
        ),
        (
            "switch_eos/arista_eos_show_interfaces.txt",
            "show interfaces (EOS)",
            100,
            (13, "Ethernet1", None, None, "rx", "packets", "packets input", 292.0),
        ),
        (
            "switch_eos/arista_eos_show_interfaces_portchannel.txt",
            "show interfaces (EOS)",
            178,
            (12, "Ethernet47", None, None, "rx", "bytes", "input bytes", 26469103.0),
        ),
        (
            "switch_nxos/cisco_nxos_show_interface.txt",
            "show interface (NX-OS)",
            48,
            (61, "Ethernet1/1", None, None, "rx", "fcs_err_frames", "RX CRC", 0.0),
        ),
        (
            "switch_nxos/cisco_nxos_show_interface2.txt",
            "show interface (NX-OS)",
            38,
            None,
        ),
        ("switch_nxos/cisco_nxos_show_interface4.txt", "show interface (NX-OS)", 234, None),
        ("switch_nxos/cisco_nxos_show_interface6.txt", "show interface (NX-OS)", 48, None),
        ("switch_nxos/cisco_nxos_show_interface8.txt", "show interface (NX-OS)", 38, None),
        ("switch_nxos/cisco_nxos_show_interface_01.txt", "show interface (NX-OS)", 115, None),
    ],
)
def test_counters_are_those_of_the_file(
    corpus: Path, file: str, kind: str, how_many: int, row: tuple[object, ...] | None
) -> None:
    read = told(corpus, file)
    assert read.kinds == (kind,)
    found = rows(read, counters.TABLE, *COUNTED)
    assert len(found) == how_many
    assert row is None or row in found
    assert all(one[5] is not None for one in found), "a name that the vocabulary does not have"


@pytest.mark.parametrize(
    ("file", "row"),
    [
        (
            "switch_junos/ShowInterfaces__golden_output_2_output.txt",
            (464, "ge-0/0/2", 10**9, "up", "up", "on", 1514, None, "2020-03-05 16:04:34"),
        ),
        (
            "switch_junos/ShowInterfacesExtensive__golden_output2_output.txt",
            (1, "et-0/0/0", 100 * 10**9, "up", "up", None, 1514, None, "None"),  # EST is no zone of ours alone
        ),
        (
            "switch_junos/juniper_junos_show_interfaces2.txt",
            (1, "xe-0/1/0", 10 * 10**9, "up", "up", None, 9114, None, "2022-07-28 21:30:59"),
        ),
        (
            "switch_junos/ShowInterfacesExtensive__golden_output_1_output.txt",
            (2, "ae0", 30 * 10**9, "up", "up", None, 1514, None, "None"),
        ),
        (
            "switch_eos/arista_eos_show_interfaces.txt",
            (46, "Ethernet49/1", None, "down", "down", "off", 9214, 1, "None"),
        ),
        ("switch_eos/arista_eos_show_interfaces3.txt", (6, "Vxlan1", None, "up", "up", None, None, None, "None")),
        (
            "switch_nxos/cisco_nxos_show_interface4.txt",
            (91, "Ethernet1/49", 25 * 10**9, "up", "up", "off", 1500, None, "None"),
        ),
        ("switch_nxos/cisco_nxos_show_interface11.txt", (1, "fc1/43", None, "down", None, None, None, None, "None")),
        ("switch_nxos/cisco_nxos_show_interface12.txt", (14, "Vlan1", None, "down", "down", None, 1500, None, "None")),
    ],
)
def test_links_are_those_of_the_file(corpus: Path, file: str, row: tuple[object, ...]) -> None:
    columns = ("line", "device", "speed_bps", "state", "admin", "autoneg", "mtu", "flaps", "last_change")
    found = [(*one[:-1], str(one[-1])) for one in rows(told(corpus, file), links.TABLE, *columns)]
    assert row in found


def test_the_light_of_each_lane_of_junos_is_a_row(corpus: Path) -> None:
    read = told(corpus, "switch_junos/ShowInterfacesDiagnosticsOptics__golden_output_2_output.txt")
    columns = ("line", "device", "lane", "temperature_c", "rx_power_dbm", "tx_power_dbm", "bias_ma")
    found = rows(read, links.TABLE, *columns)
    assert len(found) == 4
    assert found[0] == (48, "et-0/0/0", 0, 48.0, 1.03, 1.30, 132.255)


JUNOS_PFC = """\
Physical interface: et-0/0/10, Enabled, Physical link is Up
  Link-level type: Ethernet, MTU: 9216, Speed: 400Gbps
  MAC Priority Flow Control Statistics:
    Priority :  0                             0                0
    Priority :  3                          1200               34
  Logical interface et-0/0/10.0 (Index 1)
    Input packets : 99
"""


def test_pauses_of_junos_are_read_by_priority() -> None:
    found = rows(of_text(JUNOS_PFC), counters.TABLE, "device", "priority", "direction", "name", "value")
    assert ("et-0/0/10", 3, "rx", "pause_frames", 1200.0) in found
    assert ("et-0/0/10", 3, "tx", "pause_frames", 34.0) in found
    assert len(found) == 4, "what is counted of a logical interface is not the port's"


CUMULUS = """\
cumulus@leaf01:mgmt:~$ nv show interface swp5 counters qos
Egress Queue Statistics
==========================
    traffic-class  tx-frames  tx-bytes  tx-uc-buffer-discards  wred-discards
    -------------  ---------  --------  ---------------------  -------------
    0              18         1.2 KB    0 Bytes                0
    3              29         9.0 MB    36.0 KB                7

PFC Statistics
=================
    switch-priority  rx-pause-frames  rx-pause-duration  tx-pause-frames  tx-pause-duration
    ---------------  ---------------  -----------------  ---------------  -----------------
    3                184              3728               n/a              36.0 KB

Qos Port Statistics
======================
    Counter             Receive  Transmit
    ------------------  -------  --------
    ecn-marked-packets  n/a      12
"""


def test_counters_of_cumulus_are_of_the_port_in_the_command() -> None:
    read = of_text(CUMULUS)
    found = rows(read, counters.TABLE, "host", "device", "priority", "queue", "direction", "name", "value")
    assert ("leaf01", "swp5", None, 3, "tx", "discard_bytes", 36000.0) in found
    assert ("leaf01", "swp5", None, 3, "tx", "wred_discard_pkts", 7.0) in found
    assert ("leaf01", "swp5", 3, None, "rx", "pause_frames", 184.0) in found
    assert ("leaf01", "swp5", 3, None, "tx", "pause_frames", None) in found
    assert ("leaf01", "swp5", None, None, "tx", "ecn_marked_pkts", 12.0) in found
    assert ("leaf01", "swp5", None, None, "rx", "ecn_marked_pkts", None) in found


def test_json_of_cumulus_tells_the_same() -> None:
    text = (
        '{"egress-queue-stats": {"3": {"tx-frames": 29, "wred-discards": 7}},\n'
        '"pfc-stats": {"3": {"rx-pause-frames": 184}},\n'
        '"port-stats": {"tx-stats": {"ecn-marked-packets": 12}}}\n'
    )
    found = rows(of_text(text, "leaf01/qos_swp5.json"), counters.TABLE, "host", "device", "queue", "name", "value")
    assert ("leaf01", "swp5", 3, "wred_discard_pkts", 7.0) in found
    assert ("leaf01", "swp5", None, "ecn_marked_pkts", 12.0) in found


@given(st.text(alphabet="Physical interface: Et1 is up,0123\n-", max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    of_text(JUNOS_PFC + text)
    of_text("Ethernet1 is up, line protocol is up (connected)\n  Hardware is Ethernet\n 3 packets input\n" + text)
    of_text(CUMULUS + text)
