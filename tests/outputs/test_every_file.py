"""Every reader on every file of the corpus: nothing raises, and nothing claims what is another's."""

from collections.abc import Iterator
from pathlib import Path, PurePath

import pytest

from badhop.sources.outputs import claims, read_output
from badhop.sources.outputs.content import member, on_disk
from badhop.sources.outputs.kind import Log, Output
from badhop.sources.outputs.kinds import KINDS
from badhop.sources.outputs.lines import lines_of
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import raw_tables

TEXTS = ("corpus/text/*/*", "corpus/text/sysfs/*/class/*/*/*/*/*", "corpus/text/sysfs/*/*/class/*/*/*")


def passage(path: Path) -> Passage | None:
    lines = lines_of(path.read_bytes())
    return None if lines is None else Passage(PurePath(path.name), lines)


@pytest.mark.each_file("path", *TEXTS)
def test_at_most_one_kind_claims_a_file(path: Path) -> None:
    whole = passage(path)
    assert whole is None or len(claims(whole)) <= 1


@pytest.mark.each_file("path", *TEXTS)
def test_no_reader_raises_on_a_file_that_is_not_its_own(path: Path) -> None:
    whole = passage(path)
    content = on_disk(path, PurePath(path.name), path.name)
    for kind in KINDS:
        rows = Rows(path.name)
        if isinstance(kind, Output | Log) and whole is not None:
            kind.read(whole, rows)
        elif not isinstance(kind, Output | Log):
            kind.recognise(content)
        rows.frames()


@pytest.mark.each_file("path", *TEXTS)
def test_what_is_read_has_the_declared_columns(path: Path) -> None:
    told = read_output(on_disk(path, PurePath(path.name), path.name))
    known = {table.name: table for table in raw_tables()}
    for name, frame in (told.frames if told else {}).items():
        assert frame.schema == known[name].schema(), name
        assert frame.height == (told.rows[name] if told else 0)


def cuts(content: bytes) -> Iterator[bytes]:
    """The file cut at forty lengths, which fall on all places of a line."""
    step = max(1, len(content) // 40)
    for length in range(0, len(content), step):
        yield content[:length]


@pytest.mark.each_file("path", *TEXTS)
def test_a_file_cut_anywhere_raises_nothing(path: Path) -> None:
    content = path.read_bytes()
    if len(content) > 1 << 15:
        content = content[: 1 << 15]
    for cut in cuts(content):
        read_output(member("cut.tar", PurePath(path.name), cut, None))
