"""The bytes of one packet, as hexadecimal and ASCII; only the lines on screen are made."""

from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

_WIDE = 16
_LINE = len("0000  ") + 3 * _WIDE + 1 + _WIDE


class HexView(ScrollView, can_focus=True):
    """Sixteen bytes a line where they fit, else eight; the bytes of one field can be marked."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"hex-view--marked"}

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", "Bytes up", show=False, id="bytes.up"),
        Binding("down", "scroll_down", "Bytes down", show=False, id="bytes.down"),
        Binding("pageup", "page_up", "Page up", show=False, id="bytes.page-up"),
        Binding("pagedown", "page_down", "Page down", show=False, id="bytes.page-down"),
        Binding("home", "scroll_home", "First byte", show=False, id="bytes.top"),
        Binding("end", "scroll_end", "Last byte", show=False, id="bytes.end"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._data = b""
        self._marked = range(0)

    def show(self, data: bytes) -> None:
        """Show another packet, from its first byte on."""
        self._data, self._marked = data, range(0)
        self._measure()
        self.scroll_to(y=0, animate=False)

    def mark(self, offset: int, length: int) -> None:
        """Mark the bytes of a field and bring the first of them into view."""
        self._marked = range(offset, offset + length)
        line = offset // self._per_line
        top, height = self.scroll_offset.y, max(self.size.height, 1)
        if length and not top <= line < top + height:
            self.scroll_to(y=max(line - height // 2, 0), animate=False, force=True)
        self.refresh()

    def on_resize(self) -> None:
        self._measure()

    def render_line(self, y: int) -> Strip:
        width, per_line = self.size.width, self._per_line
        start = (self.scroll_offset.y + y) * per_line
        plain, marked = self.rich_style, self.get_component_rich_style("hex-view--marked")
        chunk = self._data[start : start + per_line]
        if not chunk:
            return Strip.blank(width, plain)
        segments = [Segment(f"{start:04x}  ", plain)]
        for at, byte in enumerate(chunk, start):
            inside = at in self._marked
            segments.append(Segment(f"{byte:02x}", marked if inside else plain))
            joined = inside and at + 1 in self._marked and at + 1 < start + len(chunk)
            segments.append(Segment(" ", marked if joined else plain))
        segments.append(Segment("   " * (per_line - len(chunk)) + " ", plain))
        for at, byte in enumerate(chunk, start):
            letter = chr(byte) if 0x20 <= byte < 0x7F else "."
            segments.append(Segment(letter, marked if at in self._marked else plain))
        return Strip(segments).simplify().adjust_cell_length(width, plain)

    @property
    def _per_line(self) -> int:
        return _WIDE if self.size.width >= _LINE else _WIDE // 2

    def _measure(self) -> None:
        self.virtual_size = Size(0, -(-len(self._data) // self._per_line))
        self.refresh()
