"""GPUs as DCGM, ROCm and the fabric manager tell them."""

from datetime import datetime
from pathlib import Path

import pytest

from badhop.tables import gpus
from outputs.claimed import of_file, of_text, rows

TABLE = gpus.TABLE


@pytest.mark.parametrize(
    ("name", "count", "first"),
    [
        ("mi100_rocm602", 4, (2, 0, "0000:83:00.0", 36.0, 53.0, 34342961152, 4, 16, 1)),
        ("rx6700xt_rocm571", 1, (2, 0, "0000:07:00.0", 6.0, 45.0, 12868124672, 4, 16, 0)),
        ("rx6700xt_rocm612", 1, (3, 0, "0000:07:00.0", 6.0, 45.0, 12868124672, 4, 16, 0)),
        ("vega-20-WKS-GL-XE", 1, (2, 0, "0000:63:00.0", 26.0, 36.0, 34342961152, 4, 16, 0)),
    ],
)
def test_rocm_smi(corpus: Path, name: str, count: int, first: tuple[object, ...]) -> None:
    told = of_file(corpus / f"corpus/text/rocm-smi/telegraf__{name}.json")
    assert told is not None
    assert told.kinds == ("rocm-smi --json",)
    columns = ("line", "gpu", "device", "power_w", "temperature_c", "memory_total", "pcie_gen", "pcie_width", "numa")
    found = rows(told, TABLE, *columns)
    assert len(found) == count
    assert found[0] == first


def test_cut_json_of_rocm_smi_is_a_problem(corpus: Path) -> None:
    text = (corpus / "corpus/text/rocm-smi/telegraf__mi100_rocm602.json").read_text()
    told = of_text(text[:4000])
    assert told is not None
    assert not told.rows
    assert "cut or broken" in told.problems[0]["what"]


def test_only_what_the_fabric_manager_complains_of_is_an_event(corpus: Path) -> None:
    told = of_file(corpus / "corpus/text/gpu_logs/gpud__fabricmanager.log")
    assert told is not None
    assert told.kinds == ("fabric manager",)
    assert rows(told, TABLE, "line", "part", "device", "link", "number", "level", "ts") == [
        (100, "event", "0000:86:00.0", 61, 12028, "error", datetime(2025, 2, 27, 15, 10, 2))
    ]


def test_dcgmi_dmon_and_the_blanks_of_dcgm() -> None:
    told = of_text(
        "#Entity   GPUTL  SMACT  PCITX        NVLRX  XYZZY\nID\n"
        "GPU 0     98     0.912  1200000000   N/A    1\n"
        "GPU 1     9223372036854775794     0.100  5   140737488355330.0    1\n"
        "GPU 0     97     0.900\n"
        "GPU 0     96     0.901  1            2      1\n"
    )
    columns = ("line", "gpu", "sample", "busy", "sm_active", "pcie_tx", "nvlink_rx")
    assert rows(told, TABLE, *columns) == [
        (3, 0, 1, 0.98, 0.912, 1.2e9, None),
        (4, 1, 1, None, 0.1, 5.0, None),
        (6, 0, 2, 0.96, 0.901, 1.0, 2.0),
    ]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [5, None]


def test_results_of_dcgmi_diag() -> None:
    told = of_text(
        "Successfully ran diagnostic for group.\n+---------------------------+------------------------------+\n"
        "| Diagnostic                | Result                       |\n"
        "+===========================+==============================+\n"
        "| PCIe                      | Pass - All                   |\n"
        "| GPU Memory                | Fail - GPU: 3                |\n"
    )
    assert rows(told, TABLE, "line", "part", "name", "level", "text") == [
        (5, "test", "PCIe", "pass", "All"),
        (6, "test", "GPU Memory", "fail", "GPU: 3"),
    ]


def test_numbers_that_no_gpu_has_are_unknown() -> None:
    told = of_text("#Entity   FBUSD\nGPU 0     140737488355327\n")
    assert rows(told, TABLE, "gpu", "memory_used") == [(0, None)]
    told = of_text('{"card0": {"GPU use (%)": "5", "VRAM Total Memory (B)": "1e30", "PCIe Replay Count": "1e300"}}')
    assert rows(told, TABLE, "busy", "memory_total", "pcie_replays") == [(0.05, None, None)]


def test_the_table_of_rocm_smi_of_old_and_new_versions() -> None:
    old = of_text(
        "======================= ROCm System Management Interface =======================\n"
        "GPU  Temp (DieEdge)  AvgPwr  SCLK    MCLK     Fan   Perf  PwrCap  VRAM%  GPU%\n"
        "0    45.0c           38.0W   300Mhz  1200Mhz  0.0%  auto  290.0W    0%   97%\n"
        "1    N/A             N/A     None    1200Mhz  0%    auto  290.0W    0%   0%\n"
        "2    45.0c\n"
        "================================================================================\n"
    )
    columns = ("line", "gpu", "temperature_c", "power_w", "power_limit_w", "sm_clock_mhz", "busy")
    assert rows(old, TABLE, *columns) == [
        (3, 0, 45.0, 38.0, 290.0, 300.0, 0.97),
        (4, 1, None, None, 290.0, None, 0.0),
    ]
    assert old is not None
    assert [problem["line"] for problem in old.problems] == [5]
    new = of_text(
        "Device  Node  IDs              Temp    Power  Partitions         SCLK   MCLK    Fan Perf PwrCap  VRAM%  GPU%\n"
        "              (DID,     GUID)  (Edge)  (Avg)  (Mem, Compute, ID)\n"
        "0       1     0x740f,   2720   43.0°C  42.0W  N/A, N/A, 0        800Mhz 1600Mhz 0%  auto 300.0W  0%     3%\n"
    )
    assert rows(new, TABLE, *columns) == [(3, 0, 43.0, 42.0, 300.0, 800.0, 0.03)]


def test_links_of_gpus_and_switches_that_dcgm_tells() -> None:
    told = of_text(
        "+----------------------+\n|  NvLink Link Status  |\n+----------------------+\nGPUs:\n    gpuId 0:\n"
        "        U U D _\nNvSwitches:\n    physicalId 8:\n        U X\n\nKey: Up=U, Down=D, Disabled=X\nU U\n"
    )
    assert rows(told, TABLE, "line", "gpu", "device", "link", "link_state") == [
        (6, 0, None, 0, "up"),
        (6, 0, None, 1, "up"),
        (6, 0, None, 2, "down"),
        (9, None, "NVSwitch 8", 0, "up"),
        (9, None, "NVSwitch 8", 1, "disabled"),
    ]
