"""Read a playbook: one Markdown file with front matter, a heading a step, a fenced query, three outcomes, commands.

The format is described in `playbooks/README.md`. The file must read well in any viewer, so nothing here asks for more
than plain Markdown. Each mistake is an error with file, line and column.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from badhop.playbook.parts import (
    OUTCOMES,
    Command,
    Outcome,
    OutcomeName,
    Playbook,
    PlaybookError,
    Step,
    nanoseconds,
)
from badhop.sql import SqlError, tables_of

LARGEST = 256 << 10
"""Bytes of the largest playbook that is read: a runbook for people is a hundredth of it."""

_FRONT_MATTER = {"title": str, "symptom": str, "needs": list, "params": dict, "fires_on": list, "quiet_on": list}
_OUTCOME = re.compile(r"(found|clear|no[ -]data)\s*(?:→|->)\s*(.*)", re.DOTALL)
_SHELL_SIGNS = "();<>|&"


def slug_of(title: str) -> str:
    """The anchor that GitHub gives a heading: lower case, punctuation dropped, spaces as hyphens."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def parse(path: Path, text: str) -> Playbook:
    """Read the text of a playbook; `path` gives its name and stands in the errors.

    Raises:
        PlaybookError: at the first mistake of form. Whether queries fit the tables is `playbook.check`'s question.
    """
    return _Reader(path, text).playbook()


