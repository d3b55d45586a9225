"""NVIDIA GPUs in every form in which nvidia-smi prints them: real outputs, and what must not be made of bad ones."""

from datetime import datetime
from pathlib import Path

import pytest

from badhop.tables import gpus, pcie
from outputs.claimed import of_file, of_text, rows

TABLE = gpus.TABLE
SMI = "corpus/text/nvidia-smi"
STATE = ("line", "device", "name", "pstate", "busy", "memory_used", "power_w", "temperature_c", "throttle")
GIB = 1 << 20


@pytest.mark.parametrize(
    ("name", "count", "first"),
    [
        (
            "gpud__nvidia-smi-query.535.129.03.out.0.valid.a10.txt",
            1,
            (8, "0000:07:00.0", "NVIDIA A10", "P8", 0.0, 4 * GIB, 43.89, 33.0, ["idle"]),
        ),
        (
            "gpud__nvidia-smi-query.535.154.05.out.0.valid.txt",
            8,
            (8, "0000:01:00.0", "NVIDIA GeForce RTX 4090", "P2", 0.0, 20328 * GIB, 67.76, 41.0, []),
        ),
        (
            "gpud__nvidia-smi-query.535.154.05.out.2.valid.txt",
            8,
            (12, "0000:01:00.0", "NVIDIA GeForce RTX 4090", "P8", 0.0, 0, 22.43, 50.0, ["idle"]),
        ),
        (
            "gpud__nvidia-smi-query.535.161.08.out.0.valid.txt",
            8,
            (9, "0000:19:00.0", "NVIDIA H100 80GB HBM3", "P0", 0.0, 0, 67.74, 29.0, ["hw_slowdown", "hw_power_brake"]),
        ),
        (
            "gpud__nvidia-smi-query.535.183.01.out.0.valid.txt",
            8,
            (8, "0000:53:00.0", "NVIDIA H100 80GB HBM3", "P0", 0.0, 0, 71.97, 36.0, ["idle"]),
        ),
        (
            "ml-engineering__debug__block1.txt",
            1,
            (6, "0000:10:1c.0", "NVIDIA A100-SXM4-80GB", None, None, None, None, None, None),
        ),
        (
            "telegraf__a10g.xml",
            1,
            (8, "0000:00:1e.0", "NVIDIA A10G", "P8", 0.0, 22 * GIB, 25.58, 17.0, ["idle"]),
        ),
        (
            "telegraf__gtx-1660-ti.xml",
            1,
            (7, "0000:43:00.0", "Graphics Device", "P8", 0.0, 0, 8.93, 40.0, ["idle"]),
        ),
        ("telegraf__quadro-p400.xml", 1, (7, "0000:43:00.0", "Quadro P400", "P8", 0.0, 0, None, 33.0, ["idle"])),
        (
            "telegraf__rtx-3080-v12.xml",
            1,
            (8, "0000:04:00.0", "NVIDIA GeForce RTX 3080", "P8", 0.0, 1128 * GIB, 22.78, 31.0, ["idle"]),
        ),
        (
            "telegraf__rtx-3090-v12.xml",
            1,
            (8, "0000:00:10.0", "NVIDIA GeForce RTX 3090", "P8", 0.0, 1 * GIB, 27.23, 37.0, ["idle"]),
        ),
        ("telegraf__tesla-t4.xml", 1, (8, "0000:00:1e.0", "Tesla T4", "P0", 0.0, 1032 * GIB, 26.78, 40.0, [])),
        (
            "gpud__nvidia-smi.525.125.06.out.0.valid.txt",
            1,
            (8, "0000:01:00.0", "NVIDIA GeForce ...", "P5", 0.0, 2021 * GIB, 49.0, 38.0, None),
        ),
        (
            "ml-engineering__debug__block5.txt",
            1,
            (10, "0000:01:00.0", "NVIDIA A100 80GB PCIe", "P0", 1.0, 437 * GIB, 69.0, 32.0, None),
        ),
        (
            "nvidia_gpu_exporter__query.txt",
            2,
            (2, "0000:01:00.0", "NVIDIA GeForce RTX 2080 SUPER", None, None, 575 * GIB, None, None, None),
        ),
    ],
)
def test_real_reports(corpus: Path, name: str, count: int, first: tuple[object, ...]) -> None:
    told = of_file(corpus / SMI / name)
    assert told is not None
    assert not told.problems
    found = rows(told, TABLE, *STATE)
    assert len(found) == count
    assert found[0] == first


