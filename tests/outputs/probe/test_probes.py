"""Probes: real outputs of every tool, and what must not be made up of them."""

from datetime import timedelta
from pathlib import Path

import pytest

from badhop.tables import probes
from outputs.claimed import of_file, of_text, rows

TABLE = probes.TABLE
TEXT = "corpus/text"


def us(count: int) -> timedelta:
    return timedelta(microseconds=count)


@pytest.mark.parametrize(
    ("name", "replies", "summary"),
    [
        ("jc__centos-7.7__ping-ip-O-D.out", 20, (20, 20, 0.0, 0.041, 0.048, 0.081)),
        ("telegraf__ping_notwindows_test__raw6.txt", 3, (5, 3, 0.4, 35.225, 44.033, 51.806)),
        ("jc__alpine-linux-3.13__ping-ip.out", 1, (1, 1, 0.0, 1.637, 1.637, 1.637)),
        ("jc__freebsd12__ping6-ip-s.out", 3, (3, 3, 0.0, 0.036, 0.058, 0.088)),
        ("jc__osx-10.14.6__ping-hostname.out", 3, (3, 3, 0.0, 28.042, 34.67, 41.182)),
    ],
)
def test_ping_of_every_system(corpus: Path, name: str, replies: int, summary: tuple[float, ...]) -> None:
    told = of_file(corpus / TEXT / "ping" / name)
    assert told is not None
    assert told.kinds == ("ping",)
    parts = rows(told, TABLE, "part", "sent", "received", "loss", "rtt_min", "rtt", "rtt_max")
    assert sum(part[0] == "reply" for part in parts) == replies
    assert [part[1:] for part in parts if part[0] == "summary"] == [pytest.approx(summary)]


def test_the_stamps_of_ping_d_are_the_times_of_its_replies(corpus: Path) -> None:
    told = of_file(corpus / TEXT / "ping/jc__centos-7.7__ping-ip-O-D.out")
    first = rows(told, TABLE, "line", "ts_from", "sequence", "ttl", "rtt", "address")[0]
    assert first == (2, "line", 1, 64, 0.041, "127.0.0.1")
    assert told is not None
    assert told.frames["probes"]["ts"].dt.epoch("us")[0] == 1_595_037_214_261_953


def test_a_reply_that_never_came_is_a_row_without_round_trip() -> None:
    told = of_text(
        "PING h13 (10.0.1.13) 8972(9000) bytes of data.\n"
        "no answer yet for icmp_seq=1\n"
        "From 10.0.1.1 icmp_seq=2 Frag needed and DF set (mtu = 1500)\n"
        "From 10.0.1.1 (10.0.1.1) icmp_seq=3 Destination Host Unreachable\n"
        "Request timeout for icmp_seq 4\n"
        "\n--- h13 ping statistics ---\n4 packets transmitted, 0 received, +2 errors, 100% packet loss, time 3050ms\n"
    )
    found = rows(told, TABLE, "part", "sequence", "address", "mtu", "error", "rtt", "loss", "sent", "received")
    assert found == [
        ("no-reply", 1, None, None, None, None, None, None, None),
        ("no-reply", 2, "10.0.1.1", 1500, "Frag needed and DF set (mtu = 1500)", None, None, None, None),
        ("no-reply", 3, "10.0.1.1", None, "Destination Host Unreachable", None, None, None, None),
        ("no-reply", 4, None, None, None, None, None, None, None),
        ("summary", None, None, None, None, None, 1.0, 4, 0),
    ]


def test_a_hop_that_several_routers_answer_has_a_row_for_each(corpus: Path) -> None:
    told = of_file(corpus / TEXT / "traceroute/jc__freebsd12__traceroute.out")
    found = rows(told, TABLE, "ttl", "address", "sent", "received", "rtt_min", "target")
    assert found[0] == (1, "192.168.1.254", 3, 3, 3.263, "8.8.8.8")
    assert found[2] == (3, None, 3, 0, None, "8.8.8.8")
    assert [row[:4] for row in found if row[0] in (7, 8)] == [
        (7, "198.18.145.45", 1, 1),
        (7, "198.18.142.120", 2, 2),
        (8, "198.18.186.250", 3, 1),
    ]


def test_addresses_without_names_and_several_on_a_line(corpus: Path) -> None:
    told = of_file(corpus / TEXT / "traceroute/jc__generic__traceroute-n-ipv4.out")
    found = rows(told, TABLE, "ttl", "address", "rtt")
    assert [row for row in found if row[0] == 4] == [
        (4, "198.19.149.9", 23.072),
        (4, "198.19.175.146", 17.073),
        (4, "198.19.58.88", 23.308),
    ]


