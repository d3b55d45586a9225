"""What `badhop.sql` lets through, checked against what polars would really do with it."""

import contextlib
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from badhop.sql import SqlError, check, collect, run, tables_of

FRAMES = {"t": pl.LazyFrame({"a": [1, 2], "b": ["x", "y"]}), "u": pl.LazyFrame({"a": [2, 3], "c": [0.5, 1.5]})}

ALLOWED = [
    "SELECT * FROM t",
    "select a from t -- the end",
    "SELECT a FROM t;",
    "WITH d AS (SELECT a FROM t), e (n) AS (SELECT a FROM d) SELECT * FROM d, e",
    "(SELECT a FROM t)",
    "SELECT * FROM (SELECT a FROM t) AS x JOIN u ON x.a = u.a",
    "SELECT * FROM (t JOIN u ON t.a = u.a)",
    "SELECT a FROM t WHERE a IN (SELECT a FROM u) ORDER BY a, LENGTH(b)",
    "SELECT a FROM t WHERE a IS DISTINCT FROM 2 AND a IS NOT DISTINCT FROM 1",
    "SELECT EXTRACT(year FROM s) FROM (SELECT TIMESTAMP '2026-01-02' AS s)",
    "SELECT SUBSTRING(b FROM 1 FOR 1) FROM t",
    "SELECT 'it''s -- no comment; DROP TABLE t' AS text FROM t",
    "SELECT /* a /* nested */ comment */ a FROM t",
    "SELECT $$DROP TABLE t;$$ AS text",
    'SELECT a AS "from", "a" AS "read_csv" FROM t',
    "SELECT * FROM t AS limit, u",
    "SELECT COUNT(*) FILTER (WHERE a > 1) FROM t GROUP BY b HAVING COUNT(*) > 0",
    "SELECT a, ROW_NUMBER() OVER (PARTITION BY b ORDER BY a) FROM t QUALIFY ROW_NUMBER() OVER (ORDER BY a) = 1",
    "SELECT a FROM t UNION ALL SELECT a FROM u",
    "SELECT t.a FROM t ASOF JOIN u MATCH_CONDITION (t.a >= u.a)",
    "SELECT a FROM T",
]

