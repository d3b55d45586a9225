"""Where hosts and switches send packets: the kernel's routes in all their forms, and those of switches."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.tables import routes
from outputs.claimed import of_text, rows
from outputs.switch.corpus_files import told

WAY = ("line", "device", "destination", "gateway", "kind", "metric", "routing_table")


@pytest.mark.parametrize(
    ("file", "kind", "how_many", "row"),
    [
        (
            "linux_net/Route__golden_output_output.txt",
            "route, netstat -r",
            5,
            (4, "wlo1", "0.0.0.0/0", "_gateway", "unicast", 600, None),
        ),
        (
            "linux_net/centos-7.7__route-6.out",
            "route, netstat -r",
            21,
            (3, "lo", "::/96", None, "unreachable", 1024, None),
        ),
        (
            "linux_net/nixos__route-ee.out",
            "route, netstat -r",
            2,
            (4, "ens33", "192.168.71.0/24", None, "unicast", 202, None),
        ),
        (
            "linux_net/test_ip__IP_ROUTE_SHOW_TABLE_ALL_TEST.txt",
            "ip route",
            14,
            (4, "bond0.300", "0.0.0.0/0", "198.18.236.180", "unicast", None, "red_storage"),
        ),
        (
            "proc_net/linux-proc__net_route.txt",
            "/proc/net/route",
            3,
            (2, "ens33", "0.0.0.0/0", "192.168.71.2", "unicast", 100, None),
        ),
        (
            "ss_netstat/centos-7.7__netstat-rne.out",
            "route, netstat -r",
            3,
            (4, "docker0", "172.17.0.0/16", None, "unicast", 0, None),
        ),
        (
            "ss_netstat/ubuntu-18.04__netstat-r.out",
            "route, netstat -r",
            3,
            (5, "ens33", "_gateway", None, "unicast", None, None),
        ),
        (
            "ss_netstat/ubuntu-18.04__netstat-rnee.out",
            "route, netstat -r",
            3,
            (5, "ens33", "192.168.71.2/32", None, "unicast", 100, None),
        ),
    ],
)
def test_routes_are_those_of_the_file(
    corpus: Path, file: str, kind: str, how_many: int, row: tuple[object, ...]
) -> None:
    read = told(corpus, file)
    assert read.kinds == (kind,)
    found = rows(read, routes.TABLE, *WAY)
    assert len(found) == how_many
    assert row in found


IP_ROUTE = """\
root@h12:~# ip route
default via 10.0.0.1 dev eth0 proto dhcp src 10.0.0.12 metric 100
10.0.1.0/24 proto bgp metric 20
\tnexthop via 10.0.2.1 dev eth2 weight 1
\tnexthop via 10.0.3.1 dev eth3 weight 3 linkdown
blackhole 10.9.0.0/16
10.0.2.0/31 dev eth2 proto kernel scope link src 10.0.2.0 linkdown
fe80::/64 via inet6 fe80::1 dev eth2 mtu 4200
"""


def test_each_next_hop_of_a_route_is_a_row() -> None:
    found = rows(of_text(IP_ROUTE), routes.TABLE, "line", "host", "destination", "gateway", "device", "weight", "flags")
    assert found == [
        (2, "h12", "0.0.0.0/0", "10.0.0.1", "eth0", None, None),
        (4, "h12", "10.0.1.0/24", "10.0.2.1", "eth2", 1, None),
        (5, "h12", "10.0.1.0/24", "10.0.3.1", "eth3", 3, "linkdown"),
        (6, "h12", "10.9.0.0/16", None, None, None, None),
        (7, "h12", "10.0.2.0/31", None, "eth2", None, "linkdown"),
        (8, "h12", "fe80::/64", "fe80::1", "eth2", None, None),
    ]
    more = rows(of_text(IP_ROUTE), routes.TABLE, "kind", "protocol", "preferred_source", "mtu")
    assert more[0] == ("unicast", "dhcp", "10.0.0.12", None)
    assert more[3][0] == "blackhole"
    assert more[5][3] == 4200


def test_json_tells_the_same() -> None:
    text = (
        '[{"dst":"default","gateway":"10.0.0.1","dev":"eth0","protocol":"dhcp","prefsrc":"10.0.0.12","metric":100,'
        '"flags":[]},{"dst":"10.0.1.0/24","protocol":"bgp","metric":20,"flags":[],"nexthops":[{"gateway":"10.0.2.1",'
        '"dev":"eth2","weight":1,"flags":[]},{"gateway":"10.0.3.1","dev":"eth3","weight":3,"flags":["linkdown"]}]}]'
    )
    assert rows(of_text(text), routes.TABLE, "destination", "gateway", "device", "metric", "weight", "flags") == [
        ("0.0.0.0/0", "10.0.0.1", "eth0", 100, None, None),
        ("10.0.1.0/24", "10.0.2.1", "eth2", 20, 1, None),
        ("10.0.1.0/24", "10.0.3.1", "eth3", 20, 3, "linkdown"),
    ]


SHOWN = ("destination", "gateway", "device", "protocol", "routing_table")


def test_routes_of_nxos_are_read() -> None:
    text = (
        'leaf4# show ip route\nIP Route Table for VRF "gpu"\n'
        "'*' denotes best ucast next-hop\n\n"
        "10.0.0.0/31, ubest/mbest: 1/0, attached\n"
        "    *via 10.0.0.1, Eth1/1, [0/0], 1w2d, direct\n"
        "10.0.1.0/24, ubest/mbest: 2/0\n"
        "    *via 10.0.0.0, Eth1/1, [20/0], 3d02h, bgp-65001, external, tag 65100\n"
        "    *via 10.0.2.0, Eth1/2, [20/0], 3d02h, bgp-65001, external, tag 65100\n"
    )
    assert rows(of_text(text), routes.TABLE, *SHOWN) == [
        ("10.0.0.0/31", None, "Eth1/1", "direct", "gpu"),
        ("10.0.1.0/24", "10.0.0.0", "Eth1/1", "bgp", "gpu"),
        ("10.0.1.0/24", "10.0.2.0", "Eth1/2", "bgp", "gpu"),
    ]


def test_routes_of_eos_are_read() -> None:
    text = (
        "VRF: default\nCodes: C - connected, S - static, B - BGP\n\nGateway of last resort:\n"
        " S        0.0.0.0/0 [1/0] via 172.16.0.1, Management0\n\n"
        " C        10.0.0.0/31 is directly connected, Ethernet1\n"
        " B E      10.0.1.0/24 [200/0] via 10.0.0.1, Ethernet1\n"
        "                              via 10.0.2.1, Ethernet2\n"
    )
    assert rows(of_text(text), routes.TABLE, *SHOWN) == [
        ("0.0.0.0/0", "172.16.0.1", "Management0", "static", None),
        ("10.0.0.0/31", None, "Ethernet1", "connected", None),
        ("10.0.1.0/24", "10.0.0.1", "Ethernet1", "bgp", None),
        ("10.0.1.0/24", "10.0.2.1", "Ethernet2", "bgp", None),
    ]


def test_routes_of_sonic_are_read() -> None:
    text = (
        "Codes: K - kernel route, C - connected, S - static, B - BGP,\n"
        "       > - selected route, * - FIB route\n\n"
        "B>* 10.0.1.0/24 [20/0] via 10.0.0.1, Ethernet0, weight 1, 02:03:04\n"
        "  *                    via 10.0.0.3, Ethernet4, weight 2, 02:03:04\n"
        "C>* 10.0.0.0/31 is directly connected, Ethernet0, 02:03:04\n"
    )
    assert rows(of_text(text), routes.TABLE, *SHOWN[:4], "weight") == [
        ("10.0.1.0/24", "10.0.0.1", "Ethernet0", "bgp", 1),
        ("10.0.1.0/24", "10.0.0.3", "Ethernet4", "bgp", 2),
        ("10.0.0.0/31", None, "Ethernet0", "connected", None),
    ]


def test_routes_of_junos_are_read() -> None:
    text = (
        "inet.0: 2 destinations, 2 routes (2 active, 0 holddown, 0 hidden)\n"
        "+ = Active Route, - = Last Active, * = Both\n\n"
        "0.0.0.0/0          *[Static/5] 3w0d 10:00:00\n"
        "                    > to 10.0.0.1 via ge-0/0/0.0\n"
        "10.0.0.0/31        *[Direct/0] 3w0d 10:00:00\n"
        "                    > via ge-0/0/0.0\n"
    )
    assert rows(of_text(text), routes.TABLE, *SHOWN[:4]) == [
        ("0.0.0.0/0", "10.0.0.1", "ge-0/0/0.0", "static"),
        ("10.0.0.0/31", None, "ge-0/0/0.0", "direct"),
    ]


def test_a_cut_route_is_a_problem_and_no_route_elsewhere() -> None:
    for length in range(len(IP_ROUTE)):
        for gateway, device in rows(of_text(IP_ROUTE[:length]), routes.TABLE, "gateway", "device"):
            assert gateway is None or IP_ROUTE.count(gateway)
            assert device is None or IP_ROUTE.count(device)
    read = of_text("10.0.0.0/24 dev eth0 scope link\n10.0.1.0/24 via 10.0.0.1 dev\n" * 6)
    assert read is None or all(problem["what"] for problem in read.problems)


@given(st.text(alphabet="default via 10.dev ethB>*[/],\n", max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    of_text("10.0.0.0/24 dev eth0 proto kernel scope link\n" + text)
    of_text("Codes: B\nB>* 10.0.1.0/24 [20/0] via 10.0.0.1, Ethernet0, weight 1, 1\n" + text)
