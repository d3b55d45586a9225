"""Run one SELECT over the tables, and refuse whatever would do more than read them.

polars' SQL also takes DROP, CREATE and readers of files and addresses such as `read_csv(…)`. A query may come from a
playbook that a colleague mailed, so a query is read token by token before polars sees it; and polars is given only the
tables that this reading found, so a mistake here makes an error and not a leak.
"""

import difflib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from badhop.printable import printable
from badhop.sql.tokens import SqlError, Token, tokens

if TYPE_CHECKING:
    import polars as pl

__all__ = ["SqlError", "check", "collect", "run", "tables_of"]

_READERS = re.compile(r"(?i)(read|scan)_")
"""polars' table functions that open files are all named so; no function for values is."""

_AFTER_FROM = frozenset(
    {"WHERE", "GROUP", "HAVING", "QUALIFY", "WINDOW", "ORDER", "LIMIT", "OFFSET", "FETCH", "SELECT", "FOR"}
    | {"UNION", "INTERSECT", "EXCEPT", "MINUS"}
)
"""Words that end the list of tables of one SELECT."""

_PLACE = re.compile(r" at Line: (\d+), Column: (\d+)")
"""Where polars' parser says it is in a message."""


def check(sql: str, known: Collection[str] | None = None) -> None:
    """Refuse everything but one SELECT (or WITH … SELECT) that reads tables by name.

    Args:
        sql: the query.
        known: names of the tables there are; `None` leaves that question open.

    Raises:
        SqlError: with line, column and what to write instead.
    """
    _read(sql, known)


def tables_of(sql: str) -> frozenset[str]:
    """Names of the tables that the query reads, as it writes them; names made by its own WITH are left out."""
    return frozenset(token.text for token in _read(sql, None))


def run(sql: str, frames: Mapping[str, "pl.LazyFrame"]) -> "pl.LazyFrame":
    """Plan the query over `frames`; nothing is read before the plan is collected.

    Raises:
        SqlError: the query is refused (see `check`) or polars does not take it.
    """
    import polars as pl

    read = _read(sql, frames.keys())
    by_lower = {name.lower(): name for name in frames}
    used = {name: frames[name] for name in {by_lower[token.text.lower()] for token in read}}
    try:
        with pl.SQLContext(used) as context:
            plan = context.execute(sql, eager=False)
        plan.collect_schema()
    except pl.exceptions.PolarsError as error:
        raise explained(sql, error) from error
    return plan


def collect(sql: str, frames: Mapping[str, "pl.LazyFrame"]) -> "pl.DataFrame":
    """The rows of the query.

    Raises:
        SqlError: it is refused, or fails on the data.
    """
    import polars as pl

    try:
        return run(sql, frames).collect()
    except pl.exceptions.PolarsError as error:
        raise explained(sql, error) from error


def explained(sql: str, error: Exception) -> SqlError:
    """What polars says, with the place in the query where that can be told."""
    message = printable(str(error).splitlines()[0]) if str(error) else type(error).__name__
    if place := _PLACE.search(message):
        return SqlError(_PLACE.sub("", message).removeprefix("sql parser error: "), int(place[1]), int(place[2]))
    if named := re.search(r'"([^"]+)"', message):
        for token in tokens(sql):
            if token.is_name and token.text == named[1]:
                return token.error(message)
    return SqlError(message)


@dataclass
class _Level:
    """One pair of parentheses (or the whole query) while it is being read."""

    is_query: bool = False  # it holds SELECT, not the arguments of a function
    in_tables: bool = False  # in the FROM list, or in a parenthesised join
    wants_table: bool = False  # a table must come next
    wants_query: bool = False  # SELECT must come next
    ctes: set[str] = field(default_factory=set)  # names made by WITH, in lower case
    in_with: bool = False
    pending_cte: str = ""  # its body is about to be read
    makes_cte: str = ""  # this level is that body


def _read(sql: str, known: Collection[str] | None) -> tuple[Token, ...]:
    """The tokens that name tables; raises SqlError at the first thing that is refused."""
    return _Reader(tokens(sql), known).read()


