"""Who stands next to whom: LLDP and CDP as daemons and switches tell it, values from real files and literal samples."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.sources.outputs.kinds.switch.neighbourhood.announced import mac
from badhop.tables import neighbours
from outputs.claimed import of_text, rows
from outputs.switch.corpus_files import told

WHO = ("line", "host", "device", "protocol", "system_name", "port_id", "chassis_id", "ttl")


@pytest.mark.parametrize(
    ("file", "kind", "how_many", "row"),
    [
        (
            "lldp/ShowLldpNeighborsDetail__golden_output2_output.txt",
            "show lldp neighbors detail",
            7,
            (8, None, "Eth1/14", "lldp", None, "PCI-E Slot 1, Port 2", "3935-5A43-4A37-39373638-35303036574C", None),
        ),
        (
            "lldp/ShowLldpNeighborsDetail__golden_output4_output.txt",
            "show lldp neighbors detail",
            2,
            (23, None, "Eth1/2", "lldp", "R2_xrv9000", "Gi0/0/0/1", "00:0d:bd:ff:4f:04", None),
        ),
        (
            "lldp/cisco_nxos_show_lldp_neighbors_detail.txt",
            "show lldp neighbors detail",
            4,
            (51, None, "Eth2/2", "lldp", "N3K.cisconxapi.com", "Ethernet1/49", "54:7f:ee:af:78:18", None),
        ),
        (
            "lldp/cisco_nxos_show_lldp_neighbors_multiline.txt",
            "show lldp neighbors, show cdp neighbors",
            15,
            (7, "r1-services", "mgmt0", "lldp", "dcx3.org.local", "Gi1/0/37", None, 120),
        ),
        (
            "lldp/arista_eos_show_lldp_neighbors2.txt",
            "show lldp neighbors",
            6,
            (13, None, "Et7", "lldp", "arista2", "Ethernet7", None, 120),
        ),
        (
            "lldp/broadcom_icos_show_lldp_remote-device_all.txt",
            "show lldp neighbors",
            14,
            (7, None, "0/1", "lldp", "abc-1-00001.y ...", "Gi0", "84:3d:c6:00:12:e0", None),
        ),
        (
            "lldp/hp_comware_display_lldp_neighbor-information_list1.txt",
            "show lldp neighbors",
            2,
            (5, None, "XGE1/0/0/1", "lldp", "SWITCH01", "Ten-GigabitEthernet1/0/47", "bc:ea:fa:00:00:33", None),
        ),
        (
            "lldp/hp_comware_display_lldp_neighbor-information_verbose.txt",
            "show lldp neighbors detail",
            4,
            (
                71,
                None,
                "Ten-GigabitEthernet1/0/0/3",
                "lldp",
                "SW3",
                "Ten-GigabitEthernet2/0/0/5",
                "70:f9:6d:17:12:36",
                120,
            ),
        ),
        (
            "lldp/huawei_vrp_display_lldp_neighbor1.txt",
            "show lldp neighbors detail",
            1,
            (3, None, "XGigabitEthernet0/0/1", "lldp", "ROUTER2", "XGigabitEthernet0/0/2", "b8:d6:f6:ff:73:90", None),
        ),
        (
            "lldp/huawei_vrp_display_lldp_neighbor4.txt",
            "show lldp neighbors detail",
            2,
            (121, None, "GE1/0/25", "lldp", "SW_380_1", "Gi1/0/3", "bb:bb:bb:bb:bb:bb", None),
        ),
        (
            "lldp/huawei_vrp_display_lldp_neighbor6.txt",
            "show lldp neighbors detail",
            6,
            (41, None, "XGigabitEthernet0/0/2", "lldp", "XXXXXXX", "port e2/1", "xxxx-xxxx-xxxx", None),
        ),
        (
            "lldp/juniper_junos_show_lldp_neighbors_ae7.txt",
            "show lldp neighbors",
            4,
            (5, None, "xe-2/1/5", "lldp", "core01.sjc01", "Ethernet3/29/4", "00:1c:73:ee:c0:46", None),
        ),
        (
            "lldp/clnet36.json",
            "lldpctl -f json",
            2,
            (34, None, "eth0", "lldp", "CL-RLF233", "FourHundredGigE1/0/98", "90:74:2e:ed:72:c0", 121),
        ),
        (
            "switch_nxos/ShowCdpNeighborsDetail__golden_output_3_output.txt",
            "show cdp neighbors detail",
            1,
            (4, "Device", "Ethernet1/18", "cdp", "swor96", "Ethernet1/20", None, None),
        ),
        (
            "switch_nxos/ShowCdpNeighborsDetail__golden_output_9_output.txt",
            "show cdp neighbors detail",
            1,
            (3, None, "Ethernet1/3", "cdp", "Reg181-GX2-TOR1", "Ethernet4/1", None, None),
        ),
        (
            "switch_nxos/ShowCdpNeighbors__golden_output_2_output.txt",
            "show lldp neighbors, show cdp neighbors",
            2,
            (9, "switchA", "mgmt0", "cdp", "Switch", "Fas0/21", None, None),
        ),
        (
            "switch_nxos/ShowCdpNeighbors__golden_output_4_output.txt",
            "show lldp neighbors, show cdp neighbors",
            8,
            (19, None, "Eth1/3", "cdp", "1111-2222-3333", "Ten-GigabitEthernet1/0/10", None, None),
        ),
        (
            "switch_nxos/ShowCdpNeighbors__golden_output_6_output.txt",
            "show lldp neighbors, show cdp neighbors",
            1,
            (9, None, "Eth1/3", "cdp", "Reg181-GX2-TOR1", "Eth4/1", None, None),
        ),
    ],
)
def test_neighbours_are_those_of_the_file(
    corpus: Path, file: str, kind: str, how_many: int, row: tuple[object, ...]
) -> None:
    read = told(corpus, file)
    assert read.kinds == (kind,)
    found = rows(read, neighbours.TABLE, *WHO)
    assert len(found) == how_many
    assert row in found


def test_what_a_port_is_set_to_is_told(corpus: Path) -> None:
    read = told(corpus, "lldp/hp_comware_display_lldp_neighbor-information_verbose.txt")
    columns = ("port_id_kind", "port_vlan", "max_frame", "speed", "duplex", "auto_negotiation", "aggregated")
    assert rows(read, neighbours.TABLE, *columns)[1] == ("name", 10, 9216, 10000, "full", True, True)
    description = rows(read, neighbours.TABLE, "system_description")[0][0]
    assert description.startswith("H3C Comware software. H3C SR8800")
    assert description.endswith("All rights reserved.")


LLDPCLI = """\
-------------------------------------------------------------------------------
LLDP neighbors:
-------------------------------------------------------------------------------
Interface:    eth2, via: LLDP, RID: 1, Time: 0 day, 00:12:34
  Chassis:
    ChassisID:    mac 00:1c:73:ee:c0:46
    SysName:      leaf4
    SysDescr:     Arista Networks EOS version 4.30.1F
    MgmtIP:       10.0.0.4
    Capability:   Bridge, on
  Port:
    PortID:       ifname Ethernet12
    PortDescr:    h12 mlx5_3
    TTL:          120
    MFS:          9236
    PMD autoneg:  supported: yes, enabled: no
  VLAN:         10, pvid: yes
