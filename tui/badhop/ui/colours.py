"""How many colours the terminal has, and so which theme it gets."""

import os

from rich.console import Console
from textual.constants import COLOR_SYSTEM

PLAIN = "ansi-dark"
"""The terminal's own sixteen colours and its own background: readable on light and on dark ones, and cheap to send."""


def is_plain() -> bool:
    """Sixteen colours or fewer, or none wanted (NO_COLOR, https://no-color.org): then no shade is ours to choose."""
    console = Console(color_system=COLOR_SYSTEM, force_terminal=True)  # type: ignore[arg-type]
    return bool(os.environ.get("NO_COLOR")) or console.color_system in (None, "standard")
