"""Ports of Comware and VRP: values from real files, and what cutting does to them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.tables import counters, links
from outputs.claimed import of_text, rows
from outputs.switch.corpus_files import told


@pytest.mark.parametrize(
    ("file", "how_many", "counted", "link"),
    [
        (
            "hp_comware_display_interface1.txt",
            43,
            (17, "Bridge-Aggregation41", "rx", "packets", "Input (total) packets", 1378318211088.0),
            (2, "Bridge-Aggregation41", 160 * 10**9, "up", "up"),
        ),
        (
            "hp_comware_display_interface2.txt",
            49,
            (34, "FortyGigE1/0/49", "rx", "fcs_err_frames", "Input CRC", 0.0),
            (2, "FortyGigE1/0/49", None, "down", "up"),
        ),
        (
            "hp_comware_display_interface4.txt",
            41,
            None,
            (1, "Bridge-Aggregation1", 20 * 10**9, "up", "up"),
        ),
        ("hp_comware_display_interface6.txt", 43, None, (1, "Ten-GigabitEthernet1/1/1", None, "down", "up")),
        ("hp_comware_display_interface8.txt", 49, None, (31, "GigabitEthernet0/0", 10**9, "up", "up")),
        (
            "hp_comware_display_interface11.txt",
            82,
            (14, "Bridge-Aggregation11", "rx", "bytes", "Input (total) bytes", 757707436249911.0),
            (29, "Bridge-Aggregation66", None, "down", "up"),
        ),
        ("hp_comware_display_interface_dhcp.txt", 6, None, (2, "Vlan-interface123", None, "up", "up")),
        ("hp_comware_display_interface_mgmt.txt", 0, None, (2, "M-GigabitEthernet0/0/0", 10**9, "up", "up")),
        (
            "hp_comware_display_interface_release_09119P17.txt",
            534,
            None,
            (2, "GigabitEthernet0/0/0", None, "down", "down"),
        ),
        ("hp_comware_display_interface_tagged-vlan-none.txt", 43, None, (2, "FortyGigE7/0/49", None, "down", "up")),
        ("hp_comware_display_ip_interface_dhcp.txt", 0, None, (1, "Vlan-interface1", None, "up", "up")),
        ("huawei_vrp_display_interface.txt", 224, None, (154, "GigabitEthernet0/0/2", 10**9, "up", "up")),
        (
            "huawei_vrp_display_interface2.txt",
            69,
            (26, "GigabitEthernet0/0/00", "rx", "fcs_err_frames", "Input CRC", 0.0),
            (1, "GigabitEthernet0/0/00", 25 * 10**8, "up", "up"),
        ),
        ("huawei_vrp_display_interface_dhcp.txt", 57, None, (1, "GigabitEthernet0/0/0", None, "up", "up")),
        (
            "huawei_vrp_display_interface_gigabitethernet.txt",
            168,
            (29, "GigabitEthernet0/0/0", "tx", "unicast_packets", "Output Unicast", 0.0),
            (1, "GigabitEthernet0/0/0", None, "down", "up"),
        ),
    ],
)
def test_ports_are_those_of_the_file(
    corpus: Path, file: str, how_many: int, counted: tuple[object, ...] | None, link: tuple[object, ...]
) -> None:
    read = told(corpus, f"switch_other/{file}")
    assert read.kinds == ("display interface",)
    found = rows(read, counters.TABLE, "line", "device", "direction", "name", "raw_name", "value")
    assert len(found) == how_many
    assert counted is None or counted in found
    assert link in rows(read, links.TABLE, "line", "device", "speed_bps", "state", "admin")


VRP = """\
GigabitEthernet0/0/1 current state : UP
Line protocol current state : UP
Speed : 1000,  Loopback: NONE
Duplex: FULL,  Negotiation: ENABLE
Input:  120 packets, 9600 bytes
  Unicast:                100,  Multicast:                  20
  Discard:                  -,  Total Error:                 3
Output:  7 packets, 560 bytes
    Output bandwidth utilization :    0%
"""


def test_a_dash_is_a_null_and_a_utilisation_is_no_counter() -> None:
    found = rows(of_text(VRP), counters.TABLE, "direction", "name", "value")
    assert found == [
        ("rx", "packets", 120.0),
        ("rx", "bytes", 9600.0),
        ("rx", "unicast_packets", 100.0),
        ("rx", "multicast_packets", 20.0),
        ("rx", "discard_pkts", None),
        ("rx", "error_pkts", 3.0),
        ("tx", "packets", 7.0),
        ("tx", "bytes", 560.0),
    ]


@given(st.text(alphabet="Input: 0 packets,\nGE1/current state : UP-", max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    of_text(VRP + text)
