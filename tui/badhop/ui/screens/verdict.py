"""The answer: what is at fault, how sure, what speaks for it and against it, and what would settle the rest."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Static
from textual.widgets.option_list import Option

from badhop.hop_words import in_words
from badhop.localise.questions import MODES
from badhop.localise.verdict import MEANS, Evidence, Hop, Measurement, Rival, Verdict
from badhop.playbook import Walk
from badhop.ui.messages import SpotsChosen
from badhop.ui.safe import hanging, lines, safe
from badhop.ui.spots import Spot
from badhop.ui.widgets.menu import Menu, heading
from badhop.ui.widgets.title_bar import TitleBar

_DB = "+10 dB is ten times likelier, +20 a hundred times"


class VerdictScreen(Screen[None]):
    """A list that the cursor walks through; Enter on evidence opens its packets."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,b,backspace,v", "app.back", "Back", id="verdict.back"),
    ]

    def __init__(self, walk: Walk) -> None:
        super().__init__()
        self._title, self._verdict = walk.playbook.title, walk.verdict
        self._no_data = [result.step.title for result in walk.results if result.outcome == "no-data"]
        self._spots: dict[str, tuple[Spot, ...]] = {}

    def compose(self) -> ComposeResult:
        yield TitleBar(self._title, "verdict")
        yield Static(_head(self._verdict), id="headline")
        yield Menu(id="verdict")
        yield Footer(compact=True, show_command_palette=False)

    def on_resize(self) -> None:
        """Lines are wrapped for the width that there is; the cursor stays, and starts on the first packets."""
        menu = self.query_one(Menu)
        at = menu.highlighted if menu.option_count else None
        self._spots = {}
        menu.clear_options()
        menu.add_options(self._options(self.size.width - 1))
        first = next(iter(self._spots), None)
        menu.highlighted = menu.get_option_index(first) if at is None and first is not None else at or 1

    @on(Menu.OptionSelected)
    def _open(self, event: Menu.OptionSelected) -> None:
        spots = self._spots.get(event.option.id or "")
        if spots:
            self.post_message(SpotsChosen(spots))
        else:
            self.notify("This line has no packets.", markup=False)

    def _options(self, width: int) -> list[Option]:
        verdict = self._verdict
        speaks_for = [one for one in verdict.evidence if _supports(verdict, one)]
        speaks_against = [one for one in verdict.evidence if not _supports(verdict, one)]
        unchecked = [*verdict.missing, *(f"{title} No data." for title in self._no_data)]
        sections: list[tuple[str, list[Option]]] = [
            ("Where", [_option(lines_of_hop, width) for lines_of_hop in _hops(verdict.hops)]),
            (f"For it ({_DB})", [self._evidence(one, width) for one in speaks_for]),
            ("Against it", [self._evidence(one, width) for one in speaks_against]),
            ("Measure next", [_option(_measurement(one), width) for one in verdict.next]),
            ("Not checked", [_option([safe(one)], width) for one in unchecked]),
            ("Other explanations", [_option(_rival(one), width) for one in verdict.rivals]),
        ]
        options: list[Option] = []
        for name, lines_of_it in sections:
            if lines_of_it:
                options += [heading(name), *lines_of_it]
        return options

    def _evidence(self, evidence: Evidence, width: int) -> Option:
        where = f"{evidence.db:+.0f} dB  {evidence.detector}"
        if evidence.source:
            where += f"  {evidence.source}"
        name = None
        if evidence.frames:
            where += f"  {_frames(evidence.frames)}"
            name = f"evidence-{len(self._spots)}"
            label = evidence.detector
            self._spots[name] = tuple(Spot(evidence.source or None, frame, label) for frame in evidence.frames)
        return _option([safe(evidence.says), safe(where, "dim")], width, name)


def _frames(frames: tuple[int, ...]) -> str:
    return f"frame{'' if len(frames) == 1 else 's'} {', '.join(map(str, frames))}"


def _supports(verdict: Verdict, evidence: Evidence) -> bool:
    """Evidence for a hop of the verdict, or against another one; for a clean bill, against any."""
    if verdict.verdict == "healthy":
        return evidence.db < 0
    if not verdict.hops or not evidence.hop:
        return evidence.db >= 0
    named = {name for hop in verdict.hops for name in (hop.id, *hop.equivalents)}
    return (evidence.hop in named) == (evidence.db >= 0)


def _head(verdict: Verdict) -> Content:
    word = verdict.verdict.upper().replace("-", " ")
    # With "cannot tell" nothing is claimed, so there is nothing to be sure of.
    sure = f"  {verdict.probability:.0%}" if verdict.verdict != "cannot-tell" else ""
    means = safe(f"  {MEANS[verdict.verdict]}")
    return lines(safe(f" {word}{sure} ", "bold reverse").append(means), safe(verdict.headline, "bold"))


def _option(parts: list[Content], width: int, name: str | None = None) -> Option:
    """The first part stands at the left, the others are indented, and so is what wraps."""
    first, *rest = (part for part in parts if part.plain)
    indented = (hanging(safe("   ").append(part), width, 3) for part in rest)
    return Option(lines(hanging(first, width, 3), *indented), id=name)


def _hops(hops: Sequence[Hop]) -> Iterator[list[Content]]:
    """Each hop with its place in words; a mode is explained where it comes first, not sixty times."""
    told: set[str] = set()
    for hop in hops:
        yield _hop(hop, explain_mode=hop.mode not in told)
        told.add(hop.mode)


def _hop(hop: Hop, *, explain_mode: bool) -> list[Content]:
    first = safe(f"{hop.id}  ", "bold").append(safe(f"{hop.kind}, {hop.mode}, {hop.probability:.0%}"))
    place = in_words(hop.id) or ""
    mode = f"{hop.mode}: {MODES[hop.mode].means}" if explain_mode and hop.mode in MODES else ""
    same = f"cannot be told from: {', '.join(hop.equivalents)}" if hop.equivalents else ""
    return [first, safe(place), safe(mode), safe(same, "dim")]


def _rival(rival: Rival) -> list[Content]:
    return [safe(f"{rival.id}  {rival.mode}, {rival.probability:.0%}"), safe(rival.because, "dim")]


def _measurement(one: Measurement) -> list[Content]:
    root = "needs root" if one.root else "no root needed"
    command = f"$ {one.command}" if one.command else ""
    cost = f"; {one.cost}" if one.cost else ""
    decides = f"decides: {one.decides}" if one.decides else ""
    return [safe(one.measure), safe(command, "bold"), safe(f"{root}{cost}", "dim"), safe(decides, "dim")]
