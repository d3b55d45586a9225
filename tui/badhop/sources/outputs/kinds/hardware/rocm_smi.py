"""`rocm-smi --json`: AMD GPUs: use, memory, power, temperatures, clocks, PCIe."""

import re
from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.hardware.pcie.address import address
from badhop.sources.outputs.kinds.hardware.pcie.rate import GENERATIONS
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gpus

_CARD = re.compile(r"card(\d{1,4})")
_CLOCK = re.compile(r"\((\d{1,6})Mhz\)", re.IGNORECASE)
_PCIE = re.compile(r"\(([\d.]{1,5})GT/s x(\d{1,2})\)")
_GENERATION = {speed: generation for generation, speed in GENERATIONS.items()}


def _recognise(passage: Passage) -> bool:
    start = passage.text.lstrip()[:3000]
    return (
        start.startswith("{")
        and re.search(r'"(?:card\d{1,4}|system)"\s*:\s*\{', start) is not None
        and ("(Sensor " in start or '"GPU use (%)"' in start or '"Unique ID"' in start)
    )


def _read(passage: Passage, rows: Rows) -> None:
    report = json_text.parsed(passage, rows, "rocm-smi")
    if not isinstance(report, dict):
        return
    driver = json_text.at(report, "system", "Driver version")
    places = {text.strip().split('"')[1]: line for line, text in passage.numbered() if text.strip().startswith('"card')}
    for name, card in report.items():
        if (found := _CARD.fullmatch(name)) and isinstance(card, dict):
            values = _card({key: str(value) for key, value in card.items()})
            values |= {"gpu": int(found[1]), "driver": driver if isinstance(driver, str) else None}
            rows.add(gpus.TABLE, passage, places.get(name, passage.lines.first), part="gpu", sample=1, **values)


def _card(card: Mapping[str, str]) -> dict[str, Any]:
    def text(*names: str) -> str | None:
        return next((card[name] for name in names if card.get(name, "N/A") not in ("N/A", "", "None")), None)

    def number(*names: str) -> float | None:
        return json_text.amount(text(*names))

    def whole(name: str) -> int | None:
        found = json_text.whole(text(name))
        return found if found is not None and found < 2**63 else None

    def share(name: str) -> float | None:
        percent = number(name)
        return None if percent is None else percent / 100

    def clock(name: str) -> float | None:
        found = _CLOCK.search(card.get(name, ""))
        return float(found[1]) if found else None

    pcie = _PCIE.search(card.get("pcie clock level", ""))
    return {
        "device": address(text("PCI Bus") or ""),
        "uuid": text("Unique ID"),
        "serial": text("Serial Number"),
        "name": text("Card series", "Card Series", "Card model", "Card Model"),
        "busy": share("GPU use (%)"),
        "memory_busy": share("GPU memory use (%)") if "VRAM Total Memory (B)" in card else None,
        "memory_used": whole("VRAM Total Used Memory (B)"),
        "memory_total": whole("VRAM Total Memory (B)"),
        "power_w": number(
            "Average Graphics Package Power (W)", "Current Socket Graphics Package Power (W)", "GPU Power (W)"
        ),
        "power_limit_w": number("Max Graphics Package Power (W)"),
        "temperature_c": number("Temperature (Sensor edge) (C)", "Temperature (Sensor junction) (C)"),
        "memory_temperature_c": number("Temperature (Sensor memory) (C)"),
        "sm_clock_mhz": clock("sclk clock speed:"),
        "memory_clock_mhz": clock("mclk clock speed:"),
        "pcie_gen": _GENERATION.get(float(pcie[1])) if pcie and pcie[1].count(".") < 2 else None,
        "pcie_width": int(pcie[2]) if pcie else None,
        "pcie_replays": whole("PCIe Replay Count"),
        "numa": whole("(Topology) Numa Node"),
    }


KIND = Output("rocm-smi --json", (gpus.TABLE,), _recognise, _read)
