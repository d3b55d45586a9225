"""What `nvidia-smi` calls each fact in its three forms (-q, -q -x, --query-gpu), and its column of `gpus`."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from badhop.sources.outputs.kinds.hardware.pcie.address import address
from badhop.sources.outputs.labelled import leading, leading_whole

_NO_VALUE = re.compile(r"|-|\[?N/A\]?|\[?Not Supported\]?|Requested functionality has been deprecated|None", re.I)
_ERROR = re.compile(r"\[?(Unknown Error|GPU is lost|Insufficient [Pp]ermissions|GPU requires reset|ERR!)\]?", re.I)


def said(value: str) -> str | None:
    """A value; None for N/A, its like, and for the errors that stand where a value should."""
    stripped = value.strip()
    return None if _NO_VALUE.fullmatch(stripped) or _ERROR.fullmatch(stripped) else stripped


def error(value: str) -> str | None:
    """What stands in place of a value: Unknown Error, GPU is lost."""
    found = _ERROR.fullmatch(value.strip())
    return found[1] if found else None


def mib(value: str) -> int | None:
    """Bytes, of MiB with or without the unit."""
    number = leading_whole(value, 2**40)
    return None if number is None else number << 20


def share(value: str) -> float | None:
    """Of percent."""
    number = leading(value)
    return None if number is None or not 0 <= number <= 100 else number / 100


def switch(value: str) -> bool | None:
    """Of Yes, Enabled, 1 and their opposites."""
    return {"yes": True, "enabled": True, "1": True, "no": False, "disabled": False, "0": False}.get(value.lower())


def kilobytes(value: str) -> float | None:
    """Bytes per second, of KB/s."""
    number = leading(value)
    return None if number is None else number * 1000


def count(value: str) -> int | None:
    """A number of things."""
    return leading_whole(value)


def small(value: str) -> int | None:
    """A number below 256: a generation, lanes."""
    return leading_whole(value, 255)


@dataclass(frozen=True)
class Field:
    """A column with the names of its fact; of several names the first that has a value counts."""

    column: str
    read: Callable[[str], Any]
    report: tuple[str, ...] = ()
    """Headings and label of -q, in lower case, joined by /."""
    xml: tuple[str, ...] = ()
    query: tuple[str, ...] = ()


FIELDS = (
    Field("device", address, (), (), ("pci.bus_id",)),
    Field("gpu", lambda value: leading_whole(value, 65535), (), (), ("index",)),
    Field("uuid", str, ("gpu uuid",), ("uuid",), ("uuid",)),
    Field("serial", str, ("serial number",), ("serial",), ("serial",)),
    Field("name", str, ("product name",), ("product_name",), ("name",)),
    Field("driver", str, (), (), ("driver_version",)),
    Field("pstate", str, ("performance state",), ("performance_state",), ("pstate",)),
    Field("busy", share, ("utilization/gpu",), ("utilization/gpu_util",), ("utilization.gpu",)),
    Field("memory_busy", share, ("utilization/memory",), ("utilization/memory_util",), ("utilization.memory",)),
    Field("memory_used", mib, ("fb memory usage/used",), ("fb_memory_usage/used",), ("memory.used",)),
    Field("memory_total", mib, ("fb memory usage/total",), ("fb_memory_usage/total",), ("memory.total",)),
    Field(
        "power_w",
        leading,
        (
            "gpu power readings/power draw",
            "gpu power readings/instantaneous power draw",
            "gpu power readings/average power draw",
            "power readings/power draw",
        ),
        (
            "gpu_power_readings/power_draw",
            "gpu_power_readings/instant_power_draw",
            "gpu_power_readings/average_power_draw",
            "power_readings/power_draw",
        ),
        ("power.draw", "power.draw.instant", "power.draw.average"),
    ),
    Field(
        "power_limit_w",
        leading,
        (
            "gpu power readings/current power limit",
            "power readings/power limit",
            "power readings/enforced power limit",
        ),
        (
            "gpu_power_readings/current_power_limit",
            "power_readings/power_limit",
            "power_readings/enforced_power_limit",
        ),
        ("power.limit", "enforced.power.limit"),
    ),
    Field("temperature_c", leading, ("temperature/gpu current temp",), ("temperature/gpu_temp",), ("temperature.gpu",)),
    Field(
        "memory_temperature_c",
        leading,
        ("temperature/memory current temp",),
        ("temperature/memory_temp",),
        ("temperature.memory",),
    ),
    Field("slowdown_c", leading, ("temperature/gpu slowdown temp",), ("temperature/gpu_temp_slow_threshold",)),
    Field("sm_clock_mhz", leading, ("clocks/sm",), ("clocks/sm_clock",), ("clocks.current.sm", "clocks.sm")),
    Field("sm_clock_max_mhz", leading, ("max clocks/sm",), ("max_clocks/sm_clock",), ("clocks.max.sm",)),
    Field(
        "memory_clock_mhz",
        leading,
        ("clocks/memory",),
        ("clocks/mem_clock",),
        ("clocks.current.memory", "clocks.mem"),
    ),
    Field("ecc_corrected", count, (), (), ("ecc.errors.corrected.volatile.total",)),
    Field("ecc_uncorrected", count, (), (), ("ecc.errors.uncorrected.volatile.total",)),
    Field("ecc_corrected_ever", count, (), (), ("ecc.errors.corrected.aggregate.total",)),
    Field("ecc_uncorrected_ever", count, (), (), ("ecc.errors.uncorrected.aggregate.total",)),
    Field(
        "remapped_corrected",
        count,
        ("remapped rows/correctable error",),
        ("remapped_rows/remapped_row_corr",),
        ("remapped_rows.correctable",),
    ),
    Field(
        "remapped_uncorrected",
        count,
        ("remapped rows/uncorrectable error",),
        ("remapped_rows/remapped_row_unc",),
        ("remapped_rows.uncorrectable",),
    ),
    Field(
        "remap_pending",
        switch,
        ("remapped rows/pending", "retired pages/pending page blacklist"),
        ("remapped_rows/remapped_row_pending", "retired_pages/pending_blacklist", "retired_pages/pending_retirement"),
        ("remapped_rows.pending", "retired_pages.pending"),
    ),
    Field(
        "remap_failed",
        switch,
        ("remapped rows/remapping failure occurred",),
        ("remapped_rows/remapped_row_failure",),
        ("remapped_rows.failure",),
    ),
    Field(
        "reset_required",
        switch,
        ("gpu reset status/reset required",),
        ("gpu_reset_status/reset_required",),
        ("reset_status.reset_required",),
    ),
    Field("mig", switch, ("mig mode/current",), ("mig_mode/current_mig",), ("mig.mode.current",)),
    Field("persistence", switch, ("persistence mode",), ("persistence_mode",), ("persistence_mode",)),
    Field("fabric_state", str, ("fabric/state",), ("fabric/state",), ("fabric.state",)),
    Field("fabric_status", str, ("fabric/status",), ("fabric/status",), ("fabric.status",)),
    Field(
        "pcie_gen",
        small,
        ("pci/gpu link info/pcie generation/current",),
        ("pci/pci_gpu_link_info/pcie_gen/current_link_gen",),
        ("pcie.link.gen.current", "pcie.link.gen.gpucurrent"),
    ),
    Field(
        "pcie_gen_max",
        small,
        ("pci/gpu link info/pcie generation/max",),
        ("pci/pci_gpu_link_info/pcie_gen/max_link_gen",),
        ("pcie.link.gen.max",),
    ),
    Field(
        "pcie_width",
        small,
        ("pci/gpu link info/link width/current",),
        ("pci/pci_gpu_link_info/link_widths/current_link_width",),
        ("pcie.link.width.current",),
    ),
    Field(
        "pcie_width_max",
        small,
        ("pci/gpu link info/link width/max",),
        ("pci/pci_gpu_link_info/link_widths/max_link_width",),
        ("pcie.link.width.max",),
    ),
    Field("pcie_replays", count, ("pci/replays since reset",), ("pci/replay_counter",)),
    Field("pcie_tx", kilobytes, ("pci/tx throughput",), ("pci/tx_util",)),
    Field("pcie_rx", kilobytes, ("pci/rx throughput",), ("pci/rx_util",)),
)


def columns(values: Mapping[str, str], form: str) -> dict[str, Any]:
    """Columns of `gpus`, of a GPU's values by their names in a form: report, xml or query."""
    found: dict[str, Any] = {}
    for field in FIELDS:
        names: tuple[str, ...] = getattr(field, form)
        texts = (said(values[name]) for name in names if name in values)
        text = next((text for text in texts if text is not None), None)
        if text is not None:
            found[field.column] = field.read(text)
    wrong = next((text for value in values.values() if (text := error(value))), None)
    return found | ({"error": wrong} if wrong else {})
