"""PCIe links: what each does now and could do, what stands above it, and what must not be called a fault."""

from pathlib import Path

import pytest

from badhop.tables import links, pcie, rdma_devices
from outputs.claimed import of_file, of_text, rows

TABLE = pcie.TABLE
LSPCI = "corpus/text/lspci"
HOSTS = "corpus/text/host_inventory"


@pytest.mark.parametrize(
    ("name", "kind", "count", "one"),
    [
        ("gpud__lspci.gb200.txt", "lspci", 83, (5, "0000:03:00.0", "nic")),
        ("gpud__lspci.nn.a100.txt", "lspci", 31, (1, "0001:00:00.0", "gpu")),
        ("gpud__lspci.nn.a100.txt", "lspci", 31, (5, "0005:00:00.0", "nvswitch")),
        ("gpud__lspci.nn.a100.txt", "lspci", 31, (15, "0101:00:00.0", "nic")),
        ("insights-core__test_lspci__LSPCI_0.txt", "lspci", 1, (3, "03:00.0", "nic")),
        ("insights-core__test_lspci__LSPCI_DRIVER_DETAILS_2.txt", "lspci", 1, (3, "06:00.1", "nic")),
        ("insights-core__test_lspci__LSPCI_DRIVER_DOC.txt", "lspci", 4, (9, "03:00.0", "nic")),
        ("insights-core__test_lspci__RENESAS.txt", "lspci", 3, (1, "05:00.0", "bridge")),
        ("insights-core__test_lspci__LSPCI_VMMKN.txt", "lspci -vmm", 1, (30, "00:03.0", "nic")),
        ("jc__ubuntu-20.10__lspci-nmmv.out", "lspci -vmm", 35, (9, "00:01.0", "bridge")),
    ],
)
def test_devices_of_real_hosts(corpus: Path, name: str, kind: str, count: int, one: tuple[object, ...]) -> None:
    told = of_file(corpus / LSPCI / name)
    assert told is not None
    assert told.kinds == (kind,)
    found = rows(told, TABLE, "line", "device", "kind")
    assert len(found) == count
    assert one in found


def test_a_list_of_devices_says_nothing_of_links_and_ways(corpus: Path) -> None:
    told = of_file(corpus / LSPCI / "gpud__lspci.gb200.txt")
    columns = ("speed_gts", "width", "downgraded", "path", "acs", "aer_corrected")
    assert set(rows(told, TABLE, "speed_gts", "width", "downgraded")) == {(None, None, None)}
    assert all(row == (None,) * len(columns) for row in rows(told, TABLE, *columns))


@pytest.mark.parametrize("name", ["raw1", "raw3"])
def test_specifications_are_not_claimed(corpus: Path, name: str) -> None:
    assert of_file(corpus / LSPCI / f"sichek__spec_test__{name}.txt") is None


VERBOSE = """\
16:01.0 PCI bridge: Intel Corporation Device 352a (rev 04) (prog-if 00 [Normal decode])
\tNUMA node: 0
\tIOMMU group: 7
\tBus: primary=16, secondary=17, subordinate=1b, sec-latency=0
\tCapabilities: [40] Express (v2) Root Port (Slot+), MSI 00
\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported
\t\tLnkSta:\tSpeed 16GT/s (downgraded), Width x16
17:00.0 PCI bridge: Broadcom / LSI PEX89144
\tBus: primary=17, secondary=18, subordinate=1b, sec-latency=0
\tCapabilities: [68] Express (v2) Upstream Port, MSI 00
\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported
\t\tLnkSta:\tSpeed 16GT/s (downgraded), Width x16
18:00.0 PCI bridge: Broadcom / LSI PEX89144
\tBus: primary=18, secondary=19, subordinate=19, sec-latency=0
\tCapabilities: [68] Express (v2) Downstream Port (Slot+), MSI 00
\t\tLnkCap:\tPort #1, Speed 16GT/s, Width x16, ASPM not supported
\t\tLnkSta:\tSpeed 16GT/s, Width x8 (downgraded)
\tCapabilities: [160 v1] Access Control Services
\t\tACSCap:\tSrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl+ DirectTrans+
\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-
19:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]
\tNUMA node: 0
\tCapabilities: [60] Express (v2) Endpoint, MSI 00
\t\tDevCap:\tMaxPayload 512 bytes, PhantFunc 0, Latency L0s unlimited, L1 unlimited
\t\tDevCtl:\tCorrErr+ NonFatalErr+ FatalErr+ UnsupReq-
\t\t\tMaxPayload 256 bytes, MaxReadReq 512 bytes
\t\tDevSta:\tCorrErr+ NonFatalErr- FatalErr- UnsupReq+ AuxPwr- TransPend-
\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported
\t\tLnkSta:\tSpeed 16GT/s (downgraded), Width x8 (downgraded)
\tCapabilities: [100 v1] Advanced Error Reporting
\t\tUESta:\tDLP- SDES- TLP- FCP- CmpltTO+ CmpltAbrt- UnxCmplt- RxOF- MalfTLP- ECRC- UnsupReq+ ACSViol-
\t\tCESta:\tRxErr+ BadTLP+ BadDLLP- Rollover- Timeout- AdvNonFatalErr-
\tKernel driver in use: mlx5_core
1b:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)
\tCapabilities: [60] Express (v2) Endpoint, MSI 00
\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM L1
\t\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x16
"""


