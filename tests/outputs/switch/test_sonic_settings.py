"""SONiC's configuration and raw statistics: literal samples, for the corpus has no files of them."""

import json

from hypothesis import given
from hypothesis import strategies as st

from badhop.tables import counters, qos
from outputs.claimed import of_text, rows

CONFIG = {
    "PORT": {"Ethernet0": {"lanes": "1,2", "speed": "400000"}},
    "DSCP_TO_TC_MAP": {"AZURE": {"26": "3", "48": "6"}},
    "TC_TO_QUEUE_MAP": {"AZURE": {"3": "3"}},
    "PORT_QOS_MAP": {"Ethernet0,Ethernet4": {"pfc_enable": "3,4", "dscp_to_tc_map": "[DSCP_TO_TC_MAP|AZURE]"}},
    "WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_all", "green_max_threshold": "2097152"}},
    "QUEUE": {"Ethernet0|3-4": {"wred_profile": "AZURE_LOSSLESS"}},
    "BUFFER_PROFILE": {"pg_lossless": {"xoff": "268992", "dynamic_th": "0", "new": "7"}},
    "PFC_WD": {"Ethernet0": {"action": "drop", "detection_time": "200"}},
}


def test_a_configuration_tells_maps_pauses_and_thresholds() -> None:
    read = of_text(json.dumps(CONFIG, indent=1), "leaf4/config_db.json")
    assert read is not None
    assert read.kinds == ("SONiC config_db.json",)
    columns = ("host", "device", "profile", "priority", "queue", "dscp", "setting", "value", "amount", "unit")
    found = rows(read, qos.TABLE, *columns)
    assert ("leaf4", None, "AZURE", None, None, 26, "class_of_dscp", "3", 3.0, None) in found
    assert ("leaf4", None, "AZURE", None, 3, None, "queue_of_class", "3", 3.0, None) in found
    assert ("leaf4", "Ethernet4", None, 4, None, None, "pfc", "on", None, None) in found
    assert ("leaf4", "Ethernet0", None, None, None, None, "class_of_dscp", "AZURE", None, None) in found
    assert ("leaf4", None, "AZURE_LOSSLESS", None, None, None, "ecn_max", "2097152", 2097152.0, "bytes") in found
    assert ("leaf4", "Ethernet0", None, None, 4, None, "ecn_profile", "AZURE_LOSSLESS", None, None) in found
    assert ("leaf4", None, "pg_lossless", None, None, None, None, "7", 7.0, None) in found
    assert ("leaf4", "Ethernet0", None, None, None, None, "pfcwd_detection", "200", 200.0, "ms") in found


def test_a_queue_whose_numbers_are_absurd_is_bounded() -> None:
    text = json.dumps({"WRED_PROFILE": {}, "QUEUE": {"Ethernet0|0-999": {"scheduler": "s"}}})
    assert len(rows(of_text(text), qos.TABLE, "queue")) == 64


def test_raw_statistics_are_read_in_both_printed_forms() -> None:
    numbered = '1) "SAI_PORT_STAT_PFC_3_RX_PKTS"\n2) "12"\n3) "SAI_PORT_STAT_IF_IN_OCTETS"\n4) "99"\n'
    mapping = "{'SAI_PORT_STAT_PFC_3_RX_PKTS': '12', 'SAI_PORT_STAT_IF_IN_OCTETS': '99'}\n"
    for text in (numbered, mapping):
        assert rows(of_text(text), counters.TABLE, "device", "priority", "name", "value") == [
            (None, 3, "pause_frames", 12.0),
            (None, None, "bytes", 99.0),
        ]


@given(st.text(alphabet="RXT1Power: -.5dBm\n'{SAI_\"0)", max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    of_text("{'SAI_PORT_STAT_X': '1'}" + text)
    of_text('1) "SAI_PORT_STAT_X"\n' + text)
