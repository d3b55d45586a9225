"""`rdma statistic` and what people cut out of it."""

from pathlib import Path

import pytest

from badhop.sources.outputs.kinds.nic import rdma_statistic
from badhop.tables import counters
from outputs.claimed import of_file, of_text, rows
from outputs.readings import readings


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_it_claims_its_own_file_and_no_other(path: Path) -> None:
    told = of_file(path)
    claimed = told is not None and rdma_statistic.KIND.name in told.kinds
    assert claimed == (path.name == "rdma_statistic_cnp_lab_notes.txt")


def test_lab_notes_with_commas_and_the_link_in_the_command(corpus: Path) -> None:
    told = of_file(corpus / "corpus/text/rdma_tool/rdma_statistic_cnp_lab_notes.txt")
    assert readings(told) == {
        "rp_cnp_ignored": ["3 rocep19s0/1 0 cnp_rx_ignored packets rx roce - - -"],
        "rp_cnp_handled": ["4 rocep19s0/1 1169933 cnp_rx_handled packets rx roce - - -"],
        "np_ecn_marked_roce_packets": ["5 rocep19s0/1 40510552 ecn_marked_pkts packets rx roce - - -"],
        "np_cnp_sent": ["6 rocep19s0/1 30458349 cnp_tx packets tx roce - - -"],
    }
    assert told is not None
    assert not told.problems


def test_one_line_a_link() -> None:
    text = "link mlx5_0/1 rx_write_requests 9 out_of_buffer 135 \nlink mlx5_1/1 rx_write_requests 7 \n"
    assert readings(of_text(text)) == {
        "rx_write_requests": [
            "1 mlx5_0/1 9 write_requests packets rx roce - - -",
            "2 mlx5_1/1 7 write_requests packets rx roce - - -",
        ],
        "out_of_buffer": ["1 mlx5_0/1 135 discard_pkts packets rx roce - - no_wqe"],
    }


def test_one_line_a_counter() -> None:
    text = "link bnxt_re0/1\n    to_retransmits 4\n    oos_drop_count 2\n"
    assert readings(of_text(text)) == {
        "to_retransmits": ["2 bnxt_re0/1 4 ack_timeout events - roce - - -"],
        "oos_drop_count": ["3 bnxt_re0/1 2 oos_pkts packets rx roce - - -"],
    }


def test_a_line_that_the_terminal_wrapped_goes_on() -> None:
    text = "link mlx5_0/1 rx_write_requests 9 out_of_buffer 135\nout_of_sequence 4 packet_seq_err 5\n"
    assert readings(of_text(text))["packet_seq_err"] == ["2 mlx5_0/1 5 seq_nak packets rx roce - - -"]


def test_counters_of_some_qps_are_told_apart_from_those_of_the_link() -> None:
    text = "link mlx5_2/1 cntn 4 type RC pid 30489 comm ib_send rx_write_requests 3 out_of_sequence 1 lqpn 178\n"
    assert readings(of_text(text)) == {
        "rx_write_requests": ["1 mlx5_2/1 cntn 4 3 write_requests packets rx roce - - -"],
        "out_of_sequence": ["1 mlx5_2/1 cntn 4 1 oos_pkts packets rx roce - - -"],
    }


def test_json() -> None:
    told = of_text('[{"ifname":"mlx5_0","port":1,"rx_write_requests":0,"out_of_sequence":12}]\n')
    assert readings(told)["out_of_sequence"] == ["1 mlx5_0/1 12 oos_pkts packets rx roce - - -"]


def test_cut_json_is_a_problem() -> None:
    told = of_text('[{"ifname":"mlx5_0","port":1,"rx_write_requests":0,"out_of_seq')
    assert told is not None
    assert told.rows == {}
    assert [problem["line"] for problem in told.problems] == [1]


def test_a_name_means_what_its_own_driver_says() -> None:
    told = of_text("link efa_0/1 rx_bytes 5 rx_drops 1 \nlink bnxt_re0/1 rx_bytes 6 rx_pkts 2 \n")
    assert rows(told, counters.TABLE, "device", "raw_name", "dialect") == [
        ("efa_0/1", "rx_bytes", "efa"),
        ("efa_0/1", "rx_drops", "efa"),
        ("bnxt_re0/1", "rx_bytes", "bnxt_re"),
        ("bnxt_re0/1", "rx_pkts", "bnxt_re"),
    ]


def test_a_list_of_names_that_anybody_could_have_is_not_claimed() -> None:
    assert of_text("rx_bytes: 5\ntx_bytes: 6\n") is None
    assert of_text("out_of_sequence: 5\npacket_seq_err: 6\n") is not None
    asked = of_text("$ rdma statistic show link efa_0/1 | grep bytes\nrx_bytes: 5\ntx_bytes: 6\n")
    assert rows(asked, counters.TABLE, "device", "dialect") == [("efa_0/1", "efa"), ("efa_0/1", "efa")]


def test_the_states_of_links_are_not_counters() -> None:
    for text in (
        "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev eth0 netdev_index 3\n",
        '[{"ifindex":0,"ifname":"mlx5_0","port":1,"state":"ACTIVE"}]',
    ):
        assert rows(of_text(text), counters.TABLE, "raw_name") == []


def test_a_long_hostile_line_costs_linear_time() -> None:
    told = of_text("link mlx5_0/1 out_of_sequence 4\n" + "a" * 300_000 + "\n" + "a " * 150_000 + "\n" + " " * 300_000)
    assert rows(told, counters.TABLE, "value") == [(4.0,)]