def test_a_nic_is_judged_by_the_smaller_of_both_ends_and_an_idle_gpu_is_not() -> None:
    told = of_text(VERBOSE)
    columns = ("device", "speed_gts", "width", "upstream_speed_max_gts", "upstream_width_max", "downgraded")
    found = {row[0]: row[1:] for row in rows(told, TABLE, *columns)}
    assert found["19:00.0"] == (16.0, 8, 16.0, 16, True)
    assert found["1b:00.0"] == (2.5, 16, None, None, None)
    assert found["16:01.0"] == (16.0, 16, None, None, None)
    limits = {row[0]: row[1:] for row in rows(told, TABLE, "device", "bytes_per_second", "bytes_per_second_max")}
    assert limits["19:00.0"] == (pytest.approx(16e9 * 8 / 8 * 128 / 130), pytest.approx(16e9 * 16 / 8 * 128 / 130))
    assert limits["1b:00.0"][0] == pytest.approx(2.5e9 * 16 / 8 * 0.8)


def test_the_way_to_the_root_acs_payload_and_error_bits() -> None:
    told = of_text(VERBOSE)
    found = {row[0]: row[1:] for row in rows(told, TABLE, "device", "line", "part", "path", "driver", "numa")}
    assert found["19:00.0"] == (21, "endpoint", ["18:00.0", "17:00.0", "16:01.0"], "mlx5_core", 0)
    assert found["16:01.0"] == (1, "root-port", [], None, 0)
    assert found["17:00.0"][1] == "upstream-port"
    columns = ("device", "mps", "mps_max", "mrrs", "errors", "aer_corrected", "aer_uncorrected")
    bits = {row[0]: row[1:] for row in rows(told, TABLE, *columns)}
    assert bits["19:00.0"] == (256, 512, 512, ["CorrErr", "UnsupReq"], ["RxErr", "BadTLP"], ["CmpltTO", "UnsupReq"])
    assert bits["1b:00.0"] == (None,) * 6
    acs = dict(rows(told, TABLE, "device", "acs"))
    assert acs["18:00.0"] == ["SrcValid", "ReqRedir", "CmpltRedir", "UpstreamFwd"]
    assert acs["19:00.0"] is None


def test_without_root_the_link_is_unknown() -> None:
    told = of_text(
        "19:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]\n"
        "\tSubsystem: Mellanox Technologies Device 0041\n\tCapabilities: <access denied>\n"
        "\tKernel driver in use: mlx5_core\n"
    )
    assert rows(told, TABLE, "device", "speed_gts", "downgraded", "driver") == [("19:00.0", None, None, "mlx5_core")]


@pytest.mark.parametrize("length", range(0, len(VERBOSE), 53))
def test_cut_verbose_output_accuses_nobody_else(length: int) -> None:
    found = rows(of_text(VERBOSE[:length]), TABLE, "device", "downgraded")
    assert {device for device, slower in found if slower} <= {"19:00.0"}


