"""`ss -ti`, of which the corpus has no file: the sample of the field guide, and the files that are only lists."""

from pathlib import Path

import pytest

from badhop.sources.outputs.kinds.nic import socket_details
from badhop.tables import counters
from outputs.claimed import of_file, of_text, rows
from outputs.readings import readings

INFO = (
    "skmem:(r0,rb131072,t0) cubic wscale:10,10 rto:204 rtt:0.132/0.148 mss:8948 cwnd:26 bytes_sent:320431 "
    "bytes_retrans:8948 bytes_acked:311484 segs_out:538 segs_in:98 send 14101000000bps busy:880ms "
    "rwnd_limited:84ms(9.5%) unacked:1 retrans:1/3 lost:1 minrtt:0.031"
)
ONE_LINE = f"ESTAB 0 12 10.0.0.7:53700 10.0.0.9:28011 {INFO}\n"
TWO_LINES = (
    "State  Recv-Q Send-Q Local Address:Port  Peer Address:Port\n"
    f"ESTAB  0      12     10.0.0.7:53700      10.0.0.9:28011\n\t {INFO}\n"
)


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_lists_of_sockets_without_details_are_not_claimed(path: Path) -> None:
    told = of_file(path)
    assert told is None or socket_details.KIND.name not in told.kinds


@pytest.mark.parametrize(("text", "line"), [(ONE_LINE, 1), (TWO_LINES, 3)])
def test_a_connection_is_named_by_its_ends(text: str, line: int) -> None:
    found = readings(of_text(text))
    device = "10.0.0.7:53700>10.0.0.9:28011"
    assert found["retrans"] == [f"{line} {device} 3 retrans_pkts packets tx socket - - -"]
    assert found["bytes_retrans"] == [f"{line} {device} 8948 retrans_bytes bytes tx socket - - -"]
    assert found["rtt"] == [f"{line} {device} 0.132 rtt_ms ms - socket - - -"]
    assert found["minrtt"] == [f"{line} {device} 0.031 rtt_min_ms ms - socket - - -"]
    assert found["rwnd_limited"] == [f"{line} {device} 84 window_limited_ms ms tx socket - - -"]
    assert found["Send-Q"][0].endswith(" 12 send_queue_bytes bytes tx socket - - -")
    assert "sndbuf_limited" not in found


def test_levels_are_not_counters() -> None:
    found = dict(rows(of_text(ONE_LINE), counters.TABLE, "raw_name", "reads"))
    assert (found["cwnd"], found["lost"], found["Send-Q"], found["retrans"]) == ("gauge", "gauge", "gauge", "counter")


def test_ss_again_and_again_is_a_series() -> None:
    told = of_text(f"Tue Dec  1 12:00:01 UTC 2026\n{ONE_LINE}Tue Dec  1 12:00:02 UTC 2026\n{ONE_LINE}")
    found = rows(told, counters.TABLE, "sample", "raw_name")
    assert [row for row in found if row[1] == "retrans"] == [(1, "retrans"), (2, "retrans")]


def test_a_connection_cut_anywhere_invents_no_connection() -> None:
    for length in range(len(ONE_LINE)):
        devices = {row[0] for row in rows(of_text(ONE_LINE[:length]), counters.TABLE, "device")}
        assert devices <= {"10.0.0.7:53700>10.0.0.9:28011"}


def test_a_long_hostile_line_costs_linear_time() -> None:
    text = ONE_LINE + "A" * 300_000 + "\nESTAB 0 0 " + "a:" * 2_000 + "\n\t" + "rtt:" * 1_000
    assert len(rows(of_text(text), counters.TABLE, "value")) == len(rows(of_text(ONE_LINE), counters.TABLE, "value"))
