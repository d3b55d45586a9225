"""Storage: rates and latencies of disks and mounts, and who waits for them."""

from pathlib import Path

import pytest

from badhop.tables import storage
from outputs.claimed import of_file, of_text, rows

TABLE = storage.TABLE
IOSTAT = """Linux 6.1.0 (h12) \t11/30/2025 \t_x86_64_\t(8 CPU)

Device            r/s     w/s     rMB/s     wMB/s r_await w_await aqu-sz  %util
nvme0n1         10.00    5.00      1.00      2.00    0.50   80.25   3.10  99.00
"""


def test_iostat_with_latencies(corpus: Path) -> None:
    told = of_file(corpus / "corpus/text/linux_perf/jc__centos-7.7__iostat-mx.out")
    columns = ("line", "device", "operation", "rate", "latency", "queued", "busy", "since_boot", "host")
    assert rows(told, TABLE, *columns)[:2] == [
        (7, "sda", "read", 0.13, 0.53, 0.0, 0.0001, None, None),
        (7, "sda", "write", 0.11, 1.29, 0.0, 0.0001, None, None),
    ]


def test_iostat_without_latencies(corpus: Path) -> None:
    told = of_file(corpus / "corpus/text/linux_perf/jc__centos-7.7__iostat-1.out")
    found = rows(told, TABLE, "line", "device", "operation", "throughput", "rate", "sample")
    assert found[:3] == [
        (7, "sda", "read", pytest.approx(5.24 * 1024), None, 1),
        (7, "sda", "write", pytest.approx(1.10 * 1024), None, 1),
        (7, "sda", None, None, 0.24, 1),
    ]
    assert found[-1][-1] == 3


def test_the_first_report_of_iostat_is_since_boot_unless_it_was_left_out() -> None:
    for command, first in (("iostat -x 1 2", True), ("iostat -xy 1 2", False)):
        told = of_text(
            f"root@h12:~# {command}\n{IOSTAT}\nDevice r/s w/s rMB/s wMB/s r_await w_await aqu-sz %util\n"
            "nvme0n1 1 1 1 1 1 1 1 1\n"
        )
        assert rows(told, TABLE, "host", "sample", "since_boot")[::2] == [("h12", 1, first), ("h12", 2, False)]


def test_a_row_of_iostat_that_is_cut_is_a_problem() -> None:
    told = of_text(IOSTAT + "nvme1n1         10.00    5.0")
    assert told is not None
    assert told.problems[0]["line"] == 5
    assert told.rows["storage"] == 2


def test_iostat_as_json() -> None:
    told = of_text(
        '{"sysstat": {"hosts": [{"nodename": "h12", "statistics": [{"disk": [{"disk_device": "nvme0n1", "r/s": 3.0, '
        '"w/s": 1.0, "rkB/s": 2.0, "wkB/s": 4.0, "r_await": 0.5, "w_await": 9.0, "aqu-sz": 0.1, "util": 12.0}]}]}]}}'
    )
    assert rows(told, TABLE, "host", "operation", "rate", "throughput", "latency", "busy") == [
        ("h12", "read", 3.0, 2048.0, 0.5, 0.12),
        ("h12", "write", 1.0, 4096.0, 9.0, 0.12),
    ]


def test_vmstat_tells_how_many_wait(corpus: Path) -> None:
    told = of_file(corpus / "corpus/text/linux_perf/jc__ubuntu-18.04__vmstat-1-long.out")
    found = rows(told, TABLE, "line", "sample", "queued", "stalled", "state")
    assert found[0] == (3, 1, 0.0, 0.0, "D")
    assert len(found) == 37


def test_the_mounts_of_nfs_with_their_queue_and_their_server() -> None:
    told = of_text(
        "device rootfs mounted on / with fstype rootfs\n"
        "device nas1:/data mounted on /data with fstype nfs4 statvers=1.1\n"
        "\topts:\trw,vers=4.2\n"
        "\tper-op statistics\n"
        "\t        NULL: 0 0 0 0 0 0 0 0\n"
        "\t        READ: 100 101 1 20000 409600 50 300 400 0\n"
        "\t       WRITE: 10 10 0 40960 2000 5000 100 5200\n"
    )
    columns = (
        "line",
        "device",
        "server",
        "operation",
        "operations",
        "bytes",
        "queue",
        "service",
        "latency",
        "timeouts",
    )
    assert rows(told, TABLE, *columns) == [
        (6, "/data", "nas1:/data", "read", 100, 409_600, 0.5, 3.0, 4.0, 1),
        (7, "/data", "nas1:/data", "write", 10, 40_960, 500.0, 10.0, 520.0, 0),
    ]
    assert rows(told, TABLE, "errors", "since_boot") == [(0, True), (None, True)]


def test_lustre_tells_bytes_calls_and_whether_a_target_is_reached() -> None:
    told = of_text(
        "llite.lustre-ffff.stats=\nsnapshot_time 1764504000.123 secs.nsecs\n"
        "read_bytes 100 samples [bytes] 4096 1048576 50000000\n"
        "open 5 samples [usecs] 10 2000 5000\n"
        "osc.lustre-OST0001-osc.import=\nimport:\n    name: x\n    target: lustre-OST0001_UUID\n    state: DISCONN\n"
    )
    assert rows(told, TABLE, "device", "operation", "operations", "bytes", "latency", "state") == [
        ("lustre-ffff", "read", 100, 50_000_000, None, None),
        ("lustre-ffff", "open", 5, None, 1.0, None),
        ("lustre-OST0001_UUID", None, None, None, None, "DISCONN"),
    ]


def test_pressure_is_that_of_io_only_where_something_says_so() -> None:
    text = "some avg10=12.50 avg60=1.36 avg300=0.87 total=24161196\nfull avg10=10.00 avg60=1.00 avg300=0.5 total=2\n"
    assert of_text(text) is None
    told = of_text("# cat /proc/pressure/io\n" + text)
    assert rows(told, TABLE, "operation", "stalled") == [("some", 0.125), ("full", 0.1)]
    assert of_text("# cat /proc/pressure/cpu\n" + text) is None


def test_processes_that_wait_for_storage() -> None:
    told = of_text(
        "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND\n"
        "root 1 0.0 0.0 1 1 ? Ss 10:00 0:01 /sbin/init splash\n"
        "u 4711 0.0 0.0 1 1 ? D+ 10:00 0:01 python3 train.py\n"
    )
    assert rows(told, TABLE, "line", "device", "state") == [(3, "python3", "D+")]
