"""What a path tells, and what it does not."""

from pathlib import PurePath

import pytest

from badhop.sources.outputs.place import device_of, host_of, time_of


@pytest.mark.parametrize(
    ("path", "host"),
    [
        ("h12/ethtool_eth2.txt", "h12"),
        ("dump/gpu-node-03/sys/class/net.txt", "gpu-node-03"),
        ("leaf4.pod2/pfc.txt", "leaf4.pod2"),
        ("case-4711/ethtool.txt", None),
        ("incident-2026/ethtool.txt", None),
        ("mlx5_0/counters/x", None),
        ("sys/class/net/eth0/statistics/rx_bytes", None),
        ("2026-11-30/ethtool.txt", None),
        ("ethtool.txt", None),
    ],
)
def test_a_folder_that_is_named_as_a_node_is_its_host(path: str, host: str | None) -> None:
    assert host_of(PurePath(path)) == host


@pytest.mark.parametrize(
    ("path", "device"),
    [
        ("h12/ethtool_eth2.txt", "eth2"),
        ("ethtool_-S_enp65s0f0np0", "enp65s0f0np0"),
        ("rdma-mlx5_3.json", "mlx5_3"),
        ("swp3.counters", "swp3"),
        ("Ethernet12.txt", "Ethernet12"),
        ("eth2_eth3.txt", None),
        ("ethtool.txt", None),
        ("method2.txt", None),
    ],
)
def test_a_file_that_names_one_device_is_about_it(path: str, device: str | None) -> None:
    assert device_of(PurePath(path)) == device


@pytest.mark.parametrize(
    ("name", "ns"),
    [
        ("pfc_2025-11-30T12-00-00.txt", 1_764_504_000_000_000_000),
        ("ethtool.20251130_120000.txt", 1_764_504_000_000_000_000),
        ("stats-1764504000.25.txt", 1_764_504_000_250_000_000),
        ("2025-11-30.txt", None),
        ("build-20251399_120000.txt", None),
        ("a-123456.txt", None),
    ],
)
def test_a_name_holds_a_time_only_to_the_second(name: str, ns: int | None) -> None:
    assert time_of(PurePath(name)) == ns
