"""Numbers with units as switches print them."""

import pytest

from badhop.sources.outputs.kinds.switch.amounts import lanes, plain, speed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2000.00 MB/s", "2000000000.0"),
        ("0.00 B/s", "0.0"),
        ("64.00%", "64.0"),
        ("247000.00/s", "247000.0"),
        ("36.0 KB", "36000.0"),
        ("0 Bytes", "0.0"),
        ("7.81e-10 (89%)", "7.81e-10"),
        ("1,200", "1,200"),
        ("N/A", "N/A"),
        ("PFC3", "PFC3"),
    ],
)
def test_units_and_suffixes_are_taken_off(text: str, value: str) -> None:
    assert plain(text) == value


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("40G", 40 * 10**9),
        ("400G", 400 * 10**9),
        ("a-1G", 10**9),
        ("10 Gb/s", 10**10),
        ("100", 10**8),
        ("1000mbps", 10**9),
        ("auto", None),
        ("N/A", None),
        ("0", None),
        ("9" * 400 + "G", None),
        ("999999999T", None),
    ],
)
def test_speeds_are_bits_a_second(text: str, bits: int | None) -> None:
    assert speed(text) == bits


def test_lanes_are_counted_and_nonsense_is_null() -> None:
    assert lanes("33,34,35,36") == 4
    assert lanes(None) is None
    assert lanes("," * 1000) is None