def test_the_flags_of_a_router_that_refuses() -> None:
    told = of_text("traceroute to h13 (10.0.1.13), 30 hops max\n 1  10.0.1.1  0.2 ms !H  0.3 ms !H  *\n")
    assert rows(told, TABLE, "address", "error", "sent", "received") == [("10.0.1.1", "!H !H", 3, 2)]


def test_tracepath_tells_the_mtu(corpus: Path) -> None:
    told = of_file(corpus / TEXT / "traceroute/jc__centos-7.7__tracepath6.out")
    assert rows(told, TABLE, "part", "ttl", "address", "rtt", "mtu") == [
        ("hop", 1, "dust.inr.ac.ru", 0.411, None),
        ("hop", 2, "dust.inr.ac.ru", 0.390, 1480),
        ("hop", 2, "3ffe:2400:0:109::2", 463.514, None),
        ("summary", 2, None, None, 1480),
    ]


def test_mtr_in_each_of_its_forms(corpus: Path) -> None:
    columns = ("target", "ttl", "address", "sent", "loss", "rtt", "rtt_min", "rtt_max", "rtt_deviation")
    report = of_file(corpus / TEXT / "mtr/sandbox__mtr_report.txt")
    assert rows(report, TABLE, *columns) == [(None, 1, "10.9.0.2", 10, 0.2, 0.1, 0.1, 0.1, 0.0)]
    assert rows(report, TABLE, "line", "ts_from") == [(3, "output")]
    xml = of_file(corpus / TEXT / "mtr/sandbox__mtr.xml")
    assert rows(xml, TABLE, *columns) == [("10.9.0.2", 1, "10.9.0.2", 5, 0.0, 0.1, 0.1, 0.1, 0.0)]
    for name in ("telegraf__mtr-utf-8.csv", "telegraf__mtr-utf-16be.csv"):
        csv = of_file(corpus / TEXT / "mtr" / name)
        found = rows(csv, TABLE, "target", "ttl", "sent", "loss", "rtt", "rtt_deviation")
        assert found[1] == ("example.org", 2, 10, 0.0, 25.11, 6.03)
    json = of_text(
        '{"report":{"mtr":{"src":"h12","dst":"10.0.0.9","tests":20},"hubs":[{"count":"1","host":"???","Loss%":100.0,'
        '"Snt":20,"Last":0.0,"Avg":0.0,"Best":0.0,"Wrst":0.0,"StDev":0.0},{"count":2,"host":"10.0.0.9","Loss%":5.0,'
        '"Snt":20,"Last":0.21,"Avg":0.24,"Best":0.18,"Wrst":0.61,"StDev":0.09}]}}'
    )
    assert rows(json, TABLE, *columns) == [
        ("10.0.0.9", 1, None, 20, 1.0, None, None, None, None),
        ("10.0.0.9", 2, "10.0.0.9", 20, 0.05, 0.24, 0.18, 0.61, 0.09),
    ]


def test_iperf3_as_json(corpus: Path) -> None:
    told = of_file(corpus / TEXT / "iperf3/sandbox__iperf3_tcp_lossy.json")
    found = rows(told, TABLE, "part", "direction", "bytes", "retransmits", "target", "address")
    assert found[0] == ("interval", None, 447_086_592, 6519, "10.9.0.2", "10.9.0.2")
    assert found[3:] == [
        ("summary", "send", 1_234_042_880, 19255, "10.9.0.2", "10.9.0.2"),
        ("summary", "receive", 1_233_649_664, None, "10.9.0.2", "10.9.0.2"),
    ]
    assert told is not None
    assert told.frames["probes"]["ts"].dt.epoch("ms").to_list()[:2] == [1_796_064_398_000, 1_796_064_399_000]


def test_iperf3_as_text_leaves_the_omitted_intervals_out(corpus: Path) -> None:
    (path,) = (corpus / TEXT / "iperf3").glob("*_05-35_bw_host*")
    found = rows(of_file(path), TABLE, "line", "part", "throughput", "retransmits", "direction")
    assert found[0] == (7, "interval", 52.4e6, 131, None)
    assert found[-2:] == [(19, "summary", 92.3e6, 141, "send"), (20, "summary", 92.7e6, None, "receive")]


