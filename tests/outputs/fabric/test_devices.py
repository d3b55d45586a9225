"""RDMA devices of a host as its tools tell them: real outputs, and literal ones where the corpus has none."""

from pathlib import Path

import pytest

from badhop.tables import rdma_devices
from outputs.claimed import of_file, of_text, rows

TABLE = rdma_devices.TABLE
IBSTAT = "corpus/text/ibstat"


@pytest.mark.parametrize(
    ("name", "count", "device", "expected"),
    [
        (
            "ibstat.47.0.a100.all.active.0",
            9,
            "mlx5_0",
            (8, "active", 200 * 10**9, "Ethernet", None, None, "22.35.2302"),
        ),
        (
            "ibstat.47.0.a100.all.active.0",
            9,
            "mlx5_1",
            (25, "active", 200 * 10**9, "InfiniBand", 1369, 83, "28.37.1014"),
        ),
        (
            "ibstat.47.0.h100.all.active.2",
            9,
            "mlx5_5",
            (59, "active", 400 * 10**9, "InfiniBand", 1775, 1, "28.41.1000"),
        ),
        ("ibstat.47.0.some.down.0", 12, "mlx5_2", (76, "down", 40 * 10**9, "Ethernet", None, None, "22.38.1002")),
        ("ibstatus.39.0.a100.all.active.0", 9, "mlx5_0", (1, "active", 200 * 10**9, "InfiniBand", 0x33BF, 1, None)),
        ("ibstatus.39.0.a100.all.active.0", 9, "mlx5_8", (73, "active", 40 * 10**9, "Ethernet", None, None, None)),
    ],
)
def test_ports_of_real_hosts(corpus: Path, name: str, count: int, device: str, expected: tuple[object, ...]) -> None:
    told = of_file(corpus / IBSTAT / f"gpud__{name}.txt")
    assert told is not None
    assert told.kinds == (name.split(".")[0],)
    assert not told.problems
    found = rows(told, TABLE, "device", "line", "state", "rate_bps", "link_layer", "lid", "sm_lid", "firmware")
    assert len(found) == count
    assert [row[1:] for row in found if row[0] == device] == [expected]


def test_a_port_keeps_guids_and_what_it_is(corpus: Path) -> None:
    told = of_file(corpus / IBSTAT / "gpud__ibstat.47.0.some.down.0.txt")
    found = rows(told, TABLE, "device", "port", "physical_state", "guid", "port_guid", "type")
    assert found[4] == ("mlx5_2", 1, "Disabled", "946dae0300c2b691", "966daefffec2b691", "MT4125")


def test_lists_of_devices(corpus: Path) -> None:
    told = of_file(corpus / IBSTAT / "gcm__test_check_hca__sample_output_single_hca.txt")
    assert rows(told, TABLE, "line", "part", "device") == [(2, "device", "mlx5_0")]
    told = of_file(corpus / "corpus/text/rdma_tool/rdma-roce-lab__README__block1.txt")
    assert rows(told, TABLE, "line", "host", "device", "guid") == [(17, "rdma-client", "rxe0", "505400fffe78e0a6")]


def test_programs_that_use_rdma_are_not_claimed(corpus: Path) -> None:
    assert rows(of_file(corpus / "corpus/text/rdma_tool/rdma-roce-lab__client2.log"), TABLE, "line") == []


DEVINFO = """hca_id:\tmlx5_0
\ttransport:\t\t\tInfiniBand (0)
\tfw_ver:\t\t\t\t28.43.1014
\tnode_guid:\t\t\t9c63:c003:00aa:0001
\tvendor_part_id:\t\t\t4129
\tboard_id:\t\t\tMT_0000000838
\tphys_port_cnt:\t\t\t1
\t\tport:\t1
\t\t\tstate:\t\t\tPORT_ACTIVE (4)
\t\t\tmax_mtu:\t\t4096 (5)
\t\t\tactive_mtu:\t\t1024 (3)
\t\t\tsm_lid:\t\t\t0
\t\t\tport_lid:\t\t0
\t\t\tlink_layer:\t\tEthernet
\t\t\tactive_width:\t\t4X (2)
\t\t\tactive_speed:\t\t100.0 Gbps (128)
\t\t\tphys_state:\t\tLINK_UP (5)
\t\t\tGID[  0]:\t\tfe80::9e63:c0ff:feaa:1, RoCE v1
\t\t\tGID[  3]:\t\t::ffff:10.0.0.1, RoCE v2
"""


