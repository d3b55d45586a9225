"""What ethtool says of a NIC besides counters: real outputs, and what must not be made of bad ones."""

from pathlib import Path
from typing import Any

import pytest

from badhop.tables import counters, links
from outputs.claimed import of_file, of_text, rows

TABLE = links.TABLE
MISC = "corpus/text/ethtool_misc"
INSIGHTS = f"{MISC}/insights-core__test_ethtool__"


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        (
            f"{INSIGHTS}ETHTOOL_INFO.txt",
            "ethtool",
            {"line": 3, "device": "eth1", "speed_bps": 10**9, "supported_bps": 10**9, "state": "up", "autoneg": "on"},
        ),
        (
            f"{INSIGHTS}ETHTOOL_INFO_TEST.txt",
            "ethtool",
            {"line": 1, "device": "eth1", "speed_bps": None, "state": None, "duplex": None},
        ),
        (
            f"{MISC}/node_exporter__eth0_settings.txt",
            "ethtool",
            {"line": 2, "device": "eth0", "speed_bps": 10**9, "supported_bps": 10**10, "media": "Twisted Pair"},
        ),
        (
            f"{MISC}/sandbox__ethtool_veth.txt",
            "ethtool",
            {"device": "va", "speed_bps": 10**10, "supported_bps": None, "autoneg": "off", "duplex": "full"},
        ),
        (
            f"{INSIGHTS}SUCCESS_ETHTOOL_A_BLANK_LINE.txt",
            "ethtool -a",
            {"line": 1, "device": "enp0s25", "pause_autoneg": "on", "pause_rx": "off", "pause_tx": "off"},
        ),
        (
            f"{INSIGHTS}FAIL_ETHTOOL_A.txt",
            "ethtool -a",
            {"line": 2, "device": "__wlp3s0", "pause_autoneg": None, "pause_rx": None},
        ),
        (
            f"{INSIGHTS}TEST_ETHTOOL_G.txt",
            "ethtool -g",
            {"device": "eth2", "rx_ring": 200, "rx_ring_max": 2047, "tx_ring": 511, "tx_ring_max": 511},
        ),
        (f"{INSIGHTS}TEST_ETHTOOL_G_3.txt", "ethtool -g", {"device": "ens3", "rx_ring": 256, "rx_ring_max": 256}),
        (f"{INSIGHTS}TEST_ETHTOOL_G_5.txt", "ethtool -g", {"device": "pri", "rx_ring": 1024, "tx_ring_max": 4096}),
        (
            f"{INSIGHTS}TEST_ETHTOOL_C_DOCS.txt",
            "ethtool -c",
            {"device": "eth0", "rx_usecs": 20, "tx_usecs": 72, "adaptive_rx": "off", "adaptive_tx": "off"},
        ),
        (f"{INSIGHTS}TEST_ETHTOOL_C.txt", "ethtool -c", {"device": "eth2", "rx_usecs": None, "adaptive_rx": "off"}),
        (
            f"{INSIGHTS}TEST_ETHTOOL_I_DOCS.txt",
            "ethtool -i",
            {"device": None, "driver": "bonding", "driver_version": "3.6.0", "firmware": "2", "bus": None},
        ),
        (
            f"{INSIGHTS}TEST_ETHTOOL_I_MISSING_KEYS.txt",
            "ethtool -i",
            {"driver": "virtio_net", "firmware": None, "bus": "0000:00:03.0"},
        ),
        (
            f"{INSIGHTS}ETHTOOL_PRIV_FLAGS_CONTENT.txt",
            "ethtool --show-priv-flags",
            {"device": "eth0", "features_on": ["vf-vlan-pruning", "flow-director-atr", "hw-atr-eviction"]},
        ),
    ],
)
def test_real_outputs(corpus: Path, name: str, kind: str, expected: dict[str, Any]) -> None:
    told = of_file(corpus / name)
    assert told is not None
    assert told.kinds == (kind,)
    assert not told.problems
    assert rows(told, TABLE, *expected) == [tuple(expected.values())]


def test_usage_texts_and_time_stamping_are_not_claimed(corpus: Path) -> None:
    assert of_file(corpus / f"{INSIGHTS}FAIL_ETHTOOL_A_2.txt") is None
    assert of_file(corpus / f"{INSIGHTS}TEST_ETHTOOL_TIMESTAMP_AB.txt") is None


def test_features_without_colons_are_problems_and_give_no_row(corpus: Path) -> None:
    told = of_file(corpus / f"{INSIGHTS}ETHTOOL_K_MISSING_COLON.txt")
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [2, 3]
    assert rows(told, TABLE, "features_on") == []


def test_a_port_that_is_down_has_no_speed_and_says_why() -> None:
    told = of_text(
        "Settings for eth7:\n\tSpeed: Unknown!\n\tDuplex: Unknown! (255)\n\tAuto-negotiation: on\n"
        "\tLink detected: no (No cable)\n"
    )
    assert rows(told, TABLE, "speed_bps", "duplex", "state", "reason") == [(None, None, "down", "No cable")]


def test_several_interfaces_in_one_paste_are_several_rows_and_a_foreign_speed_is_a_problem() -> None:
    told = of_text(
        "root@h12:~# for i in eth0 eth1; do ethtool $i; done\r\n"
        "Settings for eth0:\r\n\tSupported link modes:   100000baseCR4/Full\r\n"
        "\t                        400000baseCR8/Full\r\n\tSpeed: 400000Mb/s\r\n\tLanes: 8\r\n\tLink detected: yes\r\n"
        "Settings for eth1:\r\n\tSpeed: fast\r\n\tLink detected: yes\r\n"
    )
    assert rows(told, TABLE, "host", "device", "line", "speed_bps", "supported_bps", "lanes", "state") == [
        ("h12", "eth0", 2, 400 * 10**9, 400 * 10**9, 8, "up"),
        ("h12", "eth1", 8, None, None, None, "up"),
    ]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [8]


FEC = """FEC parameters for ens1f0np0:
Supported/Configured FEC encodings: Auto RS
Active FEC encoding: RS
Statistics:
  corrected_blocks: 91244
  uncorrectable_blocks: 0
    Lane 0: 17
"""


def test_fec_in_use_and_what_it_repaired() -> None:
    told = of_text(FEC)
    assert rows(told, TABLE, "device", "line", "fec", "fec_configured") == [("ens1f0np0", 1, "rs", "auto rs")]
    assert rows(told, counters.TABLE, "line", "device", "name", "value") == [
        (5, "ens1f0np0", "fec_corrected_cw", 91244.0),
        (6, "ens1f0np0", "fec_uncorrectable_cw", 0.0),
    ]


@pytest.mark.parametrize(("said", "expected"), [("BaseR", "fc"), ("Off", "none"), ("None", "none"), ("LLRS", "llrs")])
def test_fec_has_the_words_of_links(said: str, expected: str) -> None:
    told = of_text(f"FEC parameters for eth0:\nConfigured FEC encodings: {said}\nActive FEC encoding: {said}\n")
    assert rows(told, TABLE, "fec") == [(expected,)]


@pytest.mark.parametrize("length", range(0, len(FEC), 3))
def test_a_cut_fec_output_invents_nothing(length: int) -> None:
    for fec, configured in rows(of_text(FEC[:length]), TABLE, "fec", "fec_configured"):
        assert fec in (None, "r", "rs")
        assert configured is None or "auto rs".startswith(configured)