def test_the_tree_of_lspci() -> None:
    told = of_text(
        "-+-[0000:16]-+-00.0  Intel Corporation Device 09a2\n"
        " |           \\-01.0-[17-1b]----00.0-[18-1b]--+-00.0-[19]----00.0  Mellanox Technologies MT2910\n"
        " |                                           \\-01.0-[1b]----00.0  NVIDIA Corporation GH100\n"
        " \\-[0000:00]-+-00.0  Intel Corporation Device 09a2\n"
        "             \\-1c.0-[01]--+-00.0\n"
        "                          \\-00.1\n"
    )
    assert told is not None
    assert told.kinds == ("lspci -t",)
    found = {row[0]: row[1:] for row in rows(told, TABLE, "device", "line", "path", "name")}
    to_root = ["0000:17:00.0", "0000:16:01.0"]
    assert found["0000:19:00.0"] == (2, ["0000:18:00.0", *to_root], "Mellanox Technologies MT2910")
    assert found["0000:1b:00.0"] == (3, ["0000:18:01.0", *to_root], "NVIDIA Corporation GH100")
    assert found["0000:01:00.1"] == (6, ["0000:00:1c.0"], None)
    assert found["0000:00:00.0"] == (4, [], "Intel Corporation Device 09a2")


@pytest.mark.parametrize(
    ("name", "count", "first"),
    [
        ("gcm__cache_downlink.json", 70, (2, "0000:00:01.1", 8.0, 4, None)),
        ("gcm__cache_milan_good.json", 27, None),
        ("gcm__cache_rome_good.json", 27, None),
        ("gcm__compute_samsung980pro.json", 111, (444, "0000:01:00.0", 16.0, 16, None)),
        ("gcm__learn_ib_misbound_if.json", 111, (444, "0000:01:00.0", 16.0, 16, None)),
        ("gcm__Altus_XE1211_Cache_Rome.json", 14, (3, "0000:41:00.0", 16.0, 16, None)),
    ],
)
def test_links_of_inventories_know_no_maximum(
    corpus: Path, name: str, count: int, first: tuple[object, ...] | None
) -> None:
    told = of_file(corpus / HOSTS / name)
    assert told is not None
    assert not told.problems
    found = rows(told, TABLE, "line", "device", "speed_gts", "width", "downgraded")
    assert len(found) == count
    assert first is None or found[0] == first
    assert {row[4] for row in found} == {None}


def test_rdma_ports_and_interfaces_of_sysfs(corpus: Path) -> None:
    told = of_file(corpus / HOSTS / "gcm__learn_ib_intf_bad_rate.json")
    columns = ("line", "bus", "device", "port", "state", "rate_bps", "lanes", "lid")
    assert rows(told, rdma_devices.TABLE, *columns)[0] == (
        13,
        "0000:ba:00.0",
        "mlx5_8",
        1,
        "active",
        100 * 10**9,
        4,
        None,
    )
    assert rows(told, links.TABLE, "device", "bus", "speed_bps", "state", "mtu", "flaps")[0] == (
        "ib6",
        "0000:ba:00.0",
        200 * 10**9,
        "up",
        2044,
        3,
    )


@pytest.mark.parametrize(
    ("name", "count", "device", "expected"),
    [
        ("gcm__eth_learn_down_intf.json", 14, "enp225s0f0", (None, "down", 1500)),
        ("gcm__eth_learn_down_intf.json", 14, "enp97s0f0", (200 * 10**9, "up", 9192)),
        ("gcm__eth_learn_missing_intf.json", 2, "front0", (400 * 10**9, "up", 9192)),
        ("gcm__eth_learn_nic_swap.json", 14, "front0", (None, "down", 9192)),
        ("gcm__Altus_XE1211_Cache_Rome.json", 3, "enp65s0", (100 * 10**9, "up", 9192)),
    ],
)
def test_interfaces_of_inventories_have_no_speed_when_down(
    corpus: Path, name: str, count: int, device: str, expected: tuple[object, ...]
) -> None:
    told = of_file(corpus / HOSTS / name)
    assert told is not None
    assert told.kinds == ("host inventory",)
    found = {row[0]: row[1:] for row in rows(told, links.TABLE, "device", "speed_bps", "state", "mtu")}
    assert len(found) == count
    assert found[device] == expected


def test_a_list_of_kernel_modules_is_nobodys(corpus: Path) -> None:
    assert of_file(corpus / HOSTS / "jc__centos-7.7__lsmod.out") is None


def test_a_cut_inventory_is_a_problem() -> None:
    told = of_text('{\n  "/sys/class/pci_bus/0000:00/device/0000:00:01.1/current_link_speed": "8 G')
    assert told is not None
    assert not told.rows
    assert "cut or broken" in told.problems[0]["what"]
