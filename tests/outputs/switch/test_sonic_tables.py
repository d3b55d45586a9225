"""What SONiC prints as tables: values from real files, and what pasting, clearing and cutting do to them."""

from pathlib import Path

import pytest

from badhop.tables import counters, links, qos
from outputs.claimed import of_text, rows
from outputs.switch.corpus_files import told

COUNTED = ("line", "device", "priority", "queue", "direction", "name", "raw_name", "value", "unit")


@pytest.mark.parametrize(
    ("file", "kind", "how_many", "row"),
    [
        (
            "sonic_pfc/pfcstat_test__show_pfc_counters_all-2.txt",
            "show pfc counters",
            96,
            (3, "Ethernet0", 0, None, "rx", "pause_frames", "Port Rx PFC0", 1200.0, "frames"),
        ),
        (
            "sonic_pfc/pfcstat_test__show_pfc_counters_all_asic.txt",
            "show pfc counters",
            64,
            (13, "Ethernet-BP4", 7, None, "tx", "pause_frames", "Port Tx PFC7", 817.0, "frames"),
        ),
        (
            "sonic_pfc/assert_show_output__show_pfc_counters_history_all.txt",
            "show pfc counters --history",
            176,
            (
                15,
                "Ethernet4",
                3,
                None,
                "rx",
                "pause_duration_us_estimated",
                "PFC3 Total RX Pause Time US",
                40000003.0,
                "us",
            ),
        ),
        (
            "sonic_pfcwd/pfcwd_test_vectors__pfcwd_show_stats_output.txt",
            "show pfcwd stats",
            30,
            (5, "Ethernet8", None, 4, "rx", "pfcwd_detected", "queue 4 STORM DETECTED", 3.0, "events"),
        ),
        (
            "sonic_pfcwd/pfcwd_test_vectors__show_pfcwd_stats_with_queues.txt",
            "show pfcwd stats",
            40,
            (6, "Ethernet-BP260", None, 10, "rx", "pfcwd_discard_pkts", "queue 10 RX DROP", 26.0, "packets"),
        ),
        (
            "sonic_pg/pgdropstat_test__show_pg_dropped_packet_stat.txt",
            "show priority-group",
            24,
            (5, "Ethernet4", None, 3, "rx", "discard_pkts", "Ingress PG dropped packets PG3", 403.0, "packets"),
        ),
        (
            "sonic_pg/wm_test_vectors__show_pg_persistent_wm_hdrm_output_all_masic.txt",
            "show priority-group",
            96,
            (
                11,
                "Ethernet-BP256",
                None,
                15,
                "rx",
                "headroom_hwm_bytes",
                "Ingress headroom per PG PG15",
                507.0,
                "bytes",
            ),
        ),
        (
            "sonic_pg/wm_test_vectors__show_pg_wm_shared_output_one_masic.txt",
            "show priority-group",
            64,
            (
                5,
                "Ethernet4",
                None,
                0,
                "rx",
                "occupancy_hwm_bytes",
                "Ingress shared pool occupancy per PG PG0",
                200.0,
                "bytes",
            ),
        ),
        (
            "sonic_pg/wm_test_vectors__show_queue_wm_multicast_output.txt",
            "show queue watermark",
            30,
            (
                4,
                "Ethernet0",
                None,
                10,
                "tx",
                "occupancy_hwm_bytes",
                "Egress shared pool occupancy per multicast queue MC10",
                None,
                "bytes",
            ),
        ),
        (
            "sonic_pg/wm_test_vectors__show_queue_wm_all_output.txt",
            "show queue watermark",
            30,
            (
                4,
                "Ethernet0",
                None,
                21,
                "tx",
                "occupancy_hwm_bytes",
                "Egress shared pool occupancy per all queues ALL21",
                7654321.0,
                "bytes",
            ),
        ),
        (
            "sonic_pg/wm_test_vectors__show_hdrm_pool_wm_output_one_masic.txt",
            "show buffer_pool watermark",
            1,
            (
                4,
                "asic1",
                None,
                None,
                "rx",
                "headroom_hwm_bytes",
                "Headroom pool maximum occupancy ingress_lossless_pool",
                432640.0,
                "bytes",
            ),
        ),
        (
            "sonic_queue/queue_counter_test__show_queue_counters.txt",
            "show queue counters",
            360,
            (7, "Ethernet0", None, 3, "tx", "discard_pkts", "UC3 Drop/pkts", 19.0, "packets"),
        ),
        (
            "sonic_queue/queue_counter_test__show_queue_port_voq_counters.txt",
            "show queue counters --voq",
            40,
            (
                6,
                "testsw|Ethernet0",
                None,
                2,
                "tx",
                "credit_watchdog_discard_pkts",
                "VOQ2 Credit-WD-Del/pkts",
                19.0,
                "packets",
            ),
        ),
        (
            "sonic_queue/wred_queue_counter_test__show_wred_queue_counters.txt",
            "show queue counters",
            360,
            (4, "Ethernet0", None, 1, "tx", "ecn_marked_pkts", "UC1 EcnMarked/pkts", 39.0, "packets"),
        ),
        (
            "sonic_queue/wred_queue_counter_test__show_wred_queue_counters_summary.txt",
            "show queue counters",
            120,
            (3, None, None, 0, "tx", "wred_discard_pkts", "UC0 WredDrp/pkts", 41.0, "packets"),
        ),
        (
            "sonic_queue/assert_show_output__trim_counters_all.txt",
            "show queue counters",
            270,
            (5, "Ethernet0", None, 1, "tx", "trimmed_pkts", "UC1 Trim/pkts", 100.0, "packets"),
        ),
        (
            "sonic_portstat/portstat_test__intf_counters_all.txt",
            "show interfaces counters",
            68,
            (3, "Ethernet0", None, None, "rx", "bytes_per_second", "RX_BPS", 2e9, "bytes/s"),
        ),
        (
            "sonic_portstat/portstat_test__intf_counters_on_sup_na.txt",
            "show interfaces counters",
            48,
            (5, "Ethernet11/1", None, None, "rx", "packets", "RX_OK", None, "packets"),
        ),
        (
            "sonic_portstat/portstat_test__intf_fec_counters_period.txt",
            "show interfaces counters fec-stats",
            36,
            (4, "Ethernet0", None, None, "rx", "frame_loss_ratio_predicted", "FLR(P) (Accuracy)", 7.81e-10, "ratio"),
        ),
        (
            "sonic_intf/intfstat_test__show_interfaces_counters_rif_output_verbose.txt",
            "show interfaces counters rif",
            48,
            (5, "PortChannel0001", None, None, "rx", "bytes_per_second", "RX_BPS", 608990.0, "bytes/s"),
        ),
        (
            "sonic_drops/drops_group_test__expected_counts.txt",
            "show dropcounters counts",
            20,
            (4, "Ethernet4", None, None, "rx", "discard_pkts", "RX_DROPS", 1000.0, "packets"),
        ),
    ],
)
def test_counters_are_those_of_the_file(
    corpus: Path, file: str, kind: str, how_many: int, row: tuple[object, ...]
) -> None:
    read = told(corpus, file)
    assert read.kinds == (kind,)
    counted = rows(read, counters.TABLE, *COUNTED)
    assert len(counted) == how_many
    assert row in counted


