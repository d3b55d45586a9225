"""Make text that came from a file safe to print: no escape sequence, line break or hidden character gets through.

Names of files, addresses, playbook titles and query results may hold anything. A terminal obeys escape sequences, and
bidirectional controls show a name in another order than it has, so both are written as visible escapes instead.
"""


def printable(text: str) -> str:
    """`text` on one line, with each character that does not show as itself written as an escape like `\\x1b`.

    What shows as itself is what `str.isprintable` says: no control, format (bidirectional, zero-width), private,
    unassigned or lone surrogate code point, and of the spaces only U+0020.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def printable_lines(text: str) -> str:
    """The same for text of several lines, whose line feeds stay."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _escaped(char: str) -> str:
    code = ord(char)
    if code == 0x0A:
        return "\\n"
    if code == 0x09:
        return "\\t"
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
