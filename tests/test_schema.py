"""Tables are declared once, in Rust; Python tells the same, and stays light while it does."""

import subprocess
import sys
import tomllib
from pathlib import Path

import polars as pl
import pytest

import badhop
from badhop.schema import Column, Table, captured_tables
from badhop.sources import read
from badhop.sources.capture import track
from badhop.sources.taps import TABLES as TABLES_OF_SEVERAL
from raw_capture import ack, pcap, pfc, roce

CARGO = Path(__file__).parent.parent / "Cargo.toml"
TABLES = pytest.mark.parametrize("table", captured_tables(), ids=lambda table: table.name)


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    return pcap(tmp_path / "tor.pcap", [roce(4, 0x12, 1), ack(0x11, 1), pfc(8, [0, 0, 0, 9, 0, 0, 0, 0])])


@TABLES
def test_every_table_and_column_says_what_it_is(table: Table) -> None:
    assert table.doc.endswith(".")
    assert len({column.name for column in table.columns}) == len(table.columns)
    for column in table.columns:
        assert column.doc.endswith("."), column.name


@TABLES
def test_what_is_read_has_the_declared_types(table: Table, capture: Path) -> None:
    if table.scanned:
        got = badhop.scan_capture(capture, table.name).collect().schema
    elif table.name in TABLES_OF_SEVERAL:
        got = read([capture, pcap(capture.with_name("leaf.pcap"), [ack(0x11, 1)])]).frames[table.name].collect_schema()
    else:
        got = track((capture,), "tor.pcap").frames[table.name].schema
    assert dict(got) == table.schema()
    assert list(got) == [column.name for column in table.columns]


@TABLES
def test_an_empty_table_has_its_columns_and_no_rows(table: Table) -> None:
    empty = table.empty().collect()
    assert dict(empty.schema) == table.schema()
    assert empty.height == 0


@TABLES
def test_every_row_can_be_traced_to_its_source(table: Table) -> None:
    assert table.columns[0].name == ("tap_a" if table.name in TABLES_OF_SEVERAL else "source")


def test_times_are_in_nanoseconds_and_carry_no_zone() -> None:
    times = [kind for table in captured_tables() for kind in table.schema().values() if isinstance(kind, pl.Datetime)]
    assert len(times) >= 3
    assert set(times) == {pl.Datetime("ns")}


def test_only_the_tables_of_packets_are_scanned() -> None:
    assert {table.name for table in captured_tables() if table.scanned} == {"packets", "roce", "pauses"}


def test_a_column_of_no_known_type_cannot_be_declared() -> None:
    with pytest.raises(ValueError, match="column hop: unknown type 'word'"):
        Column("hop", "word", "", "Where.")  # type: ignore[arg-type]


def test_the_version_is_the_one_in_cargo_toml() -> None:
    cargo = tomllib.loads(CARGO.read_text())
    assert badhop.__version__ == cargo["workspace"]["package"]["version"]


@pytest.mark.parametrize("module", ["badhop", "badhop.schema", "badhop.errors"])
def test_importing_the_declarations_stays_light(module: str) -> None:
    program = f"import sys, {module}; {module}; print(*sys.modules)"
    if module == "badhop.schema":
        program += "; badhop.schema.captured_tables()"
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert module in loaded
    assert not {"polars", "textual", "scapy", "typer", "rich"} & set(loaded)


def test_only_the_public_names_are_given_out() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'scan_pcap'"):
        _ = badhop.scan_pcap
