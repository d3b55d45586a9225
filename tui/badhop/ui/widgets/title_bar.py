"""The top line of every screen: where you are."""

from textual.content import Content
from textual.widgets import Static

from badhop.ui.safe import safe


class TitleBar(Static):
    """`badhop`, then the place, from the widest to the narrowest; too long ones are cut on the right."""

    def __init__(self, *places: str) -> None:
        super().__init__()
        self._places = places

    def name_places(self, *places: str) -> None:
        """Show another place."""
        self._places = places
        self.refresh()

    def render(self) -> Content:
        """As wide as the screen, so that the bar is a bar on terminals without colour."""
        width = self.content_size.width
        return _content(self._places).truncate(width, ellipsis=True, pad=True)


def _content(places: tuple[str, ...]) -> Content:
    return Content(" · ").join([Content("badhop"), *(safe(place) for place in places)])