def test_a_drop_counter_of_the_whole_switch_is_of_the_switch(corpus: Path) -> None:
    read = told(corpus, "sonic_drops/multi_asic_dropstat_test__dropstat_masic_result_clear_all.txt")
    whole = rows(read, counters.TABLE, "line", "host", "device", "raw_name", "value", "name")
    assert (10, "sonic_drops_test", None, "SWITCH_DROPS", 0.0, None) in whole
    assert (18, "sonic_drops_test", None, "DEBUG_1", 0.0, None) in whole
    assert "4 counter names are not in the vocabulary" in read.problems[-1]["what"]


def test_the_state_of_a_port_is_its_letter(corpus: Path) -> None:
    read = told(corpus, "sonic_portstat/portstat_test__intf_counters_all.txt")
    assert rows(read, links.TABLE, "line", "device", "state", "admin") == [(3, "Ethernet0", "down", "up")]


@pytest.mark.parametrize(
    ("file", "how_many", "row"),
    [
        (
            "sonic_pfc/assert_show_output__pfc_config_priority_on.txt",
            3,
            (3, "Ethernet0", 5, None, "pfc", "Lossless priorities", "on", None, None),
        ),
        (
            "sonic_pfc/pfc_test_vectors__show_prio_intf_all_masic.txt",
            4,
            (9, "Ethernet0", 4, None, "pfc", "Lossless priorities", "on", None, None),
        ),
        (
            "sonic_pfc/pfc_test_vectors__show_asym_all_masic.txt",
            9,
            (16, "Ethernet-BP260", None, None, "pfc_asymmetric", "Asymmetric", "off", None, None),
        ),
        (
            "sonic_pfcwd/pfcwd_test_vectors__pfcwd_show_start_history_output.txt",
            12,
            (4, "Ethernet0", None, None, "pfcwd_restoration", "RESTORATION TIME", "601", 601.0, "ms"),
        ),
        (
            "sonic_pfcwd/pfcwd_test_vectors__show_pfc_config_start_action_alert_masic.txt",
            24,
            (12, "Ethernet-BP260", None, None, "pfcwd_action", "ACTION", "drop", None, None),
        ),
        (
            "sonic_pfcwd/pfcwd_test_vectors__pfcwd_show_stats_output.txt",
            3,
            (3, "Ethernet0", None, 3, "pfcwd_status", "STATUS", "stormed", None, None),
        ),
    ],
)
def test_settings_are_those_of_the_file(corpus: Path, file: str, how_many: int, row: tuple[object, ...]) -> None:
    columns = ("line", "device", "priority", "queue", "setting", "raw_name", "value", "amount", "unit")
    settings = rows(told(corpus, file), qos.TABLE, *columns)
    assert len(settings) == how_many
    assert row in settings


