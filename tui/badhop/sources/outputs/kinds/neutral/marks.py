"""Times, and devices, on the lines that scripts and exporters write between two samples."""

from badhop.sources.outputs import clock

_RULES = " \t#=-*_"


def mark(text: str) -> tuple[int, str | None] | None:
    """The time (ns since 1970) that such a line tells, and the word after it; None where it tells no time.

    `# 1764547200000000 eth0`, `# SCRAPE 1764547200000`, `Mon Nov 30 12:00:00 UTC 2026`, `== 2026-11-30T12:00:00Z ==`.
    """
    stripped = text.strip(_RULES)
    ts = clock.date_line(stripped)
    if ts is None:
        ts = clock.rfc3339(stripped)
    if ts is not None:
        return ts, None
    words = stripped.split()
    for index, word in enumerate(words[:3]):
        ts = clock.epoch(word)
        if ts is None:
            ts = clock.rfc3339(word)
        if ts is not None:
            return ts, words[index + 1] if len(words) == index + 2 else None
    return None
