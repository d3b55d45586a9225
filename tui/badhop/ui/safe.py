"""Text from a file as content for a widget: escaped, and never read as markup."""

from textual.content import Content

from badhop.printable import printable


def safe(value: object, style: str = "") -> Content:
    """One line of `value` in one style; square brackets stay square brackets."""
    return Content.styled(printable(str(value)), style)


def lines(*parts: Content) -> Content:
    """The parts below each other; empty ones are left out."""
    return Content("\n").join(part for part in parts if part.plain)


def hanging(content: Content, width: int, indent: int) -> Content:
    """`content` wrapped to `width`, every line but the first `indent` columns to the right."""
    first, *rest = content.wrap(max(width - indent, 1)) or [Content("")]
    return Content("\n").join([first, *(line.pad_left(indent) for line in rest)])


def thousands(number: int) -> str:
    """`1234567` as `1 234 567`: a comma means something else in half of the world."""
    return f"{number:,}".replace(",", " ")


def counted(number: int, one: str, many: str = "") -> str:
    """`1 row`, `12 rows`."""
    return f"{thousands(number)} {one if number == 1 else many or one + 's'}"
