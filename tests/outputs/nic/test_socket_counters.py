"""The counters of all sockets of a host: nstat, /proc/net/snmp and netstat, netstat -s."""

from pathlib import Path

import pytest

from badhop.sources.outputs.kinds.nic import netstat_statistics, nstat, proc_net_snmp
from badhop.tables import counters
from outputs.claimed import of_file, of_text, rows
from outputs.readings import readings

TEXT = "corpus/text"
CLAIMED = {
    "gpud__netstat.0.txt": (proc_net_snmp.KIND.name, 185),
    "gpud__netstat.2.txt": (proc_net_snmp.KIND.name, 190),
    "gpud__snmp.1.txt": (proc_net_snmp.KIND.name, 86),
    "insights-core__test_netstat__PROC_NETSTAT_2.txt": (proc_net_snmp.KIND.name, 131),
    "sandbox__nstat_a.txt": (nstat.KIND.name, 87),
    "insights-core__test_netstat__NETSTAT_S.txt": (netstat_statistics.KIND.name, 78),
}
NAMES = {kind.KIND.name for kind in (netstat_statistics, nstat, proc_net_snmp)}


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_they_claim_their_own_files_and_no_other(path: Path) -> None:
    told = of_file(path)
    claimed = NAMES & set(told.kinds) if told else set()
    assert claimed == ({CLAIMED[path.name][0]} if path.name in CLAIMED else set())
    if told and claimed:
        assert told.rows == {"counters": CLAIMED[path.name][1]}
        assert list(told.problems) == []


@pytest.mark.parametrize(
    ("file", "raw_name", "found"),
    [
        ("proc_net/gpud__snmp.1.txt", "TcpRetransSegs", "8 - 218765 retrans_pkts packets tx socket - - -"),
        ("proc_net/gpud__snmp.1.txt", "UdpRcvbufErrors", "10 - 10010 discard_pkts packets rx socket - - no_buffer"),
        ("proc_net/gpud__snmp.1.txt", "IpOutDiscards", "2 - 35022 discard_pkts packets tx host - - -"),
        ("proc_net/gpud__snmp.1.txt", "TcpMaxConn", "8 - -1 setting setting - socket - - -"),
        ("proc_net/gpud__snmp.1.txt", "TcpCurrEstab", "8 - 5284 connections connections - socket - - -"),
        (
            "ss_netstat/insights-core__test_netstat__PROC_NETSTAT_2.txt",
            "IpExtInOctets",
            "4 - 10468977960762 bytes bytes rx host - - -",
        ),
        (
            "ss_netstat/insights-core__test_netstat__PROC_NETSTAT_2.txt",
            "TcpExtTCPTimeouts",
            "2 - 1060065 ack_timeout events - socket - - -",
        ),
        ("proc_net/sandbox__nstat_a.txt", "TcpRetransSegs", "23 - 32858 retrans_pkts packets tx socket - - -"),
        ("proc_net/sandbox__nstat_a.txt", "IpOutNoRoutes", "5 - 12 discard_pkts packets tx host - - no_route"),
        (
            "ss_netstat/insights-core__test_netstat__NETSTAT_S.txt",
            "Tcp: segments retransmited",
            "38 - 428 retrans_pkts packets tx socket - - -",
        ),
        (
            "ss_netstat/insights-core__test_netstat__NETSTAT_S.txt",
            "TcpExtTCPSpuriousRTOs",
            "73 - 1 spurious_timeouts events - socket - - -",
        ),
        (
            "ss_netstat/insights-core__test_netstat__NETSTAT_S.txt",
            "IpExtInOctets",
            "85 - 865450302 bytes bytes rx host - - -",
        ),
        (
            "ss_netstat/insights-core__test_netstat__NETSTAT_S.txt",
            "TcpExt: Quick ack mode was activated",
            "53 - 9 - events - - - - -",
        ),
    ],
)
def test_real_values(corpus: Path, file: str, raw_name: str, found: str) -> None:
    assert readings(of_file(corpus / TEXT / file))[raw_name] == [found]


def test_the_three_say_the_same_by_our_names(corpus: Path) -> None:
    for file in ("proc_net/gpud__snmp.1.txt", "proc_net/sandbox__nstat_a.txt"):
        assert "retrans_pkts" in [row[0] for row in rows(of_file(corpus / TEXT / file), counters.TABLE, "name")]


@pytest.mark.parametrize(
    ("command", "reads"),
    [("nstat -a", "counter"), ("nstat -asz", "counter"), ("nstat", "delta"), ("nstat -z", "delta"), (None, "unknown")],
)
def test_only_the_command_tells_totals_from_differences(command: str | None, reads: str) -> None:
    text = "#kernel\nTcpRetransSegs                  32858              0.0\n"
    told = of_text(text if command is None else f"root@h12:~# {command}\n{text}")
    assert rows(told, counters.TABLE, "name", "value", "reads") == [("retrans_pkts", 32858.0, reads)]


def test_nstat_as_json() -> None:
    told = of_text('root@h12:~# nstat -a --json\n{"kernel":{"TcpRetransSegs":15,"TcpExtListenDrops":2}}\n')
    assert readings(told) == {
        "TcpRetransSegs": ["2 - 15 retrans_pkts packets tx socket - - -"],
        "TcpExtListenDrops": ["2 - 2 discard_pkts packets rx socket - - listen_queue"],
    }
    cut = of_text('{"kernel":{"TcpRetransSegs":15,"TcpExt')
    assert cut is not None
    assert (cut.rows, [problem["line"] for problem in cut.problems]) == ({}, [1])


def test_values_that_do_not_fit_their_names_are_a_problem_and_not_shifted() -> None:
    told = of_text("Tcp: RtoAlgorithm RetransSegs\nTcp: 1\nUdp: InDatagrams\nUdp: 7\n")
    assert rows(told, counters.TABLE, "raw_name", "value") == [("UdpInDatagrams", 7.0)]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [2]


def test_repeated_files_are_samples() -> None:
    told = of_text("Udp: InDatagrams\nUdp: 7\nUdp: InDatagrams\nUdp: 9\n")
    assert rows(told, counters.TABLE, "sample", "value") == [(1, 7.0), (2, 9.0)]


def test_a_sentence_without_a_number_is_a_problem() -> None:
    told = of_text("Tcp:\n    5 resets sent\n    6 segments received\n    7 segments sent out\n    nothing here\n")
    assert told is not None
    assert told.rows == {"counters": 3}
    assert [problem["line"] for problem in told.problems] == [5]


def test_sockets_themselves_are_not_claimed() -> None:
    assert of_text("Netid State  Recv-Q Send-Q Local Address:Port Peer Address:Port\nudp UNCONN 0 0 *:68 *:*\n") is None


def test_long_hostile_lines_cost_linear_time() -> None:
    text = "Tcp:\n    5 resets sent\n    6 a\n    7 b\n    " + "1 " * 200_000 + "\n" + " " * 300_000
    assert len(rows(of_text(text), counters.TABLE, "value")) == 3
    text = "#kernel\nTcpOutRsts 5 0.0\n" + "A" * 300_000 + "\n" + "A " * 200_000
    assert len(rows(of_text(text), counters.TABLE, "value")) == 1
