"""Optics of EOS and NX-OS, NX-API and gNMI: real files, and samples of what the corpus has no file of."""

import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.tables import counters, links
from outputs.claimed import of_text, rows
from outputs.switch.corpus_files import told

LIGHT = ("line", "device", "lane", "media", "temperature_c", "rx_power_dbm", "tx_power_dbm", "bias_ma")


@pytest.mark.parametrize(
    ("file", "how_many", "row"),
    [
        (
            "switch_eos/arista_eos_show_interfaces_transceiver_detail.txt",
            9,
            (9, "Et6/1", None, None, 27.48, -0.9, -2.39, None),
        ),
        (
            "switch_nxos/ShowInterfaceTransceiverDetails__golden_output_1_output.txt",
            1,
            (1, "Ethernet1/1", None, "QSFP-DD-400G-COPPER", None, None, None, None),
        ),
        (
            "switch_nxos/ShowInterfaceTransceiverDetails__golden_output_3_output.txt",
            13,
            (187, "Ethernet1/50", 1, "QSFP-100G-PSM4", 16.58, -13.97, None, 47.25),
        ),
        (
            "switch_nxos/cisco_nxos_show_interface_transceiver.txt",
            6,
            (46, "Ethernet1/43", None, "10Gbase-LR", None, None, None, None),
        ),
        (
            "switch_nxos/cisco_nxos_show_interface_transceiver3.txt",
            56,
            (66, "Ethernet1/6", None, "SFP-H10GB-CU1M", None, None, None, None),
        ),
        (
            "switch_nxos/cisco_nxos_show_interface_transceiver5.txt",
            5,
            (16, "Ethernet1/7", 1, "Fabric Extender Transceiver", 25.62, -2.55, -2.26, 6.312),
        ),
        (
            "switch_nxos/cisco_nxos_show_interface_transceiver_details.txt",
            6,
            (113, "Ethernet4/1", None, "CFP-100G-LR4", 40.44, None, None, None),
        ),
        (
            "switch_nxos/cisco_nxos_show_interface_transceiver_no-blank-lines.txt",
            3,
            (3, "Ethernet3/2", None, "1000base-SX", None, None, None, None),
        ),
    ],
)
def test_optics_are_those_of_the_file(corpus: Path, file: str, how_many: int, row: tuple[object, ...]) -> None:
    found = rows(told(corpus, file), links.TABLE, *LIGHT)
    assert len(found) == how_many
    assert row in found


EOS = """\
If device is externally calibrated, only calibrated values are printed.
N/A: not applicable, Tx: transmit, Rx: receive.
mA: milliamperes, dBm: decibels (milliwatts).
                              Bias      Optical   Optical
          Temp       Voltage  Current   Tx Power  Rx Power
Port      (Celsius)  (Volts)  (mA)      (dBm)     (dBm)     Last Update
-----     ---------  -------  --------  --------  --------  -------------------
Et1       34.17      3.30     6.75      -2.41     -2.83     0:00:01 ago
Et2       N/A        N/A      N/A       N/A       N/A       N/A
"""


def test_the_table_of_all_optics_of_eos_tells_sent_from_received_light() -> None:
    assert rows(of_text(EOS), links.TABLE, *LIGHT) == [(8, "Et1", None, None, 34.17, -2.83, -2.41, 6.75)]


def test_one_row_and_several_rows_of_nx_api_are_read_alike() -> None:
    one = {"if_name_str": "Ethernet1/1", "rx-stats": "12", "tx-stats": "0"}
    other = {"if_name_str": "Ethernet1/2", "rx-stats": "N/A", "tx-stats": "7"}
    for inner, how_many in ((one, 2), ([one, other], 4)):
        table = {"TABLE_module": {"ROW_module": {"TABLE_pfc_interface": {"ROW_pfc_interface": inner}}}}
        found = rows(of_text(json.dumps(table)), counters.TABLE, "device", "direction", "name", "value")
        assert len(found) == how_many
        assert found[0] == ("Ethernet1/1", "rx", "pfc_frames", 12.0)
        assert how_many == 2 or found[2] == ("Ethernet1/2", "rx", "pfc_frames", None)


