"""Kernel logs: every style of time stamp, every event that matters, and silence that is evidence, too."""

from datetime import timedelta
from pathlib import Path

import pytest

from badhop.sources.outputs.kinds.system.kernel_events import EVENTS, event_of
from badhop.sources.outputs.kinds.system.kernel_line import kernel_line
from badhop.tables import host_events
from outputs.claimed import of_file, of_text, rows

TABLE = host_events.TABLE
NOON = 1_764_504_000_000_000_000  # 2025-11-30T12:00:00Z


@pytest.mark.parametrize(
    ("line", "ts", "uptime", "level", "host"),
    [
        ("[  123.456789] msg", None, 123_456_789_000, None, None),
        ("[  123.456789][  T42] msg", None, 123_456_789_000, None, None),
        ("<4>[  123.456789] msg", None, 123_456_789_000, "warn", None),
        ("[Sun Nov 30 12:00:00 2025] msg", NOON, None, None, None),
        ("2025-11-30T12:00:00,000000+00:00 msg", NOON, None, None, None),
        ("kern  :warn  : 2025-11-30T12:00:00,000000+00:00 msg", NOON, None, "warn", None),
        ("kern  :err   : [  123.456789] msg", None, 123_456_789_000, "err", None),
        ("2025-11-30T13:00:00+0100 h12 kernel: msg", NOON, None, None, "h12"),
        ("6,3964,206764307,-;msg", None, 206_764_307_000, "info", None),
        ("kernel: [  123.456789] msg", None, 123_456_789_000, None, None),
        ("[Nov30 12:00] msg", None, None, None, None),
    ],
)
def test_what_stands_before_a_message(
    line: str, ts: int | None, uptime: int | None, level: str | None, host: str | None
) -> None:
    said = kernel_line(line)
    assert said.text == "msg"
    assert (said.at.ts if said.at else None, said.uptime, said.level, said.host) == (ts, uptime, level, host)


EXAMPLES = {
    "NVRM: Xid (PCI:0000:05:00): 79, pid=123, name=python3, GPU has fallen off the bus.": (
        "xid",
        {"device": "0000:05:00", "number": 79, "pid": 123, "process": "python3"},
    ),
    "nvidia-nvswitch3: SXid (PCI:0000:c4:00.0): 20034, Fatal, Link 30 LTSSM Fault Up": (
        "sxid",
        {"device": "0000:c4:00.0", "number": 20034},
    ),
    "mlx5_core 0000:3b:00.0 eth2: Link down": ("link-down", {"device": "eth2"}),
    "ixgbe 0000:01:00.0 eno1: NIC Link is Up 10 Gbps": ("link-up", {"device": "eno1"}),
    "mlx5_core 0000:3b:00.0: Port module event[error]: module 0, Cable error, Bus stuck (I2C or data shorted)": (
        "module-error",
        {"device": "0000:3b:00.0", "number": 0},
    ),
    "mlx5_core 0000:3b:00.0: poll_health:800:(pid 0): device's health compromised - reached miss count": (
        "nic-dead",
        {"device": "0000:3b:00.0"},
    ),
    "mlx5_core 0000:3b:00.0: wait_func:1146: ACCESS_REG(0x805) timeout. Will cause a leak of a command resource": (
        "nic-hang",
        {"device": "0000:3b:00.0"},
    ),
    "mlx5_core 0000:3b:00.0: Detected insufficient power on the PCIe slot (27W).": (
        "nic-power",
        {"device": "0000:3b:00.0"},
    ),
    "mlx5_core 0000:3b:00.0: 63.008 Gb/s available PCIe bandwidth, limited by 8.0 GT/s PCIe x8 link (capable "
    "of 252.048 Gb/s with 16.0 GT/s PCIe x16 link)": ("pcie-bandwidth", {"device": "0000:3b:00.0"}),
    "mlx5_core 0000:3b:00.0: PCIe Bus Error: severity=Correctable, type=Physical Layer, (Receiver ID)": (
        "aer",
        {"device": "0000:3b:00.0", "severity": "correctable"},
    ),
    "pcieport 0000:3a:00.0: PCIe Bus Error: severity=Uncorrectable (Fatal), type=Transaction Layer, (Requester ID)": (
        "aer",
        {"device": "0000:3a:00.0", "severity": "fatal"},
    ),
    "pcieport 0000:3a:00.0: PCIe Bus Error: severity=Uncorrected (Non-Fatal), type=Transaction Layer, (Receiver ID)": (
        "aer",
        {"device": "0000:3a:00.0", "severity": "non-fatal"},
    ),
    "INFO: task python3:4711 blocked for more than 122 seconds.": ("hung-task", {"process": "python3", "pid": 4711}),
    "watchdog: BUG: soft lockup - CPU#17 stuck for 22s! [kworker/17:1:99]": ("lockup", {"number": 17}),
    "nfs: server nas1 not responding, still trying": ("storage-stalled", {"device": "nas1"}),
    "nfs: server nas1 OK": ("storage-back", {"device": "nas1"}),
    "Lustre: 4711:0:(client.c:2295) lustre-OST0001: Connection to lustre-OST0001 (at 10.0.0.5) "
    "was lost; in progress operations using this service will wait": ("storage-stalled", {"device": "lustre-OST0001"}),
    "Out of memory: Killed process 4711 (python3) total-vm:9kB": ("oom", {"pid": 4711, "process": "python3"}),
    "NETDEV WATCHDOG: eth2 (mlx5_core): transmit queue 3 timed out": ("tx-timeout", {"device": "eth2", "number": 3}),
}


