"""Nothing that comes from a file may reach a terminal as a command to it."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from badhop.printable import printable, printable_lines


def test_plain_text_stays_as_it_is() -> None:
    assert printable("tor.pcap: 12 µs → größer") == "tor.pcap: 12 µs → größer"


def test_an_escape_sequence_becomes_visible() -> None:
    assert printable("\x1b[2Jgone\x07") == r"\x1b[2Jgone\x07"


def test_a_bidirectional_control_cannot_turn_a_name_around() -> None:
    assert printable("gpj.\u202efdp") == r"gpj.\u202efdp"


def test_line_breaks_of_every_kind_are_escaped() -> None:
    assert printable("a\nb\rc\u2028d\x85e") == r"a\nb\x0dc\u2028d\x85e"


def test_a_file_name_that_is_no_unicode_can_be_printed() -> None:
    assert printable(b"caf\xe9".decode("utf-8", "surrogateescape")) == r"caf\udce9"


def test_lines_stay_lines_and_their_content_is_escaped() -> None:
    assert printable_lines("one\n\x1btwo") == "one\n\\x1btwo"


@given(st.text())
def test_the_result_has_no_control_format_or_surrogate_character(text: str) -> None:
    categories = {unicodedata.category(char) for char in printable(text)}
    assert not categories & {"Cc", "Cf", "Cs", "Zl", "Zp"}