@pytest.mark.parametrize(
    ("file", "how_many", "row"),
    [
        (
            "switch_telemetry/telegraf__gnmi__issue_16476.json",
            33,
            ("2025-02-10 16:56:27.847", None, "rx", "packets_by_size", 15680405047.0),
        ),
        (
            "switch_telemetry/telegraf__gnmi__issue_14063.json",
            33,
            ("2023-10-06 18:41:35.101", None, "rx", "packets_by_size", 0.0),
        ),
    ],
)
def test_counters_of_gnmi_are_those_of_the_file(
    corpus: Path, file: str, how_many: int, row: tuple[object, ...]
) -> None:
    read = told(corpus, file)
    assert read.kinds == ("gNMI notifications",)
    found = rows(read, counters.TABLE, "ts", "device", "direction", "name", "value")
    assert len(found) == how_many
    assert row in [(str(one[0])[:23].removesuffix("000"), *one[1:]) for one in found]


def test_states_of_gnmi_are_those_of_the_file(corpus: Path) -> None:
    read = told(corpus, "switch_telemetry/telegraf__gnmi__issue_17412.json")
    assert rows(read, links.TABLE, "device", "state", "ts_from") == [("Eth-Trunk5.1234", "down", "output")]
    assert told(corpus, "switch_telemetry/telegraf__gnmi__tagging_name_based.json").rows["links"] == 5


@pytest.mark.parametrize("number", [11011, 12831, 13052, 14833, 15046, 17154])
def test_notifications_of_other_things_have_no_counters(corpus: Path, number: int) -> None:
    read = told(corpus, f"switch_telemetry/telegraf__gnmi__issue_{number}.json")
    assert (read.kinds, dict(read.rows)) == (("gNMI notifications",), {})


def test_values_in_json_and_queues_of_gnmi_are_read() -> None:
    value = base64.b64encode(json.dumps({"in-octets": "12", "in-fcs-errors": 3}).encode()).decode()
    port = [{"name": "interfaces"}, {"name": "interface", "key": {"name": "Ethernet1"}}]
    queue = [
        {"name": "qos"},
        {"name": "interfaces"},
        {"name": "interface", "key": {"interface-id": "Ethernet1"}},
        {"name": "output"},
        {"name": "queues"},
        {"name": "queue", "key": {"name": "UC3"}},
        {"name": "state"},
        {"name": "dropped-pkts"},
    ]
    update = [
        {"path": {"elem": [*port, {"name": "state"}, {"name": "counters"}]}, "val": {"jsonIetfVal": value}},
        {"path": {"elem": queue}, "val": {"uintVal": "9"}},
    ]
    text = json.dumps([{"update": {"timestamp": "1764547200000000000", "update": update}}])
    assert rows(of_text(text), counters.TABLE, "device", "queue", "name", "value", "ts_from") == [
        ("Ethernet1", None, "bytes", 12.0, "output"),
        ("Ethernet1", None, "fcs_err_frames", 3.0, "output"),
        ("Ethernet1", 3, "discard_pkts", 9.0, "output"),
    ]


def test_events_of_gnmic_name_the_switch() -> None:
    text = json.dumps(
        [
            {
                "name": "counters",
                "timestamp": 1764547200000000000,
                "tags": {"interface_name": "Ethernet1", "source": "leaf4:6030"},
                "values": {"/interfaces/interface/state/counters/out-discards": 5},
            }
        ]
    )
    assert rows(of_text(text), counters.TABLE, "host", "device", "direction", "name", "value") == [
        ("leaf4", "Ethernet1", "tx", "discard_pkts", 5.0)
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("aelm", max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["update", "path", "elem", "val", "tags", "values"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_read_without_an_error(value: object) -> None:
    for around in ({"update": value, "path": 1}, {"tags": value, "values": value, "timestamp": 1}, {"lldp": value}):
        of_text(json.dumps([around]))
        of_text(json.dumps(around))
        of_text(json.dumps({"TABLE_pfc_interface": value, "pfc-stats": value, "COUNTERS:oid:": value}))
