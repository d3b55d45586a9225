"""PCI addresses in one spelling: 0000:3b:00.0."""

import re

_ADDRESS = re.compile(r"(?:([0-9a-fA-F]{4,8}):)?([0-9a-fA-F]{2}):([0-9a-fA-F]{2})\.([0-7])")


def address(text: str) -> str | None:
    """With lower-case digits and a domain of four, as lspci prints them; without a domain where the text has none."""
    found = _ADDRESS.fullmatch(text.strip())
    if found is None:
        return None
    domain = f"{int(found[1], 16):04x}:" if found[1] else ""
    return f"{domain}{found[2]}:{found[3]}.{found[4]}".lower()
