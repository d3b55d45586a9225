"""The vocabulary is data: it holds together, and a name means one thing wherever it is said."""

import re
from datetime import date
from pathlib import Path

import pytest

from badhop import vocabulary
from badhop.vocabulary import Dialect, Meaning, page

DIALECTS = pytest.mark.parametrize("dialect", vocabulary.dialects().values(), ids=lambda dialect: dialect.name)


def meaning(name: str, dialect: str) -> Meaning:
    found = vocabulary.look_up(name, dialect)
    assert found is not None, f"{dialect} does not know {name}"
    return found


@DIALECTS
def test_every_dialect_says_when_it_was_changed_and_where_it_is_from(dialect: Dialect) -> None:
    assert date.fromisoformat(dialect.version) >= date(2026, 12, 1)
    assert len(dialect.source) > 10
    assert dialect.counters


@DIALECTS
def test_every_name_is_found_again_with_a_number_for_each_place(dialect: Dialect) -> None:
    for raw, said in dialect.counters.items():
        for priority, queue in ((0, 0), (7, 1234)):
            name = raw.format(priority=priority, queue=queue, index=17)
            found = meaning(name, dialect.name)
            assert (found.name, found.unit) == (said.name, said.unit), name
            assert found.priority == (priority if "{priority}" in raw else None), name
            assert found.queue == (queue if "{queue}" in raw else None), name


def test_our_names_have_one_unit_each() -> None:
    units: dict[str, set[str]] = {}
    for dialect in vocabulary.dialects().values():
        for said in dialect.counters.values():
            if said.name:
                units.setdefault(said.name, set()).add(said.unit)
    assert {name: found for name, found in units.items() if len(found) > 1} == {}


@DIALECTS
def test_what_is_ours_is_written_alike(dialect: Dialect) -> None:
    for raw, said in dialect.counters.items():
        assert said.name is None or re.fullmatch(r"[a-z][a-z0-9_]*", said.name), raw
        assert said.reason is None or (said.name or "").startswith("discard_"), raw
        assert said.says is None or not said.says.endswith("."), raw
        assert said.name is None or said.layer is not None, raw


@pytest.mark.parametrize(
    ("name", "dialect", "ours", "direction", "unit"),
    [
        ("rx_prio3_pause", "mlx5", "pause_frames", "rx", "frames"),
        ("tx_prio3_pause_duration", "mlx5", "pause_duration_us", "tx", "us"),
        ("rx_pfc_ena_frames_pri3", "bnxt", "pause_frames", "rx", "frames"),
        ("pfc_pri3_tx_duration_us", "bnxt", "pause_duration_us", "tx", "us"),
        ("rx_priority_3_xoff.nic", "ice", "pause_xoff_frames", "rx", "frames"),
        ("rx_pripause_3_1us_count", "ionic", "pause_duration_us", "rx", "us"),
        ("mac_tx_pfc_pri3_pkt_num", "hns3", "pause_frames", "tx", "frames"),
        ("out_of_sequence", "rdma", "oos_pkts", "rx", "packets"),
        ("oos_drop_count", "bnxt_re", "oos_pkts", "rx", "packets"),
        ("resp_rx_outouf_seq", "ionic", "oos_pkts", "rx", "packets"),
        ("out_of_seq_request", "rxe", "oos_pkts", "rx", "packets"),
        ("packet_seq_err", "rdma", "seq_nak", "rx", "packets"),
        ("local_ack_timeout_err", "rdma", "ack_timeout", None, "events"),
        ("retrans_timeout_events", "efa", "ack_timeout", None, "events"),
        ("cnpSent", "ice", "cnp_tx", "tx", "packets"),
        ("np_cnp_sent", "rdma", "cnp_tx", "tx", "packets"),
        ("port_xmit_data", "rdma", "data_words", "tx", "words4"),
        ("PortXmitData", "ib", "data_words", "tx", "words4"),
        ("TcpRetransSegs", "linux", "retrans_pkts", "tx", "packets"),
    ],
)
def test_vendors_names_become_ours(name: str, dialect: str, ours: str, direction: str | None, unit: str) -> None:
    found = meaning(name, dialect)
    assert (found.name, found.direction, found.unit) == (ours, direction, unit)


def test_only_counters_and_saturating_ones_are_differenced() -> None:
    assert meaning("outbound_pci_stalled_wr", "mlx5").reads == "percent"
    assert meaning("outbound_pci_stalled_wr_events", "mlx5").reads == "counter"
    assert meaning("symbol_error", "rdma").reads == "saturating"
    assert meaning("active_qps", "bnxt_re").reads == "gauge"
    assert meaning("watermark_qps", "bnxt_re").reads == "high-water"


def test_a_number_that_is_no_priority_or_no_queue_is_not_taken_for_one() -> None:
    assert vocabulary.look_up("rx_prio8_pause", "mlx5") is None
    assert vocabulary.look_up("rx_prio33_pause", "mlx5") is None
    assert vocabulary.look_up("rx99999_packets", "mlx5") is None


def test_names_of_the_kernel_and_of_the_wire_differ_in_their_layer() -> None:
    assert meaning("rx_bytes", "mlx5").layer == "host"
    assert meaning("rx_bytes_phy", "mlx5").layer == "port"
    assert meaning("rx_vport_rdma_unicast_bytes", "mlx5").layer == "roce"
    assert meaning("rx3_bytes", "mlx5").layer == "queue"


def test_a_driver_that_no_file_is_for_has_no_dialect() -> None:
    ours = vocabulary.dialects()
    assert vocabulary.dialect_of(["rx_prio0_pause", "tx_prio0_pause"], ours) == "mlx5"
    assert vocabulary.dialect_of(["rx_crc_errors", "foo", "bar", "baz"], ours) is None
    assert vocabulary.dialect_of([], ours) is None


def test_where_two_dialects_could_be_meant_only_what_they_agree_on_is_said() -> None:
    assert vocabulary.dialect_of(["rx_queue_0_packets"], ("ice", "virtual")) is None
    agreed = vocabulary.agreed("rx_queue_0_packets", ("ice", "virtual"))
    assert agreed is not None
    assert (agreed.name, agreed.direction, agreed.queue) == ("packets", "rx", 0)
    assert vocabulary.agreed("rx_bytes", ("mlx5", "bnxt")) is None


def test_the_page_of_the_vocabulary_is_not_stale() -> None:
    kept = Path(__file__).parent.parent / "playbooks" / "VOCABULARY.md"
    assert kept.read_text(encoding="utf-8") == page.markdown(vocabulary.dialects()), (
        "run: badhop tables --vocabulary > playbooks/VOCABULARY.md"
    )
