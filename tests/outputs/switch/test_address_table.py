"""Which MAC an address has: ip neigh, arp of several systems, /proc/net/arp and the tables of switches."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.tables import neighbours
from outputs.claimed import of_text, rows
from outputs.switch.corpus_files import told

ENTRY = ("line", "device", "protocol", "address", "sender", "reachability", "system_name")


@pytest.mark.parametrize(
    ("file", "kind", "how_many", "row"),
    [
        (
            "linux_net/test_ip__IPV4_NEIGH_CONTEXT.txt",
            "ip neigh",
            8,
            (6, "lo", "arp", "172.17.42.15", "00:00:00:00:00:05", "failed", None),
        ),
        (
            "linux_net/aix-7.1__arp-a.out",
            "arp -a",
            6,
            (9, None, "arp", "198.18.182.230", None, "incomplete", "caju6"),
        ),
        (
            "linux_net/centos-7.7__arp-v.out",
            "arp, show ip arp",
            2,
            (2, "ens33", "arp", None, "00:50:56:f7:4a:fc", None, "gateway"),
        ),
        (
            "linux_net/ubuntu-18.04__arp-v.out",
            "arp, show ip arp",
            2,
            (2, "ens33", "arp", "192.168.71.254", "00:50:56:fe:7a:b4", None, None),
        ),
        (
            "linux_net/freebsd12__arp-a.out",
            "arp -a",
            3,
            (1, "em0", "arp", "192.168.71.163", "00:0c:29:1a:4e:3b", "permanent", None),
        ),
        (
            "linux_net/osx-10.14.6__arp-a.out",
            "arp -a",
            12,
            (5, "en0", "arp", "192.168.1.99", "d0:03:4b:3b:27:d5", None, "outside.attlocal.net"),
        ),
        (
            "proc_net/linux-proc__net_arp.txt",
            "arp, show ip arp",
            3,
            (3, "ens33", "arp", "192.168.71.2", "00:50:56:f7:4a:fc", None, None),
        ),
        (
            "switch_eos/arista_eos_show_ip_arp.txt",
            "arp, show ip arp",
            4,
            (2, "Vlan101", "arp", "172.25.0.2", "00:4c:62:11:02:1e", None, None),
        ),
        (
            "switch_nxos/cisco_nxos_show_ip_arp_detail.txt",
            "arp, show ip arp",
            3,
            (10, None, "arp", "90.10.10.4", "00:0d:ec:e7:df:7d", None, None),
        ),
        (
            "switch_nxos/cisco_nxos_show_ip_arp_detail_flags.txt",
            "arp, show ip arp",
            7,
            (14, "Vlan11", "arp", "10.10.11.21", "aa:aa:bb:bb:cc:cc", None, None),
        ),
        (
            "switch_other/dell_force10_show_arp.txt",
            "arp, show ip arp",
            5,
            (6, "Te 0/22", "arp", "192.168.186.99", "5d:7c:2f:d5:62:57", None, None),
        ),
        (
            "switch_other/huawei_vrp_display_arp_brief.txt",
            "arp, show ip arp",
            3,
            (4, "GE0/0/0", "arp", "192.168.120.1", "70:54:f5:df:9b:40", None, None),
        ),
    ],
)
def test_entries_are_those_of_the_file(
    corpus: Path, file: str, kind: str, how_many: int, row: tuple[object, ...]
) -> None:
    read = told(corpus, file)
    assert read.kinds == (kind,)
    found = rows(read, neighbours.TABLE, *ENTRY)
    assert len(found) == how_many
    assert row in found


NEIGH = """\
root@h12:~# ip neigh
10.0.1.1 dev eth2 lladdr 00:1c:73:ee:c0:46 REACHABLE
10.0.1.9 dev eth2 FAILED
fe80::21c:73ff:feee:c046 dev eth2 lladdr 00:1c:73:ee:c0:46 router STALE
10.0.1.7 dev eth2 lladdr 00:1c:73
"""


def test_ip_neigh_tells_peers_that_failed() -> None:
    read = of_text(NEIGH)
    assert rows(read, neighbours.TABLE, "host", "protocol", "address", "sender", "reachability") == [
        ("h12", "arp", "10.0.1.1", "00:1c:73:ee:c0:46", "reachable"),
        ("h12", "arp", "10.0.1.9", None, "failed"),
        ("h12", "ndp", "fe80::21c:73ff:feee:c046", "00:1c:73:ee:c0:46", "stale"),
    ]
    assert read is not None
    assert read.problems[0]["line"] == 5


def test_json_tells_the_same() -> None:
    text = (
        '[{"dst":"10.0.1.1","dev":"eth2","lladdr":"00:1c:73:ee:c0:46","state":["REACHABLE"]},'
        '{"dst":"10.0.1.9","dev":"eth2","state":["FAILED"]}]'
    )
    assert rows(of_text(text), neighbours.TABLE, "address", "sender", "reachability") == [
        ("10.0.1.1", "00:1c:73:ee:c0:46", "reachable"),
        ("10.0.1.9", None, "failed"),
    ]


def test_an_incomplete_entry_of_arp_has_no_mac() -> None:
    text = (
        "Address                  HWtype  HWaddress           Flags Mask            Iface\n"
        "10.0.1.9                         (incomplete)                              eth2\n"
    )
    assert rows(of_text(text), neighbours.TABLE, "address", "sender", "reachability", "device") == [
        ("10.0.1.9", None, "incomplete", "eth2")
    ]


def test_a_cut_table_invents_no_mac() -> None:
    right = {mac for (mac,) in rows(of_text(NEIGH), neighbours.TABLE, "sender")}
    for length in range(len(NEIGH)):
        assert {mac for (mac,) in rows(of_text(NEIGH[:length]), neighbours.TABLE, "sender")} <= right


@given(st.text(alphabet="10.1 devlladdr:aFAILED?()at\n", max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    of_text(NEIGH + text)
    of_text("? (10.0.0.1) at 00:11:22:33:44:55 on eth0\n" + text)
    of_text("IP address HW type Flags HW address Mask Device\n" + text)