def test_memory_errors_and_rows_that_wait_for_a_reset(corpus: Path) -> None:
    told = of_file(corpus / SMI / "ml-engineering__debug__block1.txt")
    columns = ("ecc_corrected", "ecc_uncorrected", "remapped_corrected", "remap_pending", "remap_failed")
    assert rows(told, TABLE, *columns) == [(177, 0, 1, True, False)]
    told = of_file(corpus / SMI / "gpud__nvidia-smi-query.535.129.03.out.0.valid.a10.txt")
    assert rows(told, TABLE, "remapped_uncorrected", "remap_pending", "fabric_state") == [(4, True, None)]


def test_the_report_tells_its_time_and_the_fabric_of_a_gpu(corpus: Path) -> None:
    told = of_file(corpus / SMI / "gpud__nvidia-smi-query.535.161.08.out.0.valid.txt")
    assert rows(told, TABLE, "fabric_state", "fabric_status", "driver", "persistence")[0] == (
        "Completed",
        "Success",
        "535.161.08",
        True,
    )
    told = of_file(corpus / SMI / "telegraf__a10g.xml")
    assert rows(told, TABLE, "ts", "ts_from") == [(datetime(2023, 4, 24, 16, 11, 51), "output")]


def test_an_idle_gpu_on_a_slow_link_is_not_called_downgraded(corpus: Path) -> None:
    told = of_file(corpus / SMI / "telegraf__a10g.xml")
    columns = ("device", "speed_gts", "speed_max_gts", "width", "width_max", "idle", "downgraded")
    assert rows(told, pcie.TABLE, *columns) == [("0000:00:1e.0", 2.5, 16.0, 8, 16, True, None)]
    busy = (
        "index, pci.bus_id, pstate, utilization.gpu [%], pcie.link.gen.current, pcie.link.gen.max, "
        "pcie.link.width.current, pcie.link.width.max\n"
        "0, 00000000:19:00.0, P0, 97 %, 5, 5, 8, 16\n1, 00000000:3B:00.0, P0, 98 %, 5, 5, 16, 16\n"
        "2, 00000000:4C:00.0, P8, 0 %, 1, 5, 16, 16\n3, 00000000:5D:00.0, [N/A], [N/A], 1, 5, 16, 16\n"
    )
    assert rows(of_text(busy), pcie.TABLE, "device", "idle", "downgraded") == [
        ("0000:19:00.0", False, True),
        ("0000:3b:00.0", False, False),
        ("0000:4c:00.0", True, None),
        ("0000:5d:00.0", None, None),
    ]


def test_queries_without_header_after_their_command_and_a_lost_gpu() -> None:
    told = of_text(
        "root@h12:~# nvidia-smi --query-gpu=timestamp,index,temperature.gpu,clocks_throttle_reasons.active"
        " --format=csv,noheader,nounits\n"
        "2026/11/30 12:00:00.123, 0, 61, 0x0000000000000084\n"
        "2026/11/30 12:00:00.124, 1, [Not Supported], 0x0000000000000000\n"
        "2026/11/30 12:00:00.125, 2, [Unknown Error], [N/A]\n"
        "2026/11/30 12:00:00.125, 3\n"
        "Unable to determine the device handle for GPU 0000:DB:00.0: GPU is lost.  Reboot the system to recover\n"
    )
    assert rows(told, TABLE, "line", "host", "gpu", "temperature_c", "throttle", "error", "ts_from") == [
        (2, "h12", 0, 61.0, ["sw_power_cap", "hw_power_brake"], None, "line"),
        (3, "h12", 1, None, [], None, "line"),
        (4, "h12", 2, None, None, "Unknown Error", "line"),
        (6, "h12", None, None, None, "GPU is lost.  Reboot the system to recover", None),
    ]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [5]


