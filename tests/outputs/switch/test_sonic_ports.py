"""What SONiC says of its ports, of one port alone, of buffers, and what its databases hold."""

import json
from pathlib import Path

import pytest

from badhop.tables import counters, links, neighbours, qos
from outputs.claimed import of_text, rows
from outputs.switch.corpus_files import told

LINK = ("line", "device", "speed_bps", "lanes", "state", "admin", "fec", "fec_configured", "mtu", "media", "flaps")


@pytest.mark.parametrize(
    ("file", "kind", "how_many", "row"),
    [
        (
            "sonic_intf/multi_asic_intfutil_test__intf_status.txt",
            "show interfaces status",
            3,
            (3, "Ethernet0", 40 * 10**9, 4, "up", "up", None, None, 9100, "QSFP28 or later", None),
        ),
        (
            "sonic_intf/intfutil_test__show_interface_status_Ethernet32_output.txt",
            "show interfaces status",
            1,
            (3, "Ethernet32", 40 * 10**9, 4, "up", "up", None, "rs", 9100, None, None),
        ),
        (
            "sonic_intf/intfutil_test__show_interface_fec_status_output.txt",
            "show interfaces fec status",
            10,
            (12, "Ethernet124", None, None, None, None, "rs", "auto", None, None, None),
        ),
        (
            "sonic_intf/interfaces_test__intf_flap_expected_output_all_data.txt",
            "show interfaces flap",
            32,
            (7, "Ethernet16", None, None, "up", "up", None, None, None, None, 7),
        ),
        (
            "sonic_intf/multi_asic_intfutil_test__intf_description_asic0_all.txt",
            "show interfaces description",
            4,
            (5, "Ethernet-BP0", None, None, "up", "up", None, None, None, None, None),
        ),
        (
            "sonic_db/appl_db.json",
            "SONiC database",
            16,
            (31, "Ethernet0", None, 1, "down", "up", None, "rs", 9100, "CR4", 3),
        ),
    ],
)
def test_links_are_those_of_the_file(
    corpus: Path, file: str, kind: str, how_many: int, row: tuple[object, ...]
) -> None:
    read = told(corpus, file)
    assert read.kinds == (kind,)
    found = rows(read, links.TABLE, *LINK)
    assert len(found) == how_many
    assert row in found


def test_a_port_that_never_changed_has_no_time_and_no_count(corpus: Path) -> None:
    read = told(corpus, "sonic_intf/interfaces_test__intf_flap_expected_output_with_data_concise.txt")
    assert rows(read, links.TABLE, "device", "state", "flaps", "last_change") == [("Ethernet4", None, None, None)]


def test_the_last_change_is_the_later_of_up_and_down(corpus: Path) -> None:
    read = told(corpus, "sonic_intf/interfaces_test__intf_flap_expected_output_all_data.txt")
    when = {device: str(ts) for device, ts in rows(read, links.TABLE, "device", "last_change") if ts}
    assert when["Ethernet0"] == "2025-01-18 00:08:42"
    assert when["Ethernet36"] == "2025-01-20 00:04:42"


def test_a_database_has_the_speed_of_ports_that_are_up(corpus: Path) -> None:
    read = told(corpus, "sonic_db/appl_db.json")
    speeds = dict(rows(read, links.TABLE, "device", "speed_bps"))
    assert speeds["Ethernet112"] == 100 * 10**9
    assert speeds["Ethernet200"] is None
    assert ("Ethernet112", "pfc_asymmetric", "off") in rows(read, qos.TABLE, "device", "setting", "value")


def test_expected_neighbours_are_configured_and_not_heard(corpus: Path) -> None:
    read = told(corpus, "sonic_intf/interfaces_test__show_interfaces_neighbor_expected_output.txt")
    columns = ("line", "device", "protocol", "system_name", "port_id", "management_address")
    assert rows(read, neighbours.TABLE, *columns)[0] == (
        3,
        "Ethernet112",
        "configured",
        "ARISTA01T1",
        "Ethernet1",
        "10.250.0.51",
    )


def test_lldp_neighbours_are_heard(corpus: Path) -> None:
    read = told(corpus, "lldp/lldp_test__expected_2MACs_Ethernet0_output.txt")
    assert read.kinds == ("show lldp table",)
    assert rows(read, neighbours.TABLE, "line", "device", "protocol", "system_name", "port_id", "port_description") == [
        (4, "Ethernet0", "lldp", "dummy", "00:00:00:00:00:01", "First MAC"),
        (5, "Ethernet0", "lldp", "dummy", "00:00:00:00:00:02", "Second MAC"),
    ]


COUNTED = ("line", "device", "queue", "direction", "name", "raw_name", "value")