def test_an_empty_table_is_recognised_and_has_no_rows(corpus: Path) -> None:
    read = told(corpus, "sonic_pfcwd/pfcwd_test_vectors__pfcwd_show_stats_invalid_queue_output.txt")
    assert (read.kinds, dict(read.rows)) == (("show pfcwd stats",), {})


PFC = """\
  Port Rx    PFC0    PFC3
---------  ------  ------
Ethernet0       0   {first}
Ethernet4     N/A      12
"""


def test_what_was_counted_in_a_period_is_no_total(corpus: Path) -> None:
    read = told(corpus, "sonic_portstat/portstat_test__intf_counters_period.txt")
    names = {name for (name,) in rows(read, counters.TABLE, "name")}
    assert "packets_in_period" in names
    assert "packets" not in names
    assert "bytes_per_second" in names


def test_pasted_commands_are_told_apart_and_name_the_switch() -> None:
    text = (
        "admin@leaf4:~$ date\nMon 30 Nov 2026 12:00:00 PM UTC\nadmin@leaf4:~$ show pfc counters\n"
        + PFC.format(first="1,000")
        + "\nadmin@leaf4:~$ date\nMon 30 Nov 2026 12:00:10 PM UTC\nadmin@leaf4:~$ show pfc counters\n"
        + PFC.format(first="2,000")
    )
    read = of_text(text)
    found = rows(read, counters.TABLE, "host", "device", "priority", "value", "ts_from")
    assert found[1] == ("leaf4", "Ethernet0", 3, 1000.0, "date")
    assert found[2] == ("leaf4", "Ethernet4", 0, None, "date")
    assert found[5] == ("leaf4", "Ethernet0", 3, 2000.0, "date")


def test_readings_one_after_another_are_samples() -> None:
    read = of_text(PFC.format(first="1,000") + "\n" + PFC.format(first="2,000"))
    got = rows(read, counters.TABLE, "sample", "device", "priority", "value")
    assert (1, "Ethernet0", 3, 1000.0) in got
    assert (2, "Ethernet0", 3, 2000.0) in got


def test_counts_since_the_users_own_clear_are_told_as_such() -> None:
    read = of_text("Last cached time was 2026-11-30T11:00:00.123456\n" + PFC.format(first="1,000"))
    assert read is not None
    assert read.problems[0]["line"] == 1
    assert "clear at 2026-11-30T11:00:00.123456" in read.problems[0]["what"]


def test_dos_line_ends_and_colours_change_nothing() -> None:
    plain = PFC.format(first="1,000")
    odd = "".join(f"\x1b[32m{line}\x1b[0m\r\n" for line in plain.splitlines())
    assert rows(of_text(odd), counters.TABLE, "device", "priority", "value") == rows(
        of_text(plain), counters.TABLE, "device", "priority", "value"
    )


def test_a_cut_table_invents_no_number() -> None:
    whole = PFC.format(first="1,234")
    right = set(rows(of_text(whole), counters.TABLE, "device", "priority", "value"))
    for length in range(len(whole)):
        got = rows(of_text(whole[:length]), counters.TABLE, "device", "priority", "value")
        assert {row for row in got if row[2] is not None} <= right, length


def test_a_value_that_is_no_number_is_a_problem_and_a_null() -> None:
    read = of_text(PFC.format(first="1,0x0"))
    assert read is not None
    assert ("Ethernet0", 3, None) in rows(read, counters.TABLE, "device", "priority", "value")
    assert any(problem["line"] == 3 for problem in read.problems)