REFUSED = [
    ("SELECT * FROM read_csv('{file}')", 1, 15),
    ("SELECT * FROM t JOIN READ_CSV('{file}') r ON true", 1, 22),
    ("SELECT * FROM t,\n  read_csv('{file}')", 2, 3),
    ("SELECT * FROM t JOIN u ON t.a = u.a, read_csv('{file}')", 1, 38),
    ("SELECT * FROM (read_csv('{file}'))", 1, 16),
    ("SELECT * FROM \"read_csv\"('{file}')", 1, 15),
    ("SELECT * FROM `read_csv`('{file}')", 1, 15),
    ("SELECT * FROM read_csv /* x */ ('{file}')", 1, 15),
    ("SELECT EXISTS (FROM read_csv('{file}'))", 1, 21),
    ("SELECT a FROM t ORDER BY (SELECT secret FROM read_csv('{file}') LIMIT 1)", 1, 46),
    ("SELECT a FROM t UNION SELECT secret FROM read_csv('{file}')", 1, 42),
    ("WITH d AS (SELECT * FROM read_csv('{file}')) SELECT * FROM d", 1, 26),
    ("DROP TABLE t", 1, 1),
    ("TRUNCATE TABLE t", 1, 1),
    ("DELETE FROM t", 1, 1),
    ("CREATE TABLE z AS SELECT * FROM t", 1, 1),
    ("EXPLAIN SELECT * FROM t", 1, 1),
    ("SHOW TABLES", 1, 1),
]
"""Each of these does in polars what a playbook must not do; the place is that of the first wrong word."""


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that no query may read."""
    path = tmp_path_factory.mktemp("outside") / "secret.csv"
    path.write_text("secret\n7\n")
    return path


@pytest.mark.parametrize("sql", ALLOWED)
def test_a_query_that_only_reads_tables_runs(sql: str) -> None:
    check(sql, FRAMES)
    run(sql, FRAMES).collect()


@pytest.mark.parametrize(("sql", "line", "column"), REFUSED)
def test_what_does_more_than_read_tables_is_refused_at_its_place(
    sql: str, line: int, column: int, secret: Path
) -> None:
    sql = sql.format(file=secret)
    with pytest.raises(SqlError) as refused:
        check(sql)
    assert (refused.value.line, refused.value.column) == (line, column)


@pytest.mark.parametrize("sql", [sql for sql, _, _ in REFUSED])
def test_what_is_refused_would_have_worked_in_polars(sql: str, secret: Path) -> None:
    """Else the refusal would protect from nothing."""
    with pl.SQLContext(FRAMES) as context:
        plan = context.execute(sql.format(file=secret))
        changed = sorted(context.tables()) != sorted(FRAMES)
    reads = "Csv SCAN" in plan.explain(optimized=False)
    is_no_query = sql.split()[0] in ("TRUNCATE", "DELETE", "EXPLAIN", "SHOW")
    assert reads or changed or is_no_query


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("", "there is no query"),
        ("  -- nothing\n", "there is no query"),
        ("SELECT a FROM t; SELECT a FROM u", "one query at a time"),
        ("SELECT a FROM t; DROP TABLE t", "one query at a time"),
        ("; SELECT a FROM t", "no query before this semicolon"),
        ("SELECT * FROM 'dump.csv'", "not files"),
        ("SELECT * FROM glob('*.csv')", "table function glob"),
        ("SELECT * FROM generate_series(1, 3)", "table function"),
        ("SELECT * FROM main.t", "have no schema"),
        ("SELECT * INTO z FROM t", "leave INTO out"),
        ("WITH d AS (DELETE FROM t) SELECT 1", "not with DELETE"),
        ("WITH d AS (SELECT 1) DELETE FROM t", "not with DELETE"),
        ("SELECT 'open FROM t", "not closed"),
        ('SELECT "open FROM t', "not closed"),
        ("SELECT /* open FROM t", "not closed"),
        ("SELECT $$open FROM t", "not closed"),
        ("SELECT (a FROM t", "not closed"),
        ("SELECT a) FROM t", "never opened"),
        (r"SELECT E'\'' FROM t", "prefix"),
        ("SELECT a /*! FROM t */", "hint comments"),
        ("SELECT\u200b a FROM t", "U+200B"),
        ("SELECT $1 FROM t", "placeholders"),
    ],
)
def test_a_refusal_says_what_to_do(sql: str, says: str) -> None:
    with pytest.raises(SqlError, match=None) as refused:
        check(sql)
    assert says in refused.value.message


def test_an_unknown_table_comes_with_the_nearest_name() -> None:
    with pytest.raises(SqlError) as refused:
        check("SELECT *\nFROM loss_episode", {"loss_episodes", "roce_qps"})
    assert refused.value.message == "there is no table `loss_episode`; did you mean `loss_episodes`?"
    assert (refused.value.line, refused.value.column) == (2, 6)


def test_names_that_the_query_makes_itself_are_no_tables() -> None:
    assert tables_of("WITH d AS (SELECT * FROM t) SELECT * FROM d JOIN u ON d.a = u.a") == {"t", "u"}


def test_such_a_name_holds_only_inside_its_own_query() -> None:
    with pytest.raises(SqlError, match="no table `d`"):
        check("SELECT * FROM (WITH d AS (SELECT 1 AS x) SELECT * FROM d), d", {"t"})


def test_a_wrong_column_is_told_at_its_place_with_the_right_ones() -> None:
    with pytest.raises(SqlError) as failed:
        run("SELECT a,\n       z FROM t", FRAMES)
    assert (failed.value.line, failed.value.column) == (2, 8)
    assert '"a", "b"' in failed.value.message


def test_the_parsers_own_place_is_kept() -> None:
    with pytest.raises(SqlError) as failed:
        run("SELECT a\nFROM t WHERE WHERE a > 1", FRAMES)
    assert failed.value.line == 2


def test_an_error_that_only_the_data_can_raise_is_an_error_of_the_query() -> None:
    with pytest.raises(SqlError):
        collect("SELECT CAST(b AS INT) AS n FROM t", FRAMES)


def test_a_message_never_carries_the_querys_escape_sequences() -> None:
    with pytest.raises(SqlError) as refused:
        check('SELECT * FROM "\x1b[31m"', {"t"})
    assert "\x1b" not in str(refused.value)


def test_planning_reads_nothing() -> None:
    def explode(_: pl.DataFrame) -> pl.DataFrame:
        raise AssertionError("the plan was collected")

    run("SELECT a FROM t", {"t": FRAMES["t"].map_batches(explode, schema={"a": pl.Int64, "b": pl.String})})


# Property tests: queries from a grammar that mixes harmless and dangerous parts, and plain word soup. Whatever passes
# the check must leave the context as it was, read no file, and need no table beyond those that `tables_of` names.

READER = "read_csv('{file}')"


def _queries() -> st.SearchStrategy[str]:
    name = st.sampled_from(["t", "u", "T", '"t"', "`u`"])
    reader = st.sampled_from([READER, READER.upper().replace("{FILE}", "{file}"), READER.replace("_csv", "_csv /**/ ")])
    gap = st.sampled_from([" ", "\n", "/* FROM x */", " -- , y\n"])

    def grown(query: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        factor = st.one_of(
            name,
            reader,
            query.map("({})".format),
            st.builds("({} CROSS JOIN {} AS j)".format, name, st.one_of(name, reader)),
        )
        alias = st.sampled_from(["", " AS x", " AS limit", " AS where", ' AS "from"', " AS select"])
        item = st.builds("{}{}".format, factor, alias)
        items = st.lists(item, min_size=1, max_size=3).map(", ".join)
        where = st.one_of(
            st.just(""),
            query.map(" WHERE EXISTS ({})".format),
            st.just(" WHERE 1 IS DISTINCT FROM 2"),
            st.just(" WHERE ',' <> 'FROM t, z' ORDER BY 1"),
        )
        select = st.builds("SELECT{}1 AS one FROM{}{}{}".format, gap, gap, items, where)
        with_list = st.builds("WITH d AS ({}) {} UNION ALL SELECT 1 AS one FROM d".format, query, select)
        union = st.builds("{} UNION ALL ({})".format, select, query)
        return st.one_of(select, with_list, union)

    return st.recursive(st.just("SELECT 1 AS one"), grown, max_leaves=6)


WORDS = (
    *("SELECT", "FROM", "JOIN", "ON", "WHERE", "WITH", "AS", "UNION", "ALL", "IN", "EXISTS", "LATERAL", "VALUES"),
    *("(", ")", ",", ";", "*", "=", "1", "'x'", "a", "d", "t", "u", READER),
    *("DROP", "TABLE", "DELETE", "CREATE", "AND", "IS", "DISTINCT", "LIMIT", "ORDER", "BY"),
)
SOUP = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sql=st.one_of(_queries(), SOUP))
def test_whatever_passes_only_reads_the_tables_that_it_names(sql: str, secret: Path) -> None:
    sql = sql.format(file=secret)
    try:
        check(sql, FRAMES)
    except SqlError:
        return
    named = {name.lower() for name in tables_of(sql)}
    with pl.SQLContext({name: FRAMES[name] for name in named}) as context:
        try:
            plan = context.execute(sql)
            explained = plan.explain(optimized=False)
        except pl.exceptions.PolarsError as error:
            if "relation" in str(error):
                pytest.fail(f"{sql} needs more than {named}")
            return
        assert sorted(context.tables()) == sorted(named)
    assert "Csv SCAN" not in explained


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sql=_queries().filter(lambda sql: "{file}" not in sql))
def test_no_harmless_query_is_refused(sql: str) -> None:
    with pl.SQLContext(FRAMES) as context:
        try:
            context.execute(sql)
        except pl.exceptions.PolarsError:
            return
    check(sql, FRAMES)


@settings(max_examples=300, deadline=None)
@given(sql=st.text(alphabet=st.sampled_from("ab'\"`$/*-;()[]., \n\\SELECTFROMt1é\u202e\x00"), max_size=60))
def test_no_text_makes_the_check_fail_in_another_way_than_by_refusing(sql: str) -> None:
    with contextlib.suppress(SqlError):
        check(sql, FRAMES)
