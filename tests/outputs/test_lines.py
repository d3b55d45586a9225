"""The lines of a text: decoded, without colours, carriage returns and what log collectors write before them."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.sources.outputs.lines import lines_of

NOON = 1_764_504_000_000_000_000  # 2025-11-30T12:00:00Z


def texts(content: bytes) -> list[str]:
    lines = lines_of(content)
    assert lines is not None
    return list(lines.texts)


def test_the_ends_of_dos_and_unix_are_the_same() -> None:
    assert texts(b"a\r\nb\n\nc") == texts(b"a\nb\n\nc\n") == ["a", "b", "", "c"]


def test_colours_titles_and_links_of_a_terminal_are_removed() -> None:
    assert texts(b"\x1b[1;31mred\x1b[0m \x1b]0;title\x07x \x1b]8;;http://a\x1b\\link\x1b(B") == ["red x link"]


def test_of_a_progress_line_what_was_written_last_stays() -> None:
    assert texts(b"10%\r20%\r100% done\nnext") == ["100% done", "next"]


@pytest.mark.parametrize(
    ("bom", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_a_byte_order_mark_tells_the_encoding(bom: bytes, encoding: str) -> None:
    assert texts(bom + "Größe: 5\nb".encode(encoding)) == ["Größe: 5", "b"]


def test_a_byte_that_is_no_utf_8_stays_visible_and_loses_no_line() -> None:
    assert texts(b"Gr\xf6\xdfe: 5\nb: 6") == ["Gr\\xf6\\xdfe: 5", "b: 6"]


def test_bytes_that_are_no_text_are_not_read() -> None:
    assert lines_of(b"\x80\x02}q\x00") is None


@pytest.mark.parametrize(
    ("line", "text", "ts", "host"),
    [
        ("2025-11-30T12:00:00.000000000Z stdout F step 5", "step 5", NOON, None),
        ('{"log":"step 5\\n","stream":"stdout","time":"2025-11-30T12:00:00Z"}', "step 5", NOON, None),
        ("[pod/train-3/main] step 5", "step 5", None, "train-3"),
        ("[pod/train-3/main] 2025-11-30T12:00:00Z step 5", "step 5", NOON, "train-3"),
        ("2025-11-30T13:00:00+01:00 step 5", "step 5", NOON, None),
        ("worker-1  | step 5", "step 5", None, "worker-1"),
    ],
)
def test_what_a_collector_wrote_before_each_line_is_kept_apart(
    line: str, text: str, ts: int | None, host: str | None
) -> None:
    lines = lines_of(f"{line}\n{line}\n".encode())
    assert lines is not None
    assert list(lines.texts) == [text, text]
    assert (lines.stamps[1].ts, lines.stamps[1].host) == (ts, host)


def test_syslog_names_its_host() -> None:
    lines = lines_of(b"Nov 30 12:00:00 h12 kernel: mlx5_core 0000:3b:00.0: link down\n" * 3)
    assert lines is not None
    assert lines.texts[0] == "kernel: mlx5_core 0000:3b:00.0: link down"
    assert lines.stamps[0].host == "h12"


def test_a_prefix_that_few_lines_have_belongs_to_the_program() -> None:
    content = b"2025-11-30T12:00:00Z start\nrank 0\nrank 1\nrank 2\n"
    assert texts(content)[0] == "2025-11-30T12:00:00Z start"


@given(st.binary(max_size=300))
def test_any_bytes_give_lines_without_escapes_or_nothing(content: bytes) -> None:
    lines = lines_of(content)
    for text in lines.texts if lines else ():
        assert "\n" not in text
        assert lines_of(text.encode("utf-8", "surrogatepass")) is not None or "\0" in text
