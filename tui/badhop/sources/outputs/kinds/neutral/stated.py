"""What the reader in Rust could not read, as problems."""

from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs.rows import Rows


def tell_problems(rows: Rows, found: Mapping[str, Any], what: str, first_line: int = 1) -> None:
    """Lines that are no readings though they should be, and where a limit ended the reading."""
    for line, text in found["unread"]:
        rows.problem(line + first_line - 1, f"no {what}: {text.strip()[:80]!r}")
    if found["more_unread"]:
        rows.problem(None, f"{found['more_unread']} more lines are no {what}")
    if found["full"] is not None:
        line = found["full"] + first_line - 1
        rows.problem(line, "more readings or names than are read from one file", "split the file to read the rest")