-------------------------------------------------------------------------------
Interface:    eth3, via: CDPv2, RID: 2, Time: 0 day, 00:12:34
  Chassis:
    ChassisID:    local n9k2
    SysName:      n9k2
  Port:
    PortID:       ifname Ethernet1/3
    TTL:          180
-------------------------------------------------------------------------------
"""

EXPECTED = [
    ("eth2", "lldp", "leaf4", "00:1c:73:ee:c0:46", "mac", "Ethernet12", "name", 120, 9236, 10, False),
    ("eth3", "cdp", "n9k2", "n9k2", "local", "Ethernet1/3", "name", 180, None, None, None),
]
COLUMNS = (
    "device",
    "protocol",
    "system_name",
    "chassis_id",
    "chassis_id_kind",
    "port_id",
    "port_id_kind",
    "ttl",
    "max_frame",
    "port_vlan",
    "auto_negotiation",
)


def test_lldpcli_text_is_read() -> None:
    read = of_text("root@h12:~# lldpcli show neighbors\n" + LLDPCLI)
    assert rows(read, neighbours.TABLE, *COLUMNS) == EXPECTED
    assert {host for (host,) in rows(read, neighbours.TABLE, "host")} == {"h12"}


def test_keys_and_values_tell_the_same() -> None:
    text = (
        "lldp.eth2.via=LLDP\nlldp.eth2.rid=1\nlldp.eth2.age=0 day, 00:12:34\n"
        "lldp.eth2.chassis.mac=00:1c:73:ee:c0:46\nlldp.eth2.chassis.name=leaf4\nlldp.eth2.port.ifname=Ethernet12\n"
        "lldp.eth2.port.ttl=120\nlldp.eth2.port.mfs=9236\nlldp.eth2.port.auto-negotiation.enabled=no\n"
        "lldp.eth2.vlan.vlan-id=10\nlldp.eth3.via=CDPv2\nlldp.eth3.chassis.local=n9k2\nlldp.eth3.chassis.name=n9k2\n"
        "lldp.eth3.port.ifname=Ethernet1/3\nlldp.eth3.port.ttl=180\n"
    )
    assert rows(of_text(text), neighbours.TABLE, *COLUMNS) == EXPECTED


def test_json_of_one_neighbour_and_json_of_lists_tell_the_same() -> None:
    one = (
        '{"lldp": {"interface": {"eth2": {"via": "LLDP", "chassis": {"leaf4": {"id": {"type": "mac", "value":'
        '"00:1c:73:ee:c0:46"}, "mgmt-ip": ["10.0.0.4", "fe80::1"]}}, "port": {"id": {"type": "ifname", "value":'
        '"Ethernet12"}, "ttl": "120", "auto-negotiation": {"enabled": false}}}}}}'
    )
    lists = (
        '{"lldp": [{"interface": [{"name": "eth2", "via": "LLDP", "chassis": [{"id": [{"type": "mac", "value":'
        '"00:1c:73:ee:c0:46"}], "name": [{"value": "leaf4"}], "mgmt-ip": [{"value": "10.0.0.4"}]}], "port": [{"id":'
        '[{"type": "ifname", "value": "Ethernet12"}], "ttl": [{"value": "120"}], "auto-negotiation": [{"enabled":'
        "false}]}]}]}]}"
    )
    columns = (*COLUMNS[:8], "management_address", "auto_negotiation")
    expected = [(*EXPECTED[0][:8], "10.0.0.4", False)]
    assert rows(of_text(one), neighbours.TABLE, *columns) == expected
    assert rows(of_text(lists), neighbours.TABLE, *columns) == expected


def test_a_chassis_without_a_name_has_none() -> None:
    text = '{"lldp": {"interface": {"eth2": {"chassis": {"id": {"type": "mac", "value": "00:1c:73:ee:c0:46"}}}}}}'
    assert rows(of_text(text), neighbours.TABLE, "system_name", "chassis_id") == [(None, "00:1c:73:ee:c0:46")]


def test_no_neighbour_is_no_row() -> None:
    read = of_text('{"lldp": {}}')
    assert read is not None
    assert not read.frames


EOS = """\
leaf4#show lldp neighbors detail
Interface Ethernet1 detected 1 LLDP neighbors:

  Neighbor 0c42.a1ff.0102/"eth2", age 10 seconds
  Discovered 5 days, 8:24:38 ago; Last changed 5 days, 8:24:38 ago
  - Chassis ID type: MAC address (4)
    Chassis ID     : 0c42.a1ff.0102
  - Port ID type: Interface name(5)
    Port ID     : "eth2"
  - Time To Live: 120 seconds
  - Port Description: "mlx5_3"
  - System Name: "h12"
  - System Description: "Ubuntu 22.04"
  - Management Address
      Management Address Subtype: IPv4
      Management Address        : 10.0.1.12
  - IEEE802.3 Maximum Frame Size: 9236 bytes