class _Reader:
    def __init__(self, all_tokens: tuple[Token, ...], known: Collection[str] | None) -> None:
        self._tokens = all_tokens
        self._known = None if known is None else {name.lower() for name in known}
        self._levels = [_Level(wants_query=True)]
        self._found: list[Token] = []

    def read(self) -> tuple[Token, ...]:
        body = [token for token in self._tokens if token.text != ";" or token.kind != "sign"]
        if not body:
            raise SqlError("there is no query; write SELECT … FROM a table (`badhop tables` lists them)")
        for index, token in enumerate(self._tokens):
            self._take(index, token)
        if len(self._levels) > 1:
            raise self._tokens[-1].error("a parenthesis is not closed; add )")
        return tuple(self._found)

    def _take(self, index: int, token: Token) -> None:
        level = self._levels[-1]
        after = self._tokens[index + 1] if index + 1 < len(self._tokens) else None
        before = self._tokens[index - 1] if index else None
        calls = token.is_name and after is not None and after.kind == "sign" and after.text == "("
        if calls and _READERS.match(token.text):
            raise token.error(f"{printable(token.text)}(…) reads files; a query reads only the tables of the sources")
        if token.kind == "sign":
            self._sign(level, index, token, after)
        elif level.wants_query:
            self._start_query(level, token)
        elif level.wants_table:
            self._table(level, token, calls, after)
        elif token.is_name and not self._is_plain_name(token, before):
            self._keyword(level, index, token)

    def _sign(self, level: _Level, index: int, token: Token, after: Token | None) -> None:
        if token.text == "(":
            opened = _Level(wants_query=level.wants_query or bool(level.pending_cte), makes_cte=level.pending_cte)
            opened.wants_table = opened.in_tables = level.wants_table
            if after is not None and after.word in ("SELECT", "WITH", "FROM", "VALUES"):
                opened.wants_query, opened.wants_table, opened.in_tables = True, False, False
            level.is_query = level.is_query or level.wants_query
            level.wants_query, level.wants_table, level.pending_cte = False, False, ""
            self._levels.append(opened)
        elif token.text in "[{":
            self._levels.append(_Level())
        elif token.text in ")]}":
            if len(self._levels) == 1:
                raise token.error(f"this {token.text} was never opened; delete it")
            closed = self._levels.pop()
            if closed.makes_cte:
                self._levels[-1].ctes.add(closed.makes_cte)
        elif token.text == "," and level.in_tables:
            level.wants_table = True
        elif token.text == "," and level.in_with:
            level.pending_cte = ""
        elif token.text == ";":
            if level.wants_query:
                raise token.error("there is no query before this semicolon; delete it")
            rest = [later for later in self._tokens[index:] if later.text != ";" or later.kind != "sign"]
            if rest or len(self._levels) > 1:
                raise token.error("one query at a time; delete everything from this semicolon on")
        elif level.wants_table:
            raise token.error("a table name must stand here")

    def _start_query(self, level: _Level, token: Token) -> None:
        word = token.word
        inner = len(self._levels) > 1
        if word == "SELECT" or (word == "VALUES" and inner):
            level.in_with = False
        elif word == "WITH":
            level.in_with = True
        elif word == "FROM" and inner:  # polars also takes the tables first
            level.in_tables = level.wants_table = True
        else:
            raise token.error(
                f"a query starts with SELECT or WITH, not with {printable(token.text)}; badhop only reads its tables"
            )
        level.is_query, level.wants_query = True, False

    def _table(self, level: _Level, token: Token, calls: bool, after: Token | None) -> None:
        level.wants_table = False
        if token.kind == "string":
            raise token.error("a query reads tables by name, not files; name the file as a SOURCE instead")
        if not token.is_name:
            raise token.error("a table name must stand here")
        name = printable(token.text)
        if calls:
            raise token.error(f"the table function {name}(…) is not allowed; read a table by its name")
        if after is not None and after.kind == "sign" and after.text == ".":
            raise token.error(f"tables have no schema; delete `{name}.`")
        if any(token.text.lower() in opened.ctes for opened in self._levels):
            return
        if self._known is not None and token.text.lower() not in self._known:
            raise token.error(f"there is no table `{name}`{_did_you_mean(token.text, self._known)}")
        self._found.append(token)

    def _is_plain_name(self, token: Token, before: Token | None) -> bool:
        """True for a word that cannot be a keyword here: after `AS` or after a dot."""
        return not token.word or (before is not None and (before.word == "AS" or before.text == "."))

    def _keyword(self, level: _Level, index: int, token: Token) -> None:
        word = token.word
        if level.in_with:
            self._with_list(level, index, token)
        elif word == "FROM" and level.is_query and not self._is_distinct_from(index):
            level.in_tables = level.wants_table = True
        elif word == "JOIN" and level.in_tables:
            level.wants_table = True
        elif word in _AFTER_FROM and level.in_tables:
            level.in_tables = False
        elif word == "INTO" and level.is_query:
            raise token.error("SELECT INTO would write; leave INTO out")

    def _with_list(self, level: _Level, index: int, token: Token) -> None:
        if token.word in ("SELECT", "VALUES", "FROM", "INSERT", "UPDATE", "DELETE", "MERGE"):
            level.wants_query = True
            self._start_query(level, token)
        elif token.word == "AS":
            name = self._cte_name(index)
            level.pending_cte = name.text.lower()

    def _cte_name(self, index: int) -> Token:
        """The name before `AS`, or before its list of columns."""
        at = index - 1
        if at > 0 and self._tokens[at].text == ")":
            while at > 0 and self._tokens[at].text != "(":
                at -= 1
            at -= 1
        if at < 0 or not self._tokens[at].is_name:
            raise self._tokens[index].error("a name must stand before AS")
        return self._tokens[at]

    def _is_distinct_from(self, index: int) -> bool:
        """True for the FROM of `a IS [NOT] DISTINCT FROM b`."""
        words = [token.word for token in self._tokens[max(0, index - 3) : index]]
        return words[-1:] == ["DISTINCT"] and (words[-2:-1] == ["IS"] or words[-3:-1] == ["IS", "NOT"])


def _did_you_mean(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name.lower(), sorted(known), n=1)
    return f"; did you mean `{close[0]}`?" if close else f"; there are {', '.join(sorted(known))}"
