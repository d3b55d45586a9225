"""`perfquery` of HCAs and switches, plain, extended and with details."""

from pathlib import Path

import pytest

from badhop.sources.outputs.kinds.fabric import perfquery
from badhop.tables import counters
from outputs.claimed import of_file, of_text, rows
from outputs.readings import readings

FOLDER = "corpus/text/perfquery"
SAMPLE = """\
# Port counters: Lid 12 port 1 (CapMask: 0x5A00)
PortSelect:......................1
CounterSelect:...................0x0000
SymbolErrorCounter:..............0
PortXmitData:....................4294967295
PortXmitWait:....................88123
"""


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_it_claims_its_own_files_and_no_other(path: Path) -> None:
    told = of_file(path)
    claimed = told is not None and perfquery.KIND.name in told.kinds
    assert claimed == (path.parent.name == "perfquery" and "perfquery" in path.name)


def test_the_extended_counters_of_an_hca(corpus: Path) -> None:
    told = of_file(corpus / FOLDER / "infiniband_exporter__perfquery_0x7cfe9003003b4b96.out")
    found = readings(told)
    assert found["PortXmitData"] == ["4 lid133/1 37108676853855 data_words words4 tx ib - - -"]
    assert found["PortMulticastRcvPkts"] == ["11 lid133/1 3732373137 multicast_packets packets rx ib - - -"]
    assert found["PortXmitWait"] == ["25 lid133/1 0 wait_ticks ticks tx ib - - -"]
    assert "PortSelect" not in found
    assert told is not None
    assert (told.rows, list(told.problems)) == ({"counters": 22}, [])


def test_the_ports_of_a_switch_follow_one_another(corpus: Path) -> None:
    told = of_file(corpus / FOLDER / "infiniband_exporter__perfquery_0x7cfe9003009ce5b0.out")
    assert readings(told)["PortXmitWait"] == [
        "25 lid1719/1 22730501 wait_ticks ticks tx ib - - -",
        "51 lid1719/2 36510964 wait_ticks ticks tx ib - - -",
    ]
    assert {row[0] for row in rows(told, counters.TABLE, "sample")} == {1}


@pytest.mark.parametrize(
    ("file", "device"),
    [
        ("0x506b4b03005c2740-1", "lid2052/1"),
        ("0x7cfe9003003b4bde-1", "lid134/1"),
        ("0x7cfe9003009ce5b0-2", "lid1719/2"),
    ],
)
def test_the_details_of_receive_errors(corpus: Path, file: str, device: str) -> None:
    told = of_file(corpus / FOLDER / f"infiniband_exporter__perfquery-rcv-error_{file}.out")
    assert readings(told)["PortLocalPhysicalErrors"] == [f"4 {device} 0 rcv_err_physical packets rx ib - - -"]
    assert told is not None
    assert (told.rows, list(told.problems)) == ({"counters": 6}, [])


def test_counters_that_stay_at_their_largest_value_say_so() -> None:
    found = rows(of_text(SAMPLE), counters.TABLE, "raw_name", "value", "reads")
    assert ("PortXmitWait", 88123.0, "saturating") in found


def test_a_port_that_was_asked_by_its_lid_is_not_that_of_the_asking_host() -> None:
    assert rows(of_text("root@h12:~# perfquery -x 12 1\n" + SAMPLE), counters.TABLE, "host")[0] == (None,)
    assert rows(of_text("root@h12:~# perfquery -C mlx5_0 -P 1\n" + SAMPLE), counters.TABLE, "host")[0] == ("h12",)


def test_the_same_port_again_is_another_sample() -> None:
    text = SAMPLE + SAMPLE.replace("88123", "88999")
    found = rows(of_text(text), counters.TABLE, "sample", "raw_name", "value")
    assert [row for row in found if row[1] == "PortXmitWait"] == [
        (1, "PortXmitWait", 88123.0),
        (2, "PortXmitWait", 88999.0),
    ]


def test_a_cut_line_is_a_problem() -> None:
    told = of_text(SAMPLE + "LinkDownedCou")
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [7]


def test_a_direct_route_names_the_port_too() -> None:
    told = of_text(SAMPLE.replace("Lid 12", "DR path slid 0; dlid 0; 0,1,14"))
    assert rows(told, counters.TABLE, "device")[0] == ("DR path slid 0; dlid 0; 0,1,14/1",)


def test_a_long_hostile_line_costs_linear_time() -> None:
    told = of_text(SAMPLE + "# Port " + "a " * 300_000 + "\n" + "a" * 300_000 + ":" + "." * 300_000)
    assert told is not None
    assert told.rows == {"counters": 3}