Interface Ethernet2 detected 0 LLDP neighbors:
"""


def test_eos_detail_is_read() -> None:
    columns = (*WHO, "port_id_kind", "management_address", "max_frame", "port_description")
    assert rows(of_text(EOS), neighbours.TABLE, *columns) == [
        (4, "leaf4", "Ethernet1", "lldp", "h12", "eth2", "0c:42:a1:ff:01:02", 120, "name", "10.0.1.12", 9236, "mlx5_3")
    ]


JUNOS = """\
LLDP Neighbor Information:
Local Information:
Index: 1 Time to live: 120 Time mark: Fri Oct 14 09:12:01 2022 Age: 12 secs
Local Interface    : et-0/0/1
Parent Interface   : -
Local Port ID      : 518

Neighbour Information:
Chassis type       : Mac address
Chassis ID         : 00:1c:73:ee:c0:46
Port type          : Interface name
Port ID            : Ethernet3/29/1
Port description   : to-leaf
System name        : core01
"""


def test_junos_detail_is_read() -> None:
    assert rows(of_text(JUNOS), neighbours.TABLE, *WHO) == [
        (4, None, "et-0/0/1", "lldp", "core01", "Ethernet3/29/1", "00:1c:73:ee:c0:46", None)
    ]


def test_macs_of_all_vendors_are_written_alike() -> None:
    for text in ("5087.89a1.d8d6", "50:87:89:A1:D8:D6", "5087-89a1-d8d6", "50-87-89-a1-d8-d6"):
        assert mac(text) == "50:87:89:a1:d8:d6"
    assert mac("Ethernet1/1") == "Ethernet1/1"
    assert mac("not advertised") is None


@pytest.mark.parametrize("text", [LLDPCLI, EOS, JUNOS])
def test_a_cut_output_invents_no_neighbour(text: str) -> None:
    whole = set(rows(of_text(text), neighbours.TABLE, "device", "protocol"))
    for length in range(len(text)):
        assert set(rows(of_text(text[:length]), neighbours.TABLE, "device", "protocol")) <= whole, length


@given(st.text(alphabet='Chassis id:Port Local\n- {}"[],0a.', max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for start in ("LLDP neighbors:\nInterface: eth0, via: LLDP\n", "Chassis id: 1\nPort id: 2\n", '{"lldp":'):
        of_text(start + text)