class _Reader:
    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = text.split("\n")
        self._blocks = MarkdownIt("commonmark").use(front_matter_plugin).parse(text)

    def playbook(self) -> Playbook:
        meta = self._front_matter()
        intro, sections = self._sections()
        steps = tuple(step for title, blocks in sections if (step := self._step(title, blocks)) is not None)
        if not steps:
            raise self._error(0, "it has no step; write a heading `## …` with a ```sql block under it")
        self._check_links(steps)
        return Playbook(
            name=self._path.stem,
            path=self._path,
            title=meta["title"],
            symptom=meta.get("symptom", ""),
            needs=self._words(meta, "needs"),
            params=self._params(meta),
            intro=intro,
            steps=steps,
            fires_on=self._words(meta, "fires_on"),
            quiet_on=self._words(meta, "quiet_on"),
        )

    def _front_matter(self) -> dict[str, Any]:
        if not self._blocks or self._blocks[0].type != "front_matter":
            raise self._error(1, "it must begin with front matter: `---`, `title: …`, `---`")
        try:
            meta = yaml.safe_load(self._blocks[0].content)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            line, column = (mark.line + 2, mark.column + 1) if mark else (1, 1)
            raise self._error(line, f"the front matter is no YAML: {error.problem}", column) from error
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise self._error(1, f"the front matter is no YAML: {error}") from error
        if not isinstance(meta, dict):
            raise self._error(1, "the front matter must be `key: value` lines")
        for key, value in meta.items():
            if key not in _FRONT_MATTER:
                raise self._error(self._line_of(str(key)), f"unknown key `{key}`; known are {', '.join(_FRONT_MATTER)}")
            if not isinstance(value, _FRONT_MATTER[key]):
                kind = {str: "text", list: "a list [a, b]", dict: "a map {a: 1}"}[_FRONT_MATTER[key]]
                raise self._error(self._line_of(key), f"`{key}` must be {kind}")
        if not meta.get("title"):
            raise self._error(1, "the front matter must give a `title`")
        return meta

    def _line_of(self, key: str) -> int:
        return next((n for n, line in enumerate(self._lines, 1) if line.startswith(f"{key}:")), 1)

    def _words(self, meta: Mapping[str, Any], key: str) -> tuple[str, ...]:
        words = tuple(meta.get(key, ()))
        if not all(isinstance(word, str) for word in words):
            raise self._error(self._line_of(key), f"`{key}` must be a list of names")
        return words

    def _params(self, meta: Mapping[str, Any]) -> Mapping[str, int | float | str]:
        params: dict[str, int | float | str] = {}
        for name, value in meta.get("params", {}).items():
            if isinstance(value, bool) or not isinstance(value, (int, float, str)) or not str(name).isidentifier():
                raise self._error(self._line_of("params"), f"the parameter `{name}` must be a number or like `200ms`")
            if isinstance(value, str) and nanoseconds(value) is None:
                raise self._error(
                    self._line_of("params"),
                    f"the parameter `{name}` is {value!r}; write a number, or a duration like 200ms",
                )
            params[str(name)] = value
        return MappingProxyType(params)

    def _sections(self) -> tuple[str, list[tuple[Token, list[Token]]]]:
        """The prose before the first `##`, and for each `##` its heading and the top-level blocks under it."""
        intro: list[Token] = []
        sections: list[tuple[Token, list[Token]]] = []
        for at, token in enumerate(self._blocks):
            if token.type == "heading_open" and token.tag == "h2":
                sections.append((self._blocks[at + 1], []))
            elif token.level == 0 and token.map is not None and token.type != "front_matter":
                (sections[-1][1] if sections else intro).append(token)
        return self._source(intro), sections

    def _source(self, blocks: list[Token]) -> str:
        """The Markdown of some blocks, as it was written."""
        parts = []
        for block in blocks:
            first, end = block.map or (0, 0)
            parts.append("\n".join(self._lines[first:end]).strip("\n"))
        return "\n\n".join(part for part in parts if part)

    def _step(self, heading: Token, blocks: list[Token]) -> Step | None:
        """The step of one section; None for a section of mere prose."""
        line = (heading.map or (0, 0))[0] + 1
        fences = [block for block in blocks if block.type == "fence" and block.info.split()[:1] == ["sql"]]
        if not fences:
            return None
        if len(fences) > 1:
            raise self._error(
                (fences[1].map or (0, 0))[0] + 1, "a step has one query; start a new `##` step for this one"
            )
        fence = fences[0]
        sql_name, detector, needs = self._sql_options(fence)
        outcomes: dict[OutcomeName, Outcome] = {}
        prose: list[Token] = []
        commands: list[Command] = []
        for block in blocks:
            if block is fence:
                continue
            if block.type == "fence" and block.info.split()[:1] == ["sh"]:
                commands.append(self._command(block))
            elif block.type == "bullet_list_open" and (found := self._outcomes(block)):
                outcomes.update(found)
            else:
                prose.append(block)
        for name in OUTCOMES:
            if name not in outcomes:
                written = name.replace("-", " ")
                raise self._error(line, f"this step does not say what `{written}` means; add a line `- {written} → …`")
        return Step(
            slug=slug_of(_plain(heading)),
            title=_plain(heading),
            prose=self._source(prose),
            sql=fence.content.strip("\n"),
            sql_name=sql_name,
            detector=detector,
            needs=needs,
            outcomes=MappingProxyType(outcomes),
            commands=tuple(commands),
            line=line,
            sql_line=(fence.map or (0, 0))[0] + 2,
        )

    def _sql_options(self, fence: Token) -> tuple[str, str | None, tuple[str, ...]]:
        line = (fence.map or (0, 0))[0] + 1
        _, *words = fence.info.split()
        if not words or "=" in words[0]:
            raise self._error(line, "the query needs a name: ```sql NAME", len("```sql") + 1)
        name, *options = words
        known = {"detector": "", "needs": ""}
        for option in options:
            key, equals, value = option.partition("=")
            if key not in known or not equals or not value:
                column = fence.info.find(option) + len("```") + 1
                raise self._error(
                    line, f"unknown option `{option}`; known are detector=NAME and needs=TABLE,TABLE", column
                )
            known[key] = value
        try:
            read = sorted(tables_of(fence.content) - {"params"})
        except SqlError as error:
            raise self._error(line + error.line, error.message, error.column) from error
        needs = tuple(known["needs"].split(",")) if known["needs"] else tuple(read)
        return name, known["detector"] or None, needs

    def _outcomes(self, block: Token) -> dict[OutcomeName, Outcome]:
        """The outcomes in a bullet list; empty when it is a list of prose."""
        start = self._blocks.index(block)
        outcomes: dict[OutcomeName, Outcome] = {}
        other = 0
        for item in self._items(start):
            line = (item.map or (0, 0))[0] + 1
            match = _OUTCOME.fullmatch(_plain(item))
            if match is None:
                other = other or line
                continue
            name: OutcomeName = "found" if match[1] == "found" else "clear" if match[1] == "clear" else "no-data"
            if name in outcomes:
                raise self._error(line, f"the outcome `{match[1]}` stands here twice; delete one")
            outcomes[name] = Outcome(match[2].strip(), self._goto(item, line))
        if outcomes and other:
            raise self._error(other, "an outcome starts with `found →`, `clear →` or `no data →`")
        return outcomes

    def _items(self, start: int) -> Iterator[Token]:
        """The first line of text of each item of the list that opens at `start`."""
        level = self._blocks[start].level
        fresh = False
        for token in self._blocks[start + 1 :]:
            if token.level == level:
                return
            if token.type == "list_item_open" and token.level == level + 1:
                fresh = True
            elif token.type == "inline" and fresh:
                fresh = False
                yield token

    def _goto(self, item: Token, line: int) -> str | None:
        links = [str(child.attrGet("href")) for child in item.children or () if child.type == "link_open"]
        steps = [link[1:] for link in links if link.startswith("#")]
        if len(steps) > 1:
            raise self._error(line, "an outcome leads to one step; keep one of these links")
        for link in links:
            target = link.partition("#")[0]
            if target and "://" not in target and not (self._path.parent / target).is_file():
                raise self._error(line, f"the link leads to {target}, which does not stand beside this playbook")
        return steps[0] if steps else None

    def _command(self, fence: Token) -> Command:
        line = (fence.map or (0, 0))[0] + 1
        try:
            _, *words = shlex.split(fence.info)
        except ValueError as error:
            raise self._error(line, f"a quote is not closed: {error}") from error
        options = {"root": "no", "cost": "", "decides": ""}
        if not words or "=" in words[0]:
            raise self._error(line, 'the command needs a name: ```sh NAME root=yes cost="…"')
        for word in words[1:]:
            key, _, value = word.partition("=")
            if key not in options or not value:
                raise self._error(line, f'unknown option `{word}`; known are root=yes|no, cost="…" and decides="…"')
            options[key] = value
        if options["root"] not in ("yes", "no"):
            raise self._error(line, f"root is yes or no, not {options['root']}")
        text = re.sub(r"\\\n\s*", "", fence.content).strip()
        if "\n" in text:
            raise self._error(line + 2, "one command a block; start a new ```sh block for this one")
        try:
            argv = shlex.split(text)
            # Unlike split, this keeps the quotes on, so that a sign in quotes is not taken for one.
            pieces = list(shlex.shlex(text, posix=False, punctuation_chars=_SHELL_SIGNS))
        except ValueError as error:
            raise self._error(line + 1, f"a quote is not closed: {error}") from error
        if not argv:
            raise self._error(line, "the command is empty")
        if "$" in text or "`" in text or any(set(piece) <= set(_SHELL_SIGNS) for piece in pieces):
            raise self._error(line + 1, "the command runs without a shell: no pipes, redirections, $ or `")
        return Command(text, words[0], options["root"] == "yes", options["cost"], options["decides"], line)

    def _check_links(self, steps: tuple[Step, ...]) -> None:
        slugs: set[str] = set()
        for step in steps:
            if step.slug in slugs:
                raise self._error(step.line, f"two steps are called {step.title!r}; a link could not tell them apart")
            slugs.add(step.slug)
        for step in steps:
            for name, outcome in step.outcomes.items():
                if outcome.goto is not None and outcome.goto not in slugs:
                    line, column = self._find(f"(#{outcome.goto})", step.line)
                    hint = f"; there are {', '.join('#' + slug for slug in sorted(slugs))}"
                    raise self._error(
                        line, f"`{name}` leads to #{outcome.goto}, and no step has that name{hint}", column
                    )

    def _find(self, text: str, first: int) -> tuple[int, int]:
        for number, line in enumerate(self._lines[first - 1 :], first):
            if (at := line.find(text)) >= 0:
                return number, at + 1
        return first, 1

    def _error(self, line: int, message: str, column: int = 1) -> PlaybookError:
        line = min(line, len(self._lines))  # what is missing after the last line is missing there
        return PlaybookError(self._path, line, column if line else 0, message)


def _plain(inline: Token) -> str:
    """The text of a heading or paragraph without its marks; line breaks become spaces."""
    parts = []
    for child in inline.children or ():
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return "".join(parts)
