"""`ibqueryerrors`, of which the corpus has only a file of thresholds."""

from pathlib import Path

import pytest

from badhop.sources.outputs.kinds.fabric import ibqueryerrors
from badhop.tables import counters
from outputs.claimed import of_file, of_text, rows

SAMPLE = """\
Errors for 0x9c63c00300aa0001 "node7 mlx5_0"
   GUID 0x9c63c00300aa0001 port 1: [LinkDownedCounter == 3] [PortXmitWait == 512233]
Errors for 0x506b4b03005c2740 "ib-i4l1s01"
   GUID 0x506b4b03005c2740 port ALL: [PortXmitDiscards == 7]
   GUID 0x506b4b03005c2740 port 17: [PortXmitDiscards == 7] [PortXmitData == 37108676853855 (138.242TB)]
       Link info:     12   17[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>  0x9c63 9 1[  ] "node7 mlx5_0" ( )

## Summary: 64 nodes checked, 1 bad nodes found
##          512 ports checked, 1 ports have errors beyond threshold
## Thresholds: [SymbolErrorCounter = 10]
## Suppressed:
"""


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_it_claims_no_file_of_the_corpus(path: Path) -> None:
    told = of_file(path)
    assert told is None or ibqueryerrors.KIND.name not in told.kinds


def test_nodes_name_themselves() -> None:
    told = of_text(SAMPLE, "mgmt1/ibqueryerrors.txt")
    assert rows(told, counters.TABLE, "line", "host", "device", "name", "value") == [
        (2, "node7", "mlx5_0/1", "link_down_events", 3.0),
        (2, "node7", "mlx5_0/1", "wait_ticks", 512233.0),
        (4, "ib-i4l1s01", "ALL", "discard_pkts", 7.0),
        (5, "ib-i4l1s01", "17", "discard_pkts", 7.0),
        (5, "ib-i4l1s01", "17", "data_words", 37108676853855.0),
    ]
    assert told is not None
    assert not told.problems


def test_a_port_whose_counters_are_cut_off_is_a_problem() -> None:
    told = of_text(SAMPLE.splitlines()[0] + "\n   GUID 0x9c63c00300aa0001 port 1: [LinkDow")
    assert told is not None
    assert (told.rows, [problem["line"] for problem in told.problems]) == ({}, [2])


def test_a_long_hostile_line_costs_linear_time() -> None:
    told = of_text(SAMPLE + "   GUID 0x1 port 1:" + " [" * 200_000 + "\n" + 'Errors for "' + "a" * 300_000)
    assert told is not None
    assert told.rows == {"counters": 5}