def test_rows_without_header_and_command_are_nobodys(corpus: Path) -> None:
    insights = corpus / "corpus/text/linux_net"
    for name in ("NVIDIA_SMI_QUERY_GPU_DATA_1", "ACTIVE_CLOCKS_EVENT_REASONS", "NVIDIA_SMI_L_UNPARSABLE_1"):
        assert of_file(insights / f"insights-core__test_nvidia__{name}.txt") is None


def test_a_lost_gpu_in_any_text() -> None:
    told = of_text("job failed\nUnable to determine the device handle for GPU0000:4E:00.0: Unknown Error\n")
    assert rows(told, TABLE, "line", "device", "error") == [(2, "0000:4e:00.0", "Unknown Error")]


ENTITIES = (
    '<?xml version="1.0" ?>\n<!DOCTYPE nvidia_smi_log [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n'
    '<nvidia_smi_log><gpu id="00000000:01:00.0"><product_name>&b;</product_name></gpu></nvidia_smi_log>\n'
)


def test_xml_with_entities_of_its_own_is_refused() -> None:
    told = of_text(ENTITIES)
    assert told is not None
    assert not told.rows
    assert "DTD inside" in told.problems[0]["what"]


def test_xml_nested_without_end_is_refused() -> None:
    told = of_text("<nvidia_smi_log>" + "<a>" * 100_000)
    assert told is not None
    assert "nested" in told.problems[0]["what"]


def test_cut_xml_keeps_what_was_read_and_says_so(corpus: Path) -> None:
    text = (corpus / SMI / "telegraf__a10g.xml").read_text()
    told = of_text(text[: text.index("<utilization>")])
    assert rows(told, TABLE, "name", "memory_total", "busy") == [("NVIDIA A10G", 23028 * GIB, None)]
    assert told is not None
    assert "cut or broken" in told.problems[0]["what"]


def test_a_cut_report_invents_no_gpu(corpus: Path) -> None:
    text = (corpus / SMI / "gpud__nvidia-smi-query.535.129.03.out.0.valid.a10.txt").read_text()
    for length in range(0, len(text), 97):
        assert {row[0] for row in rows(of_text(text[:length]), TABLE, "device")} <= {"0000:07:00.0", None}


def test_links_of_nvlink_status(corpus: Path) -> None:
    told = of_file(corpus / SMI / "gpud__nvidia-smi.nvlink.status.a100.txt")
    assert told is not None
    assert told.kinds == ("nvidia-smi nvlink",)
    found = [
        row for row in rows(told, TABLE, "part", "line", "gpu", "link", "link_state", "link_bps") if row[0] != "gpu"
    ]
    assert len(found) == 96
    assert found[0] == ("nvlink", 2, 0, 0, "up", 200e9)
    told = of_text(
        "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n\t Link 0: 26.562 GB/s\n\t Link 4: <inactive>\n"
        "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-2)\n\t Link 0: Replay Errors: 7\n\t Link 0: Recovery Errors: 0\n"
        "\t Link 0: CRC Errors: 3\n\t Link 1, P2P is supported: true\n"
    )
    columns = ("gpu", "link", "link_state", "link_bps", "replay_errors", "recovery_errors", "crc_errors")
    assert [row for row in rows(told, TABLE, *columns) if row[1] is not None] == [
        (0, 0, "up", pytest.approx(212.496e9), None, None, None),
        (0, 4, "down", None, None, None, None),
        (1, 0, None, None, 7, 0, 3),
    ]


def test_lists_of_gpus_and_lines_that_are_none(corpus: Path) -> None:
    insights = corpus / "corpus/text/linux_net"
    told = of_file(insights / "insights-core__test_nvidia__NVIDIA_SMI_L_INPUT_2.txt")
    assert rows(told, TABLE, "gpu", "name", "uuid")[1] == (
        1,
        "Tesla V100-PCIE-16GB",
        "GPU-b08ecee0-0ea5-7b07-d459-baa5b95f5e89",
    )
    told = of_file(insights / "insights-core__test_nvidia__NVIDIA_SMI_L_UNPARSABLE_3.txt")
    assert rows(told, TABLE, "gpu", "name") == [(0, None), (1, "NVIDIA A100-PCIE-40GB")]


