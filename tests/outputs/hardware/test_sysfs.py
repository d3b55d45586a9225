"""Values of sysfs in every form in which they are copied."""

from pathlib import Path

import pytest

from badhop.schema import Table
from badhop.tables import links, pcie, rdma_devices
from outputs.claimed import of_file, of_text, rows

TREE = "corpus/text/sysfs"


@pytest.mark.parametrize(
    ("path", "table", "expected"),
    [
        (
            "gpud_h100_a/class/infiniband/mlx5_0/ports/1/rate",
            rdma_devices.TABLE,
            {"part": "port", "device": "mlx5_0", "port": 1, "rate_bps": 400 * 10**9, "lanes": 4, "state": None},
        ),
        (
            "gpud_h100_a/class/infiniband/mlx5_0/ports/1/state",
            rdma_devices.TABLE,
            {"part": "port", "device": "mlx5_0", "state": "active", "rate_bps": None},
        ),
        (
            "gpud_h100_a/class/infiniband/mlx5_0/fw_ver",
            rdma_devices.TABLE,
            {"part": "device", "device": "mlx5_0", "firmware": "28.41.1000"},
        ),
        (
            "node_exporter/sys/class/net/dmz/speed",
            links.TABLE,
            {"line": 1, "device": "dmz", "speed_bps": 10**9, "state": None},
        ),
        ("node_exporter/sys/class/net/bond0/speed", links.TABLE, {"device": "bond0", "speed_bps": None}),
    ],
)
def test_files_of_a_copied_tree(corpus: Path, path: str, table: Table, expected: dict[str, object]) -> None:
    told = of_file(corpus / TREE / path, path)
    assert told is not None
    assert told.kinds == ("sysfs value",)
    assert rows(told, table, *expected) == [tuple(expected.values())]


def test_the_same_content_elsewhere_is_nobodys() -> None:
    assert of_text("16.0 GT/s PCIe\n", "notes/current_link_speed") is None
    assert of_text("4: ACTIVE\n", "state") is None


def test_grep_over_sysfs_joins_what_belongs_together() -> None:
    device = "/sys/bus/pci/devices/0000:3b:00.0"
    port = "/sys/class/infiniband/mlx5_0/ports/1"
    told = of_text(
        f"{device}/current_link_speed:16.0 GT/s PCIe\n{device}/current_link_width:8\n"
        f"{device}/max_link_speed:32.0 GT/s PCIe\n{device}/max_link_width:16\n{device}/numa_node:1\n"
        f"{port}/state:4: ACTIVE\n{port}/gids/0:fe80:0000:0000:0000:9e63:c0ff:feaa:0001\n"
        f"{port}/gids/3:0000:0000:0000:0000:0000:ffff:0a00:0001\n{port}/gids/9:0000:0000:0000:0000:0000:0000:0000:0000\n"
        f"{port}/gid_attrs/types/3:RoCE v2\n{port}/gid_attrs/ndevs/3:eth0\n"
    )
    assert told is not None
    assert told.kinds == ("sysfs by grep",)
    columns = ("line", "device", "speed_gts", "speed_max_gts", "width", "width_max", "numa", "downgraded")
    assert rows(told, pcie.TABLE, *columns) == [(1, "0000:3b:00.0", 16.0, 32.0, 8, 16, 1, None)]
    gids = ("line", "part", "device", "gid_index", "gid_type", "gid_ip", "netdev", "state")
    assert rows(told, rdma_devices.TABLE, *gids) == [
        (6, "port", "mlx5_0", None, None, None, None, "active"),
        (7, "gid", "mlx5_0", 0, None, None, None, None),
        (8, "gid", "mlx5_0", 3, "RoCEv2", "10.0.0.1", "eth0", None),
    ]


def test_a_link_that_is_not_there_has_no_width() -> None:
    device = "/sys/bus/pci/devices/0000:3b:00.0"
    told = of_text(f"{device}/current_link_speed:Unknown\n{device}/current_link_width:0\n{device}/numa_node:-1\n")
    assert rows(told, pcie.TABLE, "speed_gts", "width", "numa", "downgraded") == [(None, None, None, None)]