@pytest.mark.parametrize(
    ("file", "kind", "how_many", "row"),
    [
        (
            "sonic_intf/interfaces_test__intf_errors_Ethernet16.txt",
            "show interfaces counters errors",
            14,
            (10, "Ethernet16", None, "rx", "high_ber_events", "high ber error", 0.0),
        ),
        (
            "sonic_portstat/portstat_test__intf_fec_counters_fec_hist.txt",
            "show interfaces counters fec-histogram",
            16,
            (10, None, None, "rx", "fec_codewords_by_symbol_errors", "BIN7", 300000.0),
        ),
        (
            "sonic_intf/intfstat_test__show_interfaces_counters_rif_clear_single_intf.txt",
            "show interfaces counters rif PORT",
            8,
            (12, "Ethernet20", None, "tx", "error_pkts", "TX error packets", 0.0),
        ),
        (
            "sonic_intf/intfstat_test__show_interfaces_counters_rif_period_single_intf.txt",
            "show interfaces counters rif PORT",
            8,
            (6, "Ethernet20", None, "rx", "packets_in_period", "RX packets in 3 s", 0.0),
        ),
        (
            "sonic_queue/queue_counter_test__show_queue_voq_counters_json.txt",
            "SONiC counters as JSON",
            120,
            (2, "testsw|Ethernet0", 1, "tx", "discard_pkts", "VOQ1 droppacket", 39.0),
        ),
        (
            "sonic_queue/wred_queue_counter_test__show_queue_counters_port_json_nz.txt",
            "SONiC counters as JSON",
            76,
            (2, "Ethernet8", 10, "tx", "ecn_marked_pkts", "MC10 ecnmarkedpacket", 76.0),
        ),
        (
            "sonic_portstat/assert_show_output__trim_counters_all_json.txt",
            "SONiC counters as JSON",
            9,
            (8, "Ethernet4", None, "tx", "trimmed_pkts", "TRIM_PKTS", 20000.0),
        ),
        (
            "sonic_pg/wm_test_vectors__show_queue_wm_all_output_json.txt",
            "SONiC counters as JSON",
            30,
            (
                16,
                "Ethernet4",
                23,
                "tx",
                "occupancy_hwm_bytes",
                "Egress shared pool occupancy per all queues ALL23",
                1986.0,
            ),
        ),
        (
            "sonic_pg/wm_test_vectors__show_pg_persistent_wm_shared_output_json.txt",
            "SONiC counters as JSON",
            24,
            (3, "Ethernet0", None, None, None, "PG3", 203.0),
        ),
    ],
)
def test_counters_are_those_of_the_file(
    corpus: Path, file: str, kind: str, how_many: int, row: tuple[object, ...]
) -> None:
    read = told(corpus, file)
    assert read.kinds == (kind,)
    found = rows(read, counters.TABLE, *COUNTED)
    assert len(found) == how_many
    assert row in found


def test_the_command_tells_what_a_number_of_a_priority_group_is_of() -> None:
    text = 'admin@leaf4:~$ show priority-group watermark headroom --json\n[{"Port": "Ethernet0",\n"PG3": "12"}]\n'
    read = of_text(text)
    assert rows(read, counters.TABLE, "host", "queue", "name", "value") == [("leaf4", 3, "headroom_hwm_bytes", 12.0)]


def test_a_counters_database_names_ports_and_queues() -> None:
    database = {
        "COUNTERS_PORT_NAME_MAP": {"type": "hash", "value": {"Ethernet0": "oid:0x10"}},
        "COUNTERS_QUEUE_NAME_MAP": {"type": "hash", "value": {"Ethernet0:3": "oid:0x15"}},
        "COUNTERS:oid:0x10": {"type": "hash", "value": {"SAI_PORT_STAT_PFC_3_RX_PKTS": "7", "SAI_PORT_STAT_NEW": "1"}},
        "COUNTERS:oid:0x15": {"type": "hash", "value": {"SAI_QUEUE_STAT_DROPPED_PACKETS": "9"}},
        "COUNTERS:oid:0x99": {"type": "hash", "value": {"SAI_QUEUE_STAT_PACKETS": "1"}},
    }
    read = of_text(json.dumps(database, indent=1))
    assert rows(read, counters.TABLE, "device", "priority", "queue", "name", "value") == [
        ("Ethernet0", 3, None, "pause_frames", 7.0),
        ("Ethernet0", None, None, None, 1.0),
        ("Ethernet0", None, 3, "discard_pkts", 9.0),
        ("oid:0x99", None, None, "packets", 1.0),
    ]


SETTING = ("line", "device", "profile", "setting", "raw_name", "value", "amount", "unit")


@pytest.mark.parametrize(
    ("file", "how_many", "row"),
    [
        (
            "sonic_mmu/buffer_test_vectors__show_buffer_information_output.txt",
            20,
            (41, None, "headroom_profile", "xoff", "xoff", "32768", 32768.0, "bytes"),
        ),
        (
            "sonic_mmu/mmuconfig_test_vectors__show_mmu_config_asic0.txt",
            11,
            (23, "asic0", "ingress_lossless_profile_hbm", "buffer_limit", "static_th", "12121212", 12121212.0, "bytes"),
        ),
        (
            "sonic_ecn/ecn_test_vectors__ecn_show_config_output_multi.txt",
            17,
            (8, None, "AZURE_LOSSLESS", "ecn_max", "green_max_threshold", "2097152", 2097152.0, "bytes"),
        ),
    ],
)
def test_buffers_and_thresholds_are_those_of_the_file(
    corpus: Path, file: str, how_many: int, row: tuple[object, ...]
) -> None:
    found = rows(told(corpus, file), qos.TABLE, *SETTING)
    assert len(found) == how_many
    assert row in found


def test_cut_json_is_a_problem_and_no_row() -> None:
    read = of_text('{\n "Ethernet0": {\n  "UC0": {"droppacket": "1"')
    assert read is not None
    assert not read.frames
    assert "that is cut or broken" in read.problems[0]["what"]


def test_detailed_counters_are_of_the_port_that_the_command_names() -> None:
    text = (
        "admin@leaf4:~$ show interfaces counters detailed Ethernet8\n"
        "Packets Received 64 Octets..................... N/A\n"
        "Packets Received 65-127 Octets................. 1,024\n\n"
        "Time Since Counters Last Cleared............... None\n"
    )
    assert rows(of_text(text), counters.TABLE, "host", "device", "raw_name", "value") == [
        ("leaf4", "Ethernet8", "Packets Received 64 Octets", None),
        ("leaf4", "Ethernet8", "Packets Received 65-127 Octets", 1024.0),
    ]