def test_ibv_devinfo_gives_a_row_for_the_port_and_one_for_each_gid() -> None:
    told = of_text(DEVINFO)
    assert rows(told, TABLE, "part", "line", "device", "port", "gid_index", "gid_type", "gid_ip") == [
        ("gid", 18, "mlx5_0", 1, 0, "RoCEv1", None),
        ("gid", 19, "mlx5_0", 1, 3, "RoCEv2", "10.0.0.1"),
        ("port", 8, "mlx5_0", 1, None, None, None),
    ]
    port = rows(told, TABLE, "state", "active_mtu", "max_mtu", "rate_bps", "lanes", "firmware", "board", "guid", "lid")
    assert port[-1] == (
        "active",
        1024,
        4096,
        400 * 10**9,
        4,
        "28.43.1014",
        "MT_0000000838",
        "9c63c00300aa0001",
        None,
    )


@pytest.mark.parametrize("length", range(0, len(DEVINFO), 11))
def test_a_cut_ibv_devinfo_invents_nothing(length: int) -> None:
    told = of_text(DEVINFO[:length])
    assert {row[0] for row in rows(told, TABLE, "port")} <= {1}
    assert {row[0] for row in rows(told, TABLE, "rate_bps")} <= {None, 400 * 10**9, 40 * 10**9, 4 * 10**9}


def test_show_gids() -> None:
    told = of_text(
        "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n"
        "mlx5_0\t1\t0\tfe80:0000:0000:0000:9e63:c0ff:feaa:0001\t\t\tv1\teth0\n"
        "mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:0a00:0001\t10.0.0.1  \tv2\teth0\n"
        "mlx5_1\t1\n"
        "n_gids_found=2\n"
    )
    assert rows(told, TABLE, "line", "device", "port", "gid_index", "gid_type", "gid_ip", "netdev") == [
        (3, "mlx5_0", 1, 0, "RoCEv1", None, "eth0"),
        (4, "mlx5_0", 1, 3, "RoCEv2", "10.0.0.1", "eth0"),
    ]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev eth0 \n",
            ("mlx5_0", 1, "active", "LINK_UP", "eth0", None, "Ethernet"),
        ),
        (
            "1/1: mlx5_0/1: subnet_prefix fe80:0000:0000:0000 lid 13399 sm_lid 49151 lmc 0 state DOWN "
            "physical_state POLLING\n",
            ("mlx5_0", 1, "down", "POLLING", None, 13399, "InfiniBand"),
        ),
        (
            '[{"ifindex":0,"ifname":"mlx5_0","port":1,"state":"ACTIVE","physical_state":"LINK_UP","netdev":"eth0"}]',
            ("mlx5_0", 1, "active", "LINK_UP", "eth0", None, "Ethernet"),
        ),
    ],
)
def test_rdma_link_of_every_version(text: str, expected: tuple[object, ...]) -> None:
    told = of_text(text)
    assert rows(told, TABLE, "device", "port", "state", "physical_state", "netdev", "lid", "link_layer") == [expected]


def test_cut_json_of_rdma_link_is_a_problem() -> None:
    told = of_text('[{"ifindex":0,"ifname":"mlx5_0","port":1,"state":"ACTIVE","physical_state":"LI')
    assert told is not None
    assert not told.rows
    assert "cut or broken" in told.problems[0]["what"]


def test_rdma_dev_and_ibdev2netdev() -> None:
    told = of_text(
        "0: mlx5_0: node_type ca fw 28.43.1014 node_guid 9c63:c003:00aa:0001 sys_image_guid 9c63:c003:00aa:0001\n"
    )
    assert rows(told, TABLE, "part", "device", "firmware", "guid") == [
        ("device", "mlx5_0", "28.43.1014", "9c63c00300aa0001")
    ]
    told = of_text(
        "$ ibdev2netdev\nmlx5_0 port 1 ==> eth0 (Up)\nmlx5_1 port 1 ==> eth1 (Down)\n$ ibdev2netdev -v\n"
        "0000:18:00.0 mlx5_2 (MT4129 - MCX75310AAS) ConnectX-7 fw 28.43.1014 port 1 (ACTIVE) ==> ib0 (Up)\n"
    )
    assert rows(told, TABLE, "line", "device", "port", "netdev", "netdev_state", "bus", "firmware", "state") == [
        (2, "mlx5_0", 1, "eth0", "up", None, None, None),
        (3, "mlx5_1", 1, "eth1", "down", None, None, None),
        (5, "mlx5_2", 1, "ib0", "up", "0000:18:00.0", "28.43.1014", "active"),
    ]


def test_a_lid_that_nobody_gave_is_unknown_and_a_missing_subnet_manager_is_zero() -> None:
    told = of_text(
        "CA 'mlx5_0'\n\tCA type: MT4129\n\tPort 1:\n\t\tState: Initializing\n\t\tPhysical state: LinkUp\n"
        "\t\tRate: 400\n\t\tBase lid: 65535\n\t\tSM lid: 0\n\t\tLink layer: InfiniBand\n"
    )
    assert rows(told, TABLE, "state", "lid", "sm_lid") == [("init", None, 0)]
