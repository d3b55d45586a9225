"""A playbook's Markdown as text for a small terminal: no boxes, no margins, links shown and never opened."""

from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual.content import Content

from badhop.printable import printable, printable_lines

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_STYLES = {"strong_open": "bold", "em_open": "italic", "link_open": "underline"}


@dataclass(frozen=True)
class _Block:
    """`tight` blocks (items of a list, rows of a table) follow each other without an empty line."""

    text: Content
    tight: bool


def prose(markdown: str) -> Content:
    """Paragraphs with an empty line between them; list items and code lines indented."""
    out = Content("")
    before: _Block | None = None
    for block in _blocks(_MARKDOWN.parse(markdown)):
        if before is not None:
            out = out.append("\n" if before.tight and block.tight else "\n\n")
        out = out.append(block.text)
        before = block
    return out


def _blocks(tokens: list[Token]) -> Iterator[_Block]:
    lists: list[int | None] = []  # the number of the next item; None in a bullet list
    bullet = ""
    cells: list[Content] | None = None  # of the table row that is being read
    for token in tokens:
        match token.type:
            case "bullet_list_open":
                lists.append(None)
            case "ordered_list_open":
                lists.append(int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                lists.pop()
                bullet = ""
            case "list_item_open":
                number = lists[-1]
                bullet = "- " if number is None else f"{number}. "
                lists[-1] = None if number is None else number + 1
            case "tr_open":
                cells = []
            case "tr_close":
                yield _Block(Content("  ").join(cells or ()), tight=True)
                cells = None
            case "inline" if cells is not None:
                cells.append(_inline(token))
            case "inline":
                indent = "  " * max(len(lists) - 1, 0) + bullet
                yield _Block(Content(indent).append(_inline(token)), tight=bool(lists))
                bullet = "  " if lists else ""
            case "fence" | "code_block" | "html_block":
                code = printable_lines(token.content.rstrip("\n"))
                yield _Block(Content("\n".join(f"    {line}" for line in code.split("\n"))), tight=False)
            case _:
                pass


def _inline(token: Token) -> Content:
    out = Content("")
    styles: list[str] = []
    for child in token.children or ():
        match child.type:
            case "strong_open" | "em_open" | "link_open":
                styles.append(_STYLES[child.type])
            case "strong_close" | "em_close" | "link_close":
                styles.pop()
            case "softbreak":
                out = out.append(" ")
            case "hardbreak":
                out = out.append("\n")
            case "code_inline":
                out = out.append(Content.styled(printable(child.content), "bold"))
            case _:
                out = out.append(Content.styled(printable(child.content), " ".join(styles)))
    return out