@pytest.mark.parametrize(("block", "connection", "cpus"), [("1", "NV12", "24-47"), ("2", "NV18", "52-103")])
def test_the_matrix_gives_each_pair_once(corpus: Path, block: str, connection: str, cpus: str) -> None:
    told = of_file(corpus / SMI / f"ml-engineering__README__block{block}.txt")
    assert told is not None
    assert told.kinds == ("nvidia-smi topo -m",)
    found = rows(told, TABLE, "part", "gpu", "peer", "connection")
    assert sum(row[0] == "pair" for row in found) == 28
    assert ("pair", 0, "GPU7", connection) in found
    assert ("gpu", 7, cpus, 1) in rows(told, TABLE, "part", "gpu", "cpus", "numa")


def test_nics_of_the_matrix_have_their_names() -> None:
    told = of_text(
        "\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
        "GPU0\t X \tNV18\tPIX\tSYS\t0-31\t0\t\tN/A\nGPU1\tNV18\t X \tSYS\tPXB\t32-63\t1\t\tN/A\n"
        "NIC0\tPIX\tSYS\t X \tSYS\nNIC1\tSYS\tPXB\n\nLegend:\n\n  X    = Self\n\n"
        "NIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_1\n"
    )
    pairs = [row[1:] for row in rows(told, TABLE, "part", "gpu", "device", "peer", "connection") if row[0] == "pair"]
    assert pairs == [
        (0, None, "GPU1", "NV18"),
        (0, None, "mlx5_0", "PIX"),
        (0, None, "mlx5_1", "SYS"),
        (1, None, "mlx5_0", "SYS"),
        (1, None, "mlx5_1", "PXB"),
        (None, "mlx5_0", "mlx5_1", "SYS"),
    ]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [5]


def test_dmon_and_pmon_are_samples_with_null_for_a_dash() -> None:
    told = of_text(
        "# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk\n"
        "# Idx      W      C      C      %      %    MHz    MHz\n"
        "    0    412     58     71    100     37   2619   1755\n"
        "    0    410     58      -     99     37   2619   1740\n"
        "    1    41\n"
    )
    columns = ("line", "gpu", "sample", "power_w", "memory_temperature_c", "busy", "sm_clock_mhz")
    assert rows(told, TABLE, *columns) == [
        (3, 0, 1, 412.0, 71.0, 1.0, 1755.0),
        (4, 0, 2, 410.0, None, 0.99, 1740.0),
    ]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [5]
    told = of_text(
        "# gpu         pid   type     sm    mem    enc    dec    command \n"
        "# Idx           #    C/G      %      %      %      %    name \n"
        "    0       4711     C     97     30      -      -    python train.py\n"
        "    1          -     -      -      -      -      -    - \n"
    )
    assert rows(told, TABLE, "part", "gpu", "pid", "process", "busy") == [("process", 0, 4711, "python train.py", 0.97)]


@pytest.mark.each_file("path", f"{SMI}/nvidia_gpu_exporter__*_*.txt")
def test_collections_of_all_forms_agree(path: Path) -> None:
    told = of_file(path)
    assert told is not None
    if path.name.endswith("__query.txt"):
        return
    assert set(told.kinds) == {
        "nvidia-smi",
        "nvidia-smi -L",
        "nvidia-smi nvlink",
        "nvidia-smi topo -m",
        "nvidia-smi -q",
        "nvidia-smi --query-gpu",
        "nvidia-smi dmon",
    } - ({"nvidia-smi nvlink"} if "nvidia-smi nvlink" not in told.kinds else set())
    assert not told.problems
    whole = [row for row in rows(told, TABLE, "uuid", "memory_total", "driver", "name") if None not in row]
    assert len({row[1:3] for row in whole}) == 1
