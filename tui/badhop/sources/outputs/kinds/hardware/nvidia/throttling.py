"""Reasons that hold the clock of an NVIDIA GPU down, in the three ways in which they are told."""

from collections.abc import Mapping

BITS = {
    0x1: "idle",
    0x2: "applications_clocks",
    0x4: "sw_power_cap",
    0x8: "hw_slowdown",
    0x10: "sync_boost",
    0x20: "sw_thermal_slowdown",
    0x40: "hw_thermal_slowdown",
    0x80: "hw_power_brake",
    0x100: "display_clocks",
}
"""nvmlClocksEventReasons of nvml.h."""

_WORDS = {
    "idle": "idle",
    "gpu_idle": "idle",
    "applications_clocks_setting": "applications_clocks",
    "sw_power_cap": "sw_power_cap",
    "hw_slowdown": "hw_slowdown",
    "hw_thermal_slowdown": "hw_thermal_slowdown",
    "hw_power_brake_slowdown": "hw_power_brake",
    "sync_boost": "sync_boost",
    "sw_thermal_slowdown": "sw_thermal_slowdown",
    "display_clock_setting": "display_clocks",
    "display_clocks_setting": "display_clocks",
}


def of_mask(text: str) -> list[str] | None:
    """Of 0x0000000000000084; None for what is no mask."""
    if not text.lower().startswith("0x"):
        return None
    try:
        mask = int(text[:20], 16)
    except ValueError:
        return None
    return [name for bit, name in BITS.items() if mask & bit]


def of_words(values: Mapping[str, str]) -> list[str] | None:
    """Of names and Active or Not Active; None where no reason is told."""
    told = {_WORDS[name]: value for name, value in values.items() if name in _WORDS}
    if not any(value in ("Active", "Not Active") for value in told.values()):
        return None
    return [name for name, value in told.items() if value == "Active"]