def test_an_iperf3_that_failed_says_why() -> None:
    told = of_text('{"start":{"connected":[],"system_info":"Linux"},"error":"unable to connect"}')
    assert rows(told, TABLE, "part", "error", "throughput") == [("summary", "unable to connect", None)]


def test_nccl_tests_with_both_ways(corpus: Path) -> None:
    told = of_file(corpus / TEXT / "nccl_tests/gcm__test_check_nccl__sample_single_success_output.txt")
    found = rows(told, TABLE, "line", "part", "bytes", "direction", "seconds", "throughput", "busbw", "error")
    assert found[0] == (
        17,
        "size",
        33_554_432,
        "out-of-place",
        pytest.approx(344.8e-6),
        97.32 * 8e9,
        170.31 * 8e9,
        None,
    )
    assert found[1][3:5] == ("in-place", pytest.approx(349.5e-6))
    assert found[-1] == (24, "summary", None, None, None, None, 210.99 * 8e9, None)


def test_nccl_tests_of_an_older_form_from_a_terminal(corpus: Path) -> None:
    found = rows(
        of_file(corpus / TEXT / "nccl_tests/ml-engineering__README__block3.txt"), TABLE, "tool", "bytes", "busbw"
    )
    assert found[0] == ("all_reduce_perf", 32_768, 1.31 * 8e9)
    assert found[-1] == ("all_reduce_perf", 17_179_869_184, 234.89 * 8e9)


def test_wrong_elements_and_a_line_that_another_rank_wrote_into() -> None:
    told = of_text(
        "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
        "#  (B) (elements)             (us)  (GB/s)  (GB/s)     (us)  (GB/s)  (GB/s)\n"
        "    33554432 8388608 float sum -1 344.8 97.32 170.31 3 349.5 95.99 167.99 N/A\n"
        "    67108864     h12: warning\n"
    )
    assert rows(told, TABLE, "direction", "error") == [("out-of-place", "3 wrong elements"), ("in-place", None)]
    assert told is not None
    assert told.problems[0]["line"] == 4


def test_perftest_converts_both_of_its_units() -> None:
    bits = of_text(
        "                    RDMA_Write BW Test\n Dual-port       : OFF\n"
        " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
        " 65536      2931104          0.00               388.71\t\t   0.741402\n"
    )
    assert rows(bits, TABLE, "tool", "bytes", "operations", "peak", "throughput") == [
        ("ib_write_bw", 65536, 2_931_104, None, 388.71e9)
    ]
    mebi = of_text(
        "                    RDMA_Read BW Test\n"
        " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]\n"
        " 65536      1000          11000.00               10998.10\t\t   0.175970\n"
    )
    assert rows(mebi, TABLE, "tool", "throughput") == [("ib_read_bw", pytest.approx(10998.10 * 8 * 2**20))]


def test_the_latency_of_perftest_is_in_milliseconds_as_every_round_trip() -> None:
    told = of_text(
        "                    Send Latency Test\n"
        " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]\n"
        " 2       1000          1.02           7.44         1.05     \t       1.06        \t0.10\n"
    )
    assert rows(told, TABLE, "tool", "rtt_min", "rtt", "rtt_max") == [
        ("ib_send_lat", 0.00102, pytest.approx(0.00105), 0.00744)
    ]


def test_curl_in_each_of_its_forms(corpus: Path) -> None:
    columns = ("line", "dns", "connect", "tls", "wait", "total", "code", "error")
    text = of_file(corpus / TEXT / "curl/sandbox__curl_w_format.txt")
    assert rows(text, TABLE, *columns) == [
        (2, us(19), us(113), None, us(401), us(603), None, None),
        (11, us(8), None, None, us(1), us(1_707_109), None, None),
    ]
    refused = of_file(corpus / TEXT / "curl/sandbox__curl_w_json_refused.txt")
    error = "Failed to connect to 10.9.0.2 port 8001 after 0 ms: Couldn't connect to server"
    assert rows(refused, TABLE, *columns) == [(1, us(17), None, None, None, us(189), None, error)]
    ours = of_text(
        '{"dns":0.001,"tcp":0.003,"tls":0.010,"sent":0.011,"ttfb":0.511,"total":0.9,"code":200,"bytes":5,"ip":"::1"}'
    )
    assert rows(ours, TABLE, *columns) == [(1, us(1000), us(2000), us(7000), us(500_000), us(900_000), 200, None)]
