"""Tables under rulers and headings: cut by their columns, wrapped, without blanks, and cut off anywhere."""

from hypothesis import given
from hypothesis import strategies as st

from badhop.sources.outputs.kinds.switch.columns import ruled, spaced, under
from badhop.sources.outputs.lines import Lines

TABLE = """\
For namespace asic0:
     Port    TxQ    Counter/pkts    Drop/pkts
---------  -----  --------------  -----------
Ethernet0    UC0           1,060           39
Ethernet0    UC1             N/A            0
"""


def tables(text: str) -> list[dict[str, str]]:
    return [dict(row.cells) for table in ruled(Lines(text.splitlines())) for row in table.rows]


def wrapped(text: str, width: int) -> str:
    pieces = [line[at : at + width] for line in text.splitlines() for at in range(0, len(line) or 1, width)]
    return "\n".join(pieces) + "\n"


def test_cells_are_cut_where_the_ruler_says() -> None:
    (table,) = ruled(Lines(TABLE.splitlines(), first=10))
    assert table.title == "For namespace asic0:"
    assert table.heading == ("Port", "TxQ", "Counter/pkts", "Drop/pkts")
    assert [row.line for row in table.rows] == [13, 14]
    assert table.rows[1].cells == {"Port": "Ethernet0", "TxQ": "UC1", "Counter/pkts": "N/A", "Drop/pkts": "0"}


def test_a_table_that_a_terminal_wrapped_reads_like_the_whole_one() -> None:
    body = TABLE.split("\n", 1)[1]
    for width in range(16, 45):
        assert tables(wrapped(body, width)) == tables(body), width


def test_lines_without_their_leading_blanks_are_read_by_their_words() -> None:
    eaten = "\n".join(line.strip() for line in TABLE.replace("Ethernet0", "Eth0").splitlines())
    assert tables(eaten)[0] == {"Port": "Eth0", "TxQ": "UC0", "Counter/pkts": "1,060", "Drop/pkts": "39"}


def test_a_value_that_was_cut_is_not_believed() -> None:
    whole = tables(TABLE)
    for length in range(len(TABLE)):
        for got, right in zip(tables(TABLE[:length]), whole, strict=False):
            for name in ("Counter/pkts", "Drop/pkts"):
                assert got.get(name) in (None, right[name]), (length, got)


def test_a_second_heading_begins_a_table_of_its_own() -> None:
    other = "DEVICE    DROPS\n------  -------\n  sw1       7\n"
    assert [table.heading[0] for table in ruled(Lines((TABLE + other).splitlines()))] == ["Port", "DEVICE"]
    assert [table.heading[0] for table in ruled(Lines((TABLE + "\n\n" + TABLE).splitlines()))] == ["Port", "Port"]


def test_a_line_that_fits_no_column_is_told() -> None:
    (table,) = ruled(Lines((TABLE + "Segmentation fault (core dumped) in queuestat\n").splitlines()))
    assert table.odd == (6,)


def test_words_that_run_over_their_heading_are_told_apart_by_their_number() -> None:
    columns = spaced("Port       Rx      Tx", ("Port", "Rx", "Tx"))
    assert columns is not None
    assert under(columns, "Et1        12      0") == {"Port": "Et1", "Rx": "12", "Tx": "0"}
    assert under(columns, "Port-Channel100 7 0") == {"Port": "Port-Channel100", "Rx": "7", "Tx": "0"}
    assert under(columns, "Port-Channel100 7 0 1") is None


@given(st.text(alphabet=" -\n\tabPort019,:/", max_size=400))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for table in ruled(Lines(text.split("\n"))):
        assert len(table.heading) >= 2
