"""Where packets wait inside a host: queue disciplines, the backlog of each CPU, interrupts; and mlnx_perf."""

from pathlib import Path

import pytest

from badhop.sources.outputs.kinds.nic import interrupts, mlnx_perf, qdisc_statistics, softnet_stat
from badhop.tables import counters
from outputs.claimed import of_file, of_text, rows
from outputs.readings import readings

TEXT = "corpus/text/linux_net"
CLAIMED = {
    "insights-core__test_interrupts__INT_MULTI.txt": (interrupts.KIND.name, 37),
    "insights-core__test_softnet_stat__SOFTNET_STATS_DOC.txt": (softnet_stat.KIND.name, 35),
    "insights-core__test_softnet_stat__SOFTNET_STAT_3.txt": (softnet_stat.KIND.name, 35),
    "insights-core__test_softnet_stat__SOFTNET_STAT_5.txt": (softnet_stat.KIND.name, 6),
    "sandbox__tc_s_qdisc.txt": (qdisc_statistics.KIND.name, 14),
}
NAMES = {kind.KIND.name for kind in (interrupts, mlnx_perf, qdisc_statistics, softnet_stat)}
PERF = """\
root@h12:~# mlnx_perf -i ens1f0
Initializing mlnx_perf...
Sampling started.
-------------------
                    tx_packets: 1
                  rx_bytes_phy: 3,125,000,000 Bps      = 25,000 Mbps
               rx_prio3_pause: 12
-------------------
               rx_prio3_pause: 15
               rx_prio3_pa
"""


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_they_claim_their_own_files_and_no_other(path: Path) -> None:
    told = of_file(path)
    claimed = NAMES & set(told.kinds) if told else set()
    assert claimed == ({CLAIMED[path.name][0]} if path.name in CLAIMED else set())
    if told and claimed:
        assert told.rows == {"counters": CLAIMED[path.name][1]}
        assert list(told.problems) == []


def test_the_columns_of_softnet_stat(corpus: Path) -> None:
    found = readings(of_file(corpus / TEXT / "insights-core__test_softnet_stat__SOFTNET_STATS_DOC.txt"))
    assert found["softnet processed"][4] == "5 cpu4 27483293 packets packets rx host - - -"
    assert found["softnet dropped"][4] == "5 cpu4 187284 discard_pkts packets rx host - - no_buffer"
    assert found["softnet time_squeeze"][4] == "5 cpu4 1 cpu_budget_exhausted events rx host - - -"
    found = readings(of_file(corpus / TEXT / "insights-core__test_softnet_stat__SOFTNET_STAT_3.txt"))
    assert found["softnet backlog_len"][1] == "2 cpu1 220 occupancy_packets packets rx host - - -"
    found = readings(of_file(corpus / TEXT / "insights-core__test_softnet_stat__SOFTNET_STAT_5.txt"))
    assert found["softnet dropped"] == ["1 cpu0 254 discard_pkts packets rx host - - no_buffer"]
    assert "softnet backlog_len" not in found


def test_interrupts_of_all_cpus_together(corpus: Path) -> None:
    found = readings(of_file(corpus / TEXT / "insights-core__test_interrupts__INT_MULTI.txt"))["interrupts"]
    assert found[0] == "2 0 IR-IO-APIC 2-edge timer 37 interrupts events - host - - -"
    assert found[10].startswith("12 27 IR-PCI-MSI 512000-edge ahci[0000:00:1f.2] 691753 ")
    assert "35 ERR 0 interrupts events - host - - -" in found


def test_each_queue_discipline_counts_for_itself(corpus: Path) -> None:
    found = readings(of_file(corpus / TEXT / "sandbox__tc_s_qdisc.txt"))
    assert found["qdisc dropped"] == [
        "2 lo noqueue 0: 0 discard_pkts packets tx queue - - -",
        "5 va noqueue 0: 0 discard_pkts packets tx queue - - -",
    ]
    text = (
        "qdisc mq 0: dev eth0 root\n Sent 9 bytes 3 pkt (dropped 2, overlimits 0 requeues 1)\n"
        " backlog 3Kb 2p requeues 1\nqdisc fq_codel 0: dev eth0 parent :1 limit 10240p\n"
        " Sent 9 bytes 3 pkt (dropped 2, overlimits 0 requeues 1)\n backlog 0b 0p requeues 1\n"
        "  maxpacket 1514 drop_overlimit 0 new_flow_count 3 ecn_mark 5\n Sent 9 by\n"
    )
    told = of_text(text)
    found = readings(told)
    assert found["qdisc backlog bytes"][0] == "3 eth0 mq 0: 3072 occupancy_bytes bytes tx queue - - -"
    assert found["qdisc ecn_mark"] == ["7 eth0 fq_codel 0: 5 ecn_marked_pkts packets tx queue - - -"]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [8]


def test_mlnx_perf_prints_differences_which_are_never_differenced_again() -> None:
    told = of_text(PERF)
    assert rows(told, counters.TABLE, "line", "device", "sample", "raw_name", "value", "reads") == [
        (5, "ens1f0", 1, "tx_packets", 1.0, "delta"),
        (6, "ens1f0", 1, "rx_bytes_phy", 3125000000.0, "delta"),
        (7, "ens1f0", 1, "rx_prio3_pause", 12.0, "delta"),
        (9, "ens1f0", 2, "rx_prio3_pause", 15.0, "delta"),
    ]
    assert told is not None
    assert list(told.problems) == []


def test_lines_that_do_not_fit_are_problems() -> None:
    told = of_text("           CPU0       CPU1\n  0:  37  1  timer\n  1:  3\n")
    assert told is not None
    assert (told.rows, [problem["line"] for problem in told.problems]) == ({"counters": 1}, [3])
    line = " ".join(["00000001"] * 11)
    told = of_text(f"{line}\n" * 8 + "00000001 0000")
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [9]


def test_long_hostile_lines_cost_linear_time() -> None:
    told = of_text("           CPU0\n  0:  37  timer\n" + "CPU1 " * 100_000 + "x\n" + "a" * 300_000)
    assert len(rows(told, counters.TABLE, "value")) == 1
    told = of_text(PERF + "a" * 300_000 + "\n" + " " * 300_000 + "\n" + "a: 1 Bps" + " " * 300_000)
    assert len(rows(told, counters.TABLE, "value")) == 4
    told = of_text(
        "qdisc mq 0: dev a\n Sent 9 bytes 3 pkt (dropped 2, overlimits 0 requeues 1)\n" + "ecn_mark " * 100_000
    )
    assert len(rows(told, counters.TABLE, "value")) == 5