@pytest.mark.parametrize("message", EXAMPLES)
def test_messages_that_matter_are_events(message: str) -> None:
    found = event_of(message)
    assert found is not None
    event, values = EXAMPLES[message]
    assert found[0] == event
    assert {key: value for key, value in found[1].items() if key not in ("meaning", "action")} == values


@pytest.mark.parametrize(
    "message",
    [
        "mlx5_core 0000:3b:00.0: 252.048 Gb/s available PCIe bandwidth (16.0 GT/s PCIe x16 link)",
        "IPv6: ADDRCONF(NETDEV_UP): eth0: link is not ready",
        "docker0: port 1(veth9d4400a) entered disabled state",
        "nvidia-nvswitch2: open (major=510)",
        "EDAC MC: Ver: 3.0.0",
    ],
)
def test_messages_of_a_healthy_host_are_none(message: str) -> None:
    assert event_of(message) is None


def test_an_aer_bit_says_what_it_stands_for() -> None:
    event, values = event_of("mlx5_core 0000:3b:00.0:    [ 6] BadTLP                (First)") or ("", {})
    assert (event, values["number"], values["severity"]) == ("aer-bit", 6, "correctable")
    assert values["meaning"].startswith("bad TLP")


def test_an_xid_says_what_it_means_and_what_to_do_and_an_unknown_one_nothing() -> None:
    _, known = event_of("NVRM: Xid (PCI:0000:05:00): 79, GPU has fallen off the bus.") or ("", {})
    assert "fallen off the bus" in known["meaning"]
    assert "power-cycle" in known["action"]
    _, unknown = event_of("NVRM: Xid (PCI:0000:05:00): 999, something") or ("", {})
    assert "meaning" not in unknown


def test_every_event_is_in_the_words_of_its_column() -> None:
    doc = next(column.doc for column in TABLE.columns if column.name == "event")
    assert all(event.name in doc for event in EVENTS)


def test_real_logs(corpus: Path) -> None:
    folder = corpus / "corpus/text/dmesg"
    xids = rows(
        of_file(folder / "gpud__dmesg.decode.iso-3.log"), TABLE, "event", "device", "number", "level", "ts_from"
    )
    assert xids[0] == ("xid", "0000:38:00", 13, "warn", "line")
    assert len(rows(of_file(folder / "gpud__dmesg.decode.iso.log.0.txt"), TABLE, "event")) == 636
    disk = rows(of_file(folder / "gcm__test_check_syslogs__str.txt"), TABLE, "line", "event", "device", "uptime")
    assert disk[0] == (2, "storage-error", "nvme2n1", timedelta(seconds=470907, microseconds=282230))
    assert disk[3][1:3] == ("storage-error", "md127")
    carrier = rows(of_file(folder / "gcm__test_check_syslogs__str-2.txt"), TABLE, "host", "event", "device")
    assert carrier == [("at7tj000004", "carrier-lost", "eth0"), ("at7tj000004", "carrier-lost", "ib1")]
    panic = rows(of_file(folder / "gpud__pstore-dmesg.txt"), TABLE, "event", "device")
    assert panic == [("module-unplugged", "0000:41:00.1"), ("link-up", "enp65s0f0np0"), ("panic", None)]


@pytest.mark.parametrize("name", ["gpud__kmsg.1.log", "gpud__dmesg-time-format-short-iso.log"])
def test_a_log_without_any_such_event_is_still_a_kernel_log(corpus: Path, name: str) -> None:
    told = of_file(corpus / "corpus/text/dmesg" / name)
    assert told is not None
    assert (told.kinds, dict(told.rows)) == (("kernel log",), {})


def test_a_time_of_the_file_is_not_the_time_of_an_event() -> None:
    told = of_text("[  5.000000] mlx5_core 0000:3b:00.0 eth2: Link down\n", "h12/dmesg_2025-11-30T12-00-00.txt")
    assert rows(told, TABLE, "host", "ts", "ts_from") == [("h12", None, None)]


def test_the_journal_as_json() -> None:
    told = of_text(
        '{"__REALTIME_TIMESTAMP":"1764504000000000","_SOURCE_MONOTONIC_TIMESTAMP":"5000000","_HOSTNAME":"h12",'
        '"PRIORITY":"4","_TRANSPORT":"kernel","MESSAGE":"nfs: server nas1 not responding, still trying"}\n'
        '{"__REALTIME_TIMESTAMP":"1764504001000000","MESSAGE":[110,102,115,58,32,115,101,114,118,101,114,32,97,32,79,75]}\n'
        '{"__REALTIME_TIMESTAMP":"1764504002000000","MESSAGE":"cut of'
    )
    found = rows(told, TABLE, "line", "ts_from", "uptime", "host", "level", "event", "device")
    assert found == [
        (1, "line", timedelta(seconds=5), "h12", "warn", "storage-stalled", "nas1"),
        (2, "line", None, None, None, "storage-back", "a"),
    ]
    assert told is not None
    assert told.problems[0]["line"] == 3
