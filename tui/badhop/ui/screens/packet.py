"""One packet: its bytes and its fields side by side, or below each other on a narrow screen."""

from dataclasses import dataclass
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Footer, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from badhop import _core
from badhop.dissect import Field, dissect
from badhop.printable import printable
from badhop.sources import Source
from badhop.ui import cells
from badhop.ui.safe import safe, thousands
from badhop.ui.screens.working import WorkingScreen
from badhop.ui.spots import Spot
from badhop.ui.widgets.hex_view import HexView
from badhop.ui.widgets.menu import Menu, heading
from badhop.ui.widgets.title_bar import TitleBar

_RELATED = "Other packets of the row or evidence"


class PacketScreen(WorkingScreen):
    """The cursor is on a field, its bytes are marked. n and p go through the file, [ and ] through the evidence."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "frame(1)", "Next", tooltip="Next frame of the file", id="packet.next"),
        Binding("p", "frame(-1)", "Previous", tooltip="Frame before", id="packet.previous"),
        Binding("right_square_bracket", "spot(1)", "Related", key_display="[ ]", tooltip=_RELATED, id="packet.related"),
        Binding("left_square_bracket", "spot(-1)", "Related", show=False, tooltip=_RELATED, id="packet.related-back"),
        Binding("tab", "app.focus_next", "Bytes", tooltip="Between the bytes and the fields", id="packet.focus"),
        Binding("escape,b,backspace", "app.back", "Back", id="packet.back"),
    ]

    @dataclass
    class Loaded(Message):
        """The packet was found."""

        frame: int
        packet: _core.Packet
        fields: tuple[Field, ...]
        label: str

    @dataclass
    class Failed(Message):
        """There is no such packet, or the file cannot be read."""

        why: str

    def __init__(self, source: Source, spots: tuple[Spot, ...]) -> None:
        super().__init__()
        self._source, self._spots, self._at = source, spots, 0
        self._frame = 0
        self._fields: tuple[Field, ...] = ()

    def compose(self) -> ComposeResult:
        yield TitleBar(self._source.name)
        yield Static(id="about")
        with Vertical(id="packet"):
            yield HexView(id="bytes")
            yield Menu(id="fields", opens=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._load(self._spots[0].frame, self._spots[0].label)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "spot" or len(self._spots) > 1

    def action_frame(self, by: int) -> None:
        if self._frame + by >= 1:
            self._load(self._frame + by, "")

    def action_spot(self, by: int) -> None:
        self._at = (self._at + by) % len(self._spots)
        self._load(self._spots[self._at].frame, self._spots[self._at].label)

    @work(thread=True, exclusive=True, exit_on_error=False, group="packet")
    def _load(self, frame: int, label: str) -> None:
        worker = get_current_worker()
        path, number = self._source.place(frame)
        try:
            packet = _core.packet(str(path), number)
            message: Message = self.Loaded(frame, packet, dissect(packet.data, packet.link_type), label)
        except (OSError, ValueError, LookupError) as error:  # CaptureError is a ValueError
            message = self.Failed(str(error))
        if not worker.is_cancelled:
            self.post_message(message)

    @on(Loaded)
    def _show(self, event: Loaded) -> None:
        packet = event.packet
        self._frame, self._fields = event.frame, event.fields
        place = f"frame {thousands(event.frame)}"
        if self._source.files:
            path, number = self._source.place(event.frame)
            place += f" = {path.name} frame {thousands(number)}"
        if event.label:
            place += f", {event.label}"
            place += f" ({self._at + 1} of {len(self._spots)})" if len(self._spots) > 1 else ""
        self.query_one(TitleBar).name_places(self._source.name, place)
        cut = f", {packet.captured_len} B captured" if packet.captured_len < packet.wire_len else ""
        when = cells.full_time(packet.ts) if packet.ts is not None else "no time stamp"
        self.query_one("#about", Static).update(safe(f"{when}  {packet.wire_len} B on the wire{cut}"))
        self.query_one(HexView).show(packet.data)
        fields = self.query_one(Menu)
        fields.clear_options()
        fields.add_options(_options(event.fields))
        fields.highlighted = _innermost(event.fields, fields)
        fields.call_after_refresh(fields.scroll_to_highlight, top=True)

    @on(Failed)
    def _say(self, event: Failed) -> None:
        if self._frame:  # another packet is on screen
            self.notify(printable(event.why), severity="warning", markup=False)
        else:
            self.query_one("#about", Static).update(safe(f"[!] {event.why}", "bold"))

    @on(Menu.OptionHighlighted)
    def _mark(self, event: Menu.OptionHighlighted) -> None:
        field = self._fields[int(event.option.id or 0)]
        if field.offset is not None and field.length is not None:
            self.query_one(HexView).mark(field.offset, field.length)
        else:
            self.query_one(HexView).mark(0, 0)


def _options(fields: tuple[Field, ...]) -> list[Option]:
    options: list[Option] = []
    width = max((len(field.name) for field in fields), default=0)
    layer = ""
    for index, field in enumerate(fields):
        if field.layer != layer:
            layer = field.layer
            options.append(heading(printable(layer)))
        line = Content("  ").append(safe(f"{field.name:{width}}  ")).append(safe(field.value))
        options.append(Option(line, id=str(index)))
    return options


def _innermost(fields: tuple[Field, ...], options: Menu) -> int | None:
    """The cursor starts on the transport header, which is why the packet was opened; else on the first field."""
    first = next((index for index, field in enumerate(fields) if field.layer == "BTH"), 0)
    return options.get_option_index(str(first)) if fields else None
