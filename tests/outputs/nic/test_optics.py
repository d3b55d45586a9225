"""Optics as ethtool and SONiC print them: light, bias, temperature, the module's own limits."""

from pathlib import Path

import pytest

from badhop.tables import links
from outputs.claimed import of_file, of_text, rows

TABLE = links.TABLE
OPTICS = "corpus/text/optics"
SFP = f"{OPTICS}/sonic-utilities__sfp_test__"
SFPUTIL = f"{OPTICS}/sonic-utilities__sfputil_test__"
LIGHT = ("device", "lane", "rx_power_dbm", "tx_power_dbm", "bias_ma", "temperature_c")


def test_a_module_of_one_lane_with_its_limits(corpus: Path) -> None:
    told = of_file(corpus / OPTICS / "sichek__ethtool_dom_test__raw1.txt", "h12/ethtool_m_eth2.txt")
    assert told is not None
    assert told.kinds == ("ethtool -m",)
    assert rows(told, TABLE, "host", *LIGHT) == [("h12", "eth2", None, -3.1, -3.0, 6.75, 38.0)]
    assert rows(told, TABLE, "rx_power_alarm_low_dbm", "tx_power_alarm_high_dbm", "temperature_alarm_low_c") == [
        (-20.0, 0.0, -5.0)
    ]
    assert rows(told, TABLE, "vendor", "part_number", "serial", "media", "voltage_v") == [
        ("ZSINE", "SFP28-25G-AOC30M", "251012H30164", "SFP", 3.274)
    ]
    assert rows(told, TABLE, "rx_power_warning_low_dbm", "alarms") == [(None, None)]


CMIS = """\
	Identifier                                : 0x18 (QSFP-DD Double Density 8X Pluggable Transceiver (INF-8628))
	Vendor PN                                 : ABC-400-DR4
	Module temperature                        : 52.40 degrees C / 126.32 degrees F
	Module voltage                            : 3.2768 V
	Laser tx bias current (Channel 1)         : 48.128 mA
	Transmit avg optical power (Channel 1)    : 1.2190 mW / 0.86 dBm
	Rcvr signal avg optical power (Channel 1) : 0.8912 mW / -0.50 dBm
	Rcvr signal avg optical power(Channel 2)  : 0.0000 mW / -inf dBm
	Laser rx power low alarm    (Channel 1)   : Off
	Laser rx power low alarm    (Channel 2)   : On
	Laser rx power low alarm threshold        : 0.1820 mW / -7.40 dBm
	Laser rx power low warning threshold      : 0.2291 mW / -6.40 dBm
	Laser bias current high alarm threshold   : 70.000 mA
"""


def test_lanes_are_rows_with_the_limits_of_the_module_and_the_flags_that_are_set() -> None:
    told = of_text(CMIS, "h12/ethtool_-m_eth2")
    assert rows(told, TABLE, *LIGHT) == [
        ("eth2", 1, -0.5, 0.86, 48.128, 52.4),
        ("eth2", 2, -40.0, None, None, 52.4),
    ]
    assert rows(told, TABLE, "rx_power_alarm_low_dbm", "rx_power_warning_low_dbm", "bias_alarm_high_ma", "alarms") == [
        (-7.4, -6.4, 70.0, []),
        (-7.4, -6.4, 70.0, ["laser rx power low alarm"]),
    ]


def test_a_copper_cable_has_a_length_and_no_light() -> None:
    told = of_text(
        "\tIdentifier                                : 0x11 (QSFP28)\n"
        "\tLength (Copper or Active cable)           : 3m\n\tVendor name                               : Mellanox\n"
        "\tModule temperature                        : 0.00 degrees C / 32.00 degrees F\n"
    )
    columns = ("media", "length_m", "rx_power_dbm", "lane", "alarms")
    assert rows(told, TABLE, *columns) == [("QSFP28", 3.0, None, None, None)]


