"""Cut SQL into words, names, strings and signs, each with its line and column.

The rules are those of the parser inside polars 2.1 (sqlparser-rs): strings double their quotes and know no backslash,
names may stand in double quotes or backticks, comments nest, `$tag$ … $tag$` is a string. What polars would not take
anyway (strings with a prefix such as `E'…'`, hint comments, invisible characters) is refused here, so that the two can
never read one text in two ways.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from badhop.errors import BadhopError

_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_WORD = re.compile(r"[^\W\d][\w$@#]*|[@#][\w$@#]*")
_DOLLAR_TAG = re.compile(r"\$\w*\$")
_SIGNS = frozenset("()[]{},;.*+-/%=<>!|&^~:?\\")
_STRING_PREFIXES = frozenset({"e", "n", "q", "r", "u", "nq"})


class SqlError(BadhopError):
    """A query that badhop does not run, or that polars does not take. `line` and `column` count from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


@dataclass(frozen=True)
class Token:
    """One piece of the query. `text` is a name without its quotes."""

    kind: Literal["word", "name", "string", "number", "sign"]
    text: str
    line: int
    column: int

    @property
    def word(self) -> str:
        """The keyword that this token may be; a quoted name is never one."""
        return self.text.upper() if self.kind == "word" else ""

    @property
    def is_name(self) -> bool:
        """True for what may name a table or a function."""
        return self.kind in ("word", "name")

    def error(self, message: str) -> SqlError:
        """An error at this place."""
        return SqlError(message, self.line, self.column)


def tokens(sql: str) -> tuple[Token, ...]:
    """All tokens of `sql`, comments left out.

    Raises:
        SqlError: a string, name or comment is not closed, or a character has no meaning in SQL.
    """
    return tuple(_Cutter(sql).cut())


class _Cutter:
    def __init__(self, sql: str) -> None:
        self._sql = sql
        self._at = 0
        self._line = 1
        self._line_start = 0

    def cut(self) -> Iterator[Token]:
        sql = self._sql
        while self._at < len(sql):
            char = sql[self._at]
            if char.isspace():
                self._advance(self._at + 1)
            elif sql.startswith("--", self._at):
                end = sql.find("\n", self._at)
                self._advance(len(sql) if end < 0 else end)
            elif sql.startswith("/*", self._at):
                self._skip_comment()
            elif char == "'":
                yield self._quoted("string", "'", "string")
            elif char in '"`':
                yield self._quoted("name", char, "quoted name")
            elif char == "$":
                yield self._dollar_string()
            elif match := _NUMBER.match(sql, self._at):
                yield self._token("number", match.group(), match.end())
            elif match := _WORD.match(sql, self._at):
                yield self._word(match.group(), match.end())
            elif char in _SIGNS:
                yield self._token("sign", char, self._at + 1)
            else:
                raise self._error(f"the character U+{ord(char):04X} has no meaning in SQL; delete it")

    def _word(self, text: str, end: int) -> Token:
        if self._sql.startswith("'", end) and text.lower() in _STRING_PREFIXES:
            raise self._error(f"strings with the prefix {text} are not supported; write a plain '…' string")
        return self._token("word", text, end)

    def _quoted(self, kind: Literal["string", "name"], quote: str, what: str) -> Token:
        at, parts = self._at + 1, []
        while True:
            end = self._sql.find(quote, at)
            if end < 0:
                raise self._error(f"this {what} is not closed; add {quote}")
            parts.append(self._sql[at:end])
            if not self._sql.startswith(quote, end + 1):
                return self._token(kind, quote.join(parts), end + 1)
            at = end + 2

    def _dollar_string(self) -> Token:
        tag = _DOLLAR_TAG.match(self._sql, self._at)
        if tag is None:
            raise self._error("placeholders are not supported; numbers come from the table `params`")
        end = self._sql.find(tag.group(), tag.end())
        if end < 0:
            raise self._error(f"this string is not closed; add {tag.group()}")
        return self._token("string", self._sql[tag.end() : end], end + len(tag.group()))

    def _skip_comment(self) -> None:
        if self._sql.startswith(("/*!", "/*+"), self._at):
            raise self._error("hint comments are not supported; delete it")
        depth, at = 0, self._at
        while True:
            if self._sql.startswith("/*", at):
                depth, at = depth + 1, at + 2
            elif self._sql.startswith("*/", at):
                depth, at = depth - 1, at + 2
                if depth == 0:
                    self._advance(at)
                    return
            elif at >= len(self._sql):
                raise self._error("this comment is not closed; add */")
            else:
                at += 1

    def _token(self, kind: Literal["word", "name", "string", "number", "sign"], text: str, end: int) -> Token:
        token = Token(kind, text, self._line, self._at - self._line_start + 1)
        self._advance(end)
        return token

    def _advance(self, end: int) -> None:
        passed = self._sql.count("\n", self._at, end)
        if passed:
            self._line += passed
            self._line_start = self._sql.rfind("\n", self._at, end) + 1
        self._at = end

    def _error(self, message: str) -> SqlError:
        return SqlError(message, self._line, self._at - self._line_start + 1)
