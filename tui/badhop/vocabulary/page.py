"""The reference page of the vocabulary: what every vendor's counter means, and which are the same by our name."""

from collections.abc import Iterable, Mapping

from badhop.vocabulary import Dialect, Meaning


def markdown(dialects: Mapping[str, Dialect]) -> str:
    """Our names with their units and the dialects that have them, then every dialect's own names."""
    parts = [
        "# Vocabulary of counters",
        "Made by `badhop tables --vocabulary`; do not edit. In a name `{priority}`, `{queue}` and `{index}` stand for "
        "a number. Directions are the device's own: what a NIC calls rx, the switch port before it calls tx. Counters "
        "are 64 bits wide and wrap where nothing else is said; a saturating one stays at its largest value; gauges, "
        "high-water marks and percentages have no rate.",
        "## Our names",
        _table(("name", "unit", "said by"), _ours(dialects)),
    ]
    for dialect in dialects.values():
        meant = [(raw, meaning) for raw, meaning in dialect.counters.items() if meaning.name]
        plain = [raw for raw, meaning in dialect.counters.items() if not meaning.name]
        parts += [f"## {dialect.name}", f"{dialect.version}. Source: {dialect.source}."]
        parts.append(_table(("counter", "our name", "counts", "suspect", "its growth means"), map(_row, meant)))
        if plain:
            parts.append(f"Known, the driver's own bookkeeping: {', '.join(f'`{raw}`' for raw in plain)}.")
    return "\n\n".join(parts) + "\n"


def _ours(dialects: Mapping[str, Dialect]) -> list[tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    units: dict[str, str] = {}
    for dialect in dialects.values():
        for meaning in dialect.counters.values():
            if meaning.name:
                found.setdefault(meaning.name, {})[dialect.name] = None
                units[meaning.name] = meaning.unit
    return [(f"`{name}`", units[name], ", ".join(found[name])) for name in sorted(found)]


def _row(item: tuple[str, Meaning]) -> tuple[str, ...]:
    raw, meaning = item
    width = "" if meaning.width == 64 else f"{meaning.width} bits"
    reads = "" if meaning.reads == "counter" else meaning.reads
    counts = " ".join(filter(None, (meaning.direction, meaning.layer, meaning.unit, width, reads)))
    name = f"`{meaning.name}`" + (f" ({meaning.reason})" if meaning.reason else "")
    return f"`{raw}`", name, counts, meaning.hop or "", meaning.says or ""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(lines)