def test_a_value_that_is_no_amount_is_a_problem_and_null() -> None:
    told = of_text(CMIS.replace("52.40 degrees C / 126.32 degrees F", "hot"))
    assert rows(told, TABLE, "temperature_c") == [(None,), (None,)]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [3]


@pytest.mark.parametrize("length", range(0, len(CMIS), 17))
def test_a_cut_module_invents_no_lane(length: int) -> None:
    told = of_text(CMIS[:length])
    assert {row[0] for row in rows(told, TABLE, "lane")} <= {None, 1, 2}


@pytest.mark.parametrize(
    ("name", "count", "first"),
    [
        (f"{SFP}test_cmis_eeprom_output.txt", 1, ("Ethernet64", None, None, None, None, None)),
        (f"{SFP}test_osfp_eeprom_with_dom_output.txt", 8, ("Ethernet72", 1, 0.5, 0.6, 6.5, 40.5)),
        (f"{SFP}test_qsfp_dd_eeprom_output.txt", 1, ("Ethernet8", None, None, None, None, None)),
        (f"{SFP}test_sfp_eeprom_with_dom_output.txt", 4, ("Ethernet0", 1, 0.3802, None, 6.75, 30.9258)),
        (f"{SFP}test_sfp_eeprom_dom_all_output.txt", 9, ("Ethernet0", 1, 0.3802, None, 6.75, 30.9258)),
        (f"{SFPUTIL}str-6.txt", 8, (None, 1, -1.6622, None, 35.84, 41.7539)),
        (f"{SFPUTIL}str-4.txt", 1, (None, None, None, None, None, None)),
    ],
)
def test_pluggables_of_sonic(corpus: Path, name: str, count: int, first: tuple[object, ...]) -> None:
    told = of_file(corpus / name)
    assert told is not None
    assert told.kinds == ("transceiver eeprom",)
    found = rows(told, TABLE, *LIGHT)
    assert len(found) == count
    assert found[0] == first


def test_of_many_ports_each_keeps_its_own_and_an_empty_one_says_so(corpus: Path) -> None:
    told = of_file(corpus / f"{SFP}test_sfp_eeprom_dom_all_output.txt")
    assert sorted(set(rows(told, TABLE, "device", "part_number", "reason"))) == [
        ("Ethernet0", "MFA1A00-C003", None),
        ("Ethernet4", None, "SFP EEPROM not detected"),
        ("Ethernet64", "XXX", None),
    ]
    assert rows(told, TABLE, "rx_power_alarm_low_dbm", "bias_warning_high_ma", "temperature_warning_low_c")[0] == (
        -13.5067,
        9.5,
        0.0,
    )


def test_flags_of_a_module_and_errors_of_ports(corpus: Path) -> None:
    assert rows(of_file(corpus / f"{SFP}test_qsfp_status_output.txt"), TABLE, "device", "alarms") == [("Ethernet4", [])]
    told = of_text(
        "Ethernet4:\n        Tx fault flag on media lane 1: True\n        Tx fault flag on media lane 2: False\n"
    )
    assert rows(told, TABLE, "device", "alarms") == [("Ethernet4", ["Tx fault flag on media lane 1"])]
    told = of_file(corpus / f"{SFPUTIL}expected_output-2.txt")
    assert rows(told, TABLE, "line", "device", "alarms")[:3] == [
        (3, "Ethernet0", ["Blocking Error", "High temperature"]),
        (4, "Ethernet4", []),
        (5, "Ethernet8", ["Unplugged"]),
    ]


@pytest.mark.parametrize(
    "name", ["sfp_test__test_qsfp_dd_pm_all_output", "sfp_test__test_qsfp_dd_status_all_output", "sfputil_test__str-2"]
)
def test_what_does_not_apply_is_not_claimed(corpus: Path, name: str) -> None:
    assert of_file(corpus / OPTICS / f"sonic-utilities__{name}.txt") is None


def test_only_headings_of_pluggables_give_no_row(corpus: Path) -> None:
    assert rows(of_file(corpus / f"{SFPUTIL}EMPTY_DOM_VALUES.txt"), TABLE, "line") == []
