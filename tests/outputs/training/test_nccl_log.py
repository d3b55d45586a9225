"""NCCL's log: ranks, connections and errors of every version, behind every launcher, and in broken lines."""

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.tables import collectives, nccl_edges, nccl_errors, nccl_ranks
from outputs.claimed import of_file, of_text, rows

NCCL = "corpus/text/nccl"
WARN = "node7:4242:4399 [3] transport/net_ib.cc:1295 NCCL WARN NET/IB"


def test_a_wrapped_error_is_one_row_with_the_codes_that_its_thread_returned(corpus: Path) -> None:
    told = of_file(corpus / NCCL / "ml-engineering__pytorch__block3.txt")
    columns = (
        "line",
        "lines",
        "kind",
        "status",
        "status_name",
        "vendor_error",
        "request",
        "peer",
        "result",
        "local_gid",
    )
    assert rows(told, nccl_errors.TABLE, *columns) == [
        (1, [1, 2, 3, 4, 5], "completion", 12, "RETRY_EXC_ERR", 129, "Recv", "10.2.0.5<33092>", 6, None)
    ]
    assert rows(told, nccl_errors.TABLE, "host", "pid", "tid", "gpu", "rank") == [("node-2", 5776, 5902, 0, None)]


def test_gids_are_joined_to_the_failed_completion(corpus: Path) -> None:
    told = of_file(corpus / NCCL / "nccl_issue1405.log")
    pair = ("fd00:1148:9000:5000:4:200:3:ff22", "fd00:1148:9000:5000:4:200:3:ff1f")
    other = ("fd00:1148:9000:5000:4:200:3:ff21", "fd00:1148:9000:5000:4:200:3:ff20")
    assert rows(told, nccl_errors.TABLE, "line", "local_gid", "remote_gid", "opcode") == [
        (1, *pair, 0),
        (6, *other, 32616),
        (11, *pair, 32616),
    ]
    assert rows(told, nccl_errors.TABLE, "lines")[0] == ([1, 2, 3, 4],)


def test_the_ranks_of_one_process_are_told_apart_by_their_gpus(corpus: Path) -> None:
    told = of_file(corpus / NCCL / "nccl_issue622.log")
    columns = ("line", "rank", "nranks", "gpu", "bus_id", "comm", "comm_id", "state", "version")
    assert rows(told, nccl_ranks.TABLE, *columns)[0] == (
        (11, 2, 8, 2, "86000", "0x7fe9cc000fa0", None, "init complete", None)
    )
    assert rows(told, nccl_ranks.TABLE, "rank", "host", "pid") == [(n, "machine1", 430863) for n in (2, 3, 1, 0)]


@pytest.mark.parametrize(
    ("name", "comm_id", "kind", "shared", "init_s"),
    [
        ("roce-testing__all_reduce_roce_1gpu.log", "0x48682ccd036f5cb1", "ring", False, 1.76),
        ("roce-testing__sendrecv_roce_1gpu.log", "0xc28b9a824b47d051", "p2p", True, 1.80),
    ],
)
def test_a_whole_run_tells_rank_nic_settings_and_edges(
    corpus: Path, name: str, comm_id: str, kind: str, shared: bool, init_s: float
) -> None:
    told = of_file(corpus / NCCL / name)
    columns = ("line", "rank", "nnodes", "comm_id", "state", "init_s", "version", "network", "nics", "gdr_nics")
    assert rows(told, nccl_ranks.TABLE, *columns) == [
        (18, 0, 2, comm_id, "destroyed", init_s, "2.26.2", "IB", ["mlx5_5:1/RoCE"], None)
    ]
    assert rows(told, nccl_ranks.TABLE, "env", "out_of_band") == [
        (
            [
                "NCCL_SOCKET_IFNAME=eno7np0",
                "NCCL_IB_DISABLE=0",
                "NCCL_IB_HCA=mlx5_5",
                "NCCL_ALGO=RING",
                "NCCL_IB_GID_INDEX=3",
            ],
            "eno7np0:169.254.103.56<0>",
        )
    ]
    edges = rows(
        told, nccl_edges.TABLE, "line", "kind", "channel", "from_rank", "to_rank", "transport", "gdr", "shared"
    )
    assert (50, kind, 0, 1, 0, "NET/IB", False, shared) in edges
    assert (23, "ring", 0, 1, 0, None, None, None) in edges  # the ring of two is closed
    assert (25, "tree", 1, 0, 1, None, None, None) in edges
    assert len(edges) == 10
    # The list of NICs has no number 1: its name is not guessed.
    assert set(rows(told, nccl_edges.TABLE, "nic_index", "nic")) == {(None, None), (1, None)}
    assert set(rows(told, nccl_edges.TABLE, "comm_id", "told_by")) == {(comm_id, 0)}


def test_a_log_without_ranks_and_errors_is_known_and_has_no_rows(corpus: Path) -> None:
    told = of_file(corpus / NCCL / "nccl_tests_issue182.log")
    assert told is not None
    assert told.kinds == ("NCCL log",)
    assert not told.rows
    assert of_file(corpus / NCCL / "ml-engineering__pytorch__block1.txt") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" : Got completion with error 12, opcode 1, len 0, vendor err 129", (12, None, 129, None, None, None)),
        (
            " : Got completion from peer 10.0.0.2<44> with error 5, opcode 0, len 0, vendor err 249 (Send) "
            "localGid ::ffff:10.0.0.1 remoteGid ::ffff:10.0.0.2",
            (5, "10.0.0.2<44>", 249, "::ffff:10.0.0.1", "::ffff:10.0.0.2", None),
        ),
        (
            ": Got completion from peer 10.0.0.2<44> with status=12 opcode=0 len=0 vendor err 129 (Recv) "
            "localGid ::ffff:10.0.0.1 remoteGids::ffff:10.0.0.2 hca mlx5_3",
            (12, "10.0.0.2<44>", 129, "::ffff:10.0.0.1", "::ffff:10.0.0.2", "mlx5_3"),
        ),
        (
            ": Got completion from peer 10.0.0.2<44> with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) "
            "reqSize=8 vendor_err=129 req_type=Send localGid fe80::1 remoteGids fe80::2 hca mlx5_0",
            (12, "10.0.0.2<44>", 129, "fe80::1", "fe80::2", "mlx5_0"),
        ),
        (
            "/GIN: Got completion from peer 10.0.0.2<44> with status=10 opcode=0 len=0 vendor err 136 (Put)",
            (10, "10.0.0.2<44>", 136, None, None, None),
        ),
    ],
)
def test_a_failed_completion_of_every_version(text: str, expected: tuple[object, ...]) -> None:
    columns = ("status", "peer", "vendor_error", "local_gid", "remote_gid", "nic")
    assert rows(of_text(WARN + text), nccl_errors.TABLE, *columns) == [expected]


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        (" : mlx5_1:1 Got async error event: port error", "async event", ("mlx5_1", 1, "port error", None, None)),
        (" : Got async event : GID table change", "async event", (None, None, "GID table change", None, None)),
        (
            ": mlx5_1:1 async fatal event: local catastrophic error",
            "fatal async event",
            ("mlx5_1", 1, "local catastrophic error", None, None),
        ),
        (
            ": Call to ibv_modify_qp failed with 110 Connection timed out, on dev mlx5_0:1, curr state INIT, next "
            "state RTR, local GID index 3, local GID ::ffff:10.0.0.1, remote GID ::ffff:10.0.0.9, remote QPN 4242",
            "verbs call",
            (None, None, None, 110, 4242),
        ),
        (
            " : req 0/1 tag 0 peer 10.10.23.6<58683> collective mismatch error, local size 4 remote size 8",
            "mismatch",
            (None, None, None, None, None),
        ),
        (": Call to connect returned Connection refused, retrying", "connect failed", (None, None, None, None, None)),
        (": something that nobody foresaw", "warning", (None, None, None, None, None)),
    ],
)
def test_other_warnings_have_their_kind(text: str, kind: str, values: tuple[object, ...]) -> None:
    told = of_text(WARN + text)
    assert rows(told, nccl_errors.TABLE, "kind") == [(kind,)]
    assert rows(told, nccl_errors.TABLE, "nic", "port", "event", "errno", "remote_qpn") == [values]


def test_settings_with_timeout_in_their_name_are_no_errors() -> None:
    told = of_text("h1:1:2 [0] NCCL INFO NCCL_IB_TIMEOUT set by environment to 22.\nh1:1:2 [0] NCCL INFO Timeout is 5")
    assert told is not None
    assert not told.rows


def test_an_error_has_the_rank_in_the_job_and_no_communicator_where_its_gpu_has_several() -> None:
    said = "h1:1:{} [0] NCCL INFO comm {} rank {} nranks {} cudaDev 0 busId 6000 commId {} - Init COMPLETE\n"
    error = "h1:1:9 [0] a.cc:1 NCCL WARN NET/IB : Got async event : port error\n"
    world, tensor = said.format(2, "0xa", 11, 16, "0x1"), said.format(2, "0xb", 3, 8, "0x2")
    data = said.format(2, "0xc", 11, 16, "0x3")
    assert rows(of_text(world + error), nccl_errors.TABLE, "rank", "comm_id") == [(11, "0x1")]
    assert rows(of_text(tensor + world + data + error), nccl_errors.TABLE, "rank", "comm_id") == [(11, None)]
    other = said.format(2, "0xd", 12, 16, "0x4")
    assert rows(of_text(world + other + error), nccl_errors.TABLE, "rank", "comm_id") == [(None, None)]


def test_a_connection_that_closed_is_an_error_also_at_info() -> None:
    told = of_text(
        "h1:1:9 [0] NCCL INFO [Service thread] Connection closed by remote peer h2<4>\nh1:1:9 [0] NCCL INFO a.cc:7 -> 6"
    )
    columns = ("kind", "peer", "result", "lines")
    assert rows(told, nccl_errors.TABLE, *columns) == [("connection closed", "h2<4>", 6, [1, 2])]


def test_what_the_exception_repeats_is_kept_where_the_warning_is_missing() -> None:
    told = of_text(
        "[rank5]: torch.distributed.DistBackendError: NCCL error in: x.cpp:1, remote process exited\n"
        "[rank5]: ncclRemoteError: A call failed possibly due to a network error.\n"
        "[rank5]: Last error:\n"
        "[rank5]: NET/IB : Got completion from peer 10.0.0.2<44> with status=12 opcode=0 len=0 vendor err 129 (Recv)\n"
    )
    columns = ("line", "lines", "kind", "rank", "result", "status", "peer")
    assert rows(told, nccl_errors.TABLE, *columns) == [(2, [2, 4], "result", 5, 6, 12, "10.0.0.2<44>")]


INIT = (
    "node7:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.7<0>\n"
    "node7:1:2 [0] NCCL INFO NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'\n"
    "node7:1:2 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 1 'mlx5_1'\n"
    "node7:1:2 [0] NCCL INFO ncclCommInitRank comm 0xa rank 3 nranks 8 cudaDev 0 nvmlDev 4 busId 6000 commId 0xbeef"
    " - Init START\n"
)


def test_a_rank_that_never_finished_its_initialisation_says_so() -> None:
    told = of_text(INIT)
    columns = ("rank", "state", "nvml_gpu", "gdr_nics", "no_gdr_nics")
    assert rows(told, nccl_ranks.TABLE, *columns) == [(3, "init started", 4, ["mlx5_0"], ["mlx5_1"])]


def test_connections_name_nic_proxy_and_gpudirect() -> None:
    told = of_text(
        INIT + "node7:1:2 [0] NCCL INFO Channel 02/0 : 3[0] -> 4[0] [send] via NET/IB/1(2)/GDRDMA/Shared\n"
        "node7:1:2 [0] NCCL INFO Channel 02/0 : 2[7] -> 3[0] via P2P/CUMEM/read\n"
        "node7:1:2 [0] NCCL INFO Connected all rings\n"
        "node7:1:2 [0] NCCL INFO Channel 02/0 : 1[7] -> 3[0] [receive] via NET/AWS Libfabric/0/GDRDMA\n"
        "node7:1:2 [0] NCCL INFO Connected all trees\n"
        "node7:1:2 [0] NCCL INFO Channel 03/0 : 1[7] -> 3[0] [receive] via NET/Socket/0\n"
        "node7:1:2 [0] NCCL INFO Ring 00 : 2 -> 3 -> 4\n"
        "node7:1:2 [0] NCCL INFO Channel 00/02 :  3 4 5 6\n"
    )
    columns = ("line", "kind", "from_rank", "to_rank", "transport", "nic", "proxy_rank", "gdr", "comm_id", "told_by")
    assert rows(told, nccl_edges.TABLE, *columns) == [
        (5, "ring", 3, 4, "NET/IB", "mlx5_1", 2, True, "0xbeef", 3),
        (6, "ring", 2, 3, "P2P/CUMEM/read", None, None, None, "0xbeef", 3),
        (8, "tree", 1, 3, "NET/AWS Libfabric", "mlx5_0", None, True, "0xbeef", 3),
        (10, None, 1, 3, "NET/Socket", "mlx5_0", None, False, "0xbeef", 3),
        (11, "ring", 2, 3, None, None, None, None, "0xbeef", 3),
        (11, "ring", 3, 4, None, None, None, None, "0xbeef", 3),
        # Four ranks of eight: a part of the ring, which is not closed.
        (12, "ring", 3, 4, None, None, None, None, "0xbeef", 3),
        (12, "ring", 4, 5, None, None, None, None, "0xbeef", 3),
        (12, "ring", 5, 6, None, None, None, None, "0xbeef", 3),
    ]


def test_old_spellings_of_rings_and_trees() -> None:
    told = of_text(
        "h1:1:2 [0] NCCL INFO Ring 00 : 35[3d000] -> 34[b2000] [send] via NET/Socket/0\n"
        "h1:1:2 [0] NCCL INFO Trees [0] 22->23->-1/24/-1 [1] 4/-1/-1->23->7|7->23->4/-1/-1\n"
        "h1:1:2 [0] NCCL INFO comm 0xa rank 35 nranks 64 cudaDev 0 nvmlDev 0 - Init COMPLETE\n"
    )
    columns = ("line", "kind", "channel", "from_rank", "to_rank", "from_gpu", "told_by")
    assert rows(told, nccl_edges.TABLE, *columns) == [
        (1, None, 0, 35, 34, "3d000", 35),
        (2, "tree", 1, 23, 7, None, 35),
        (2, "tree", 1, 4, 23, None, 35),
        (2, "tree", 0, 23, 22, None, 35),
        (2, "tree", 0, 24, 23, None, 35),
    ]


def test_the_queue_pair_of_a_gid_is_joined_to_its_error_when_it_is_the_only_one() -> None:
    pair = "node7:1:9 [0] NCCL INFO NET/IB: NCCL Dev 0 IbDev 0 Port 1 qpn {} mtu 5 GID 3 (0/{}) fifoRkey=0x1\n"
    error = WARN.replace("4242:4399", "1:9") + (
        ": Got completion from peer 10.0.0.9<4> with status=12 opcode=0 len=0 vendor err 129 (Send) "
        "localGid ::ffff:10.0.10.141 remoteGids::ffff:10.0.0.9 hca mlx5_0\n"
    )
    told = of_text(INIT + pair.format(4711, "8D0A000AFFFF0000") + error)
    columns = ("kind", "nic", "qpn", "gid", "gid_index", "mtu")
    assert rows(told, nccl_edges.TABLE, *columns) == [("qp", "mlx5_0", 4711, "::ffff:10.0.10.141", 3, 4096)]
    assert rows(told, nccl_errors.TABLE, "local_qpn", "rank", "comm_id") == [(4711, None, None)]
    both = of_text(INIT + pair.format(1, "8D0A000AFFFF0000") + pair.format(2, "8D0A000AFFFF0000") + error)
    assert rows(both, nccl_errors.TABLE, "local_qpn") == [(None,)]


@pytest.mark.parametrize(
    "prefix",
    ["", "[rank3]:", "[default0]:", "12: ", "[1,0]<stdout>:", "10.10.23.10: ", "(RayTrainWorker pid=9, ip=10.0.0.1) "],
)
def test_the_prefixes_of_launchers_do_not_matter(prefix: str) -> None:
    line = "node7:4242:4399 [3] NCCL INFO comm 0xa rank 7 nranks 8 cudaDev 3 busId 6000 commId 0xb - Init COMPLETE"
    told = of_text(f"some other line\n{prefix}{line}\n")
    assert rows(told, nccl_ranks.TABLE, "line", "host", "pid", "rank") == [(2, "node7", 4242, 7)]


@pytest.mark.parametrize(
    ("prefix", "host", "at"),
    [
        ("[2026-11-03 10:15:20] ", "node7", datetime(2026, 11, 3, 10, 15, 20)),
        ("[2026-11-03 10:15:20.500] ", "node7", datetime(2026, 11, 3, 10, 15, 20, 500000)),
        ("2026-11-03T10:15:20 ", "node7", datetime(2026, 11, 3, 10, 15, 20)),
        ("2026-11-03T10:15:20.5Z ", "node7", datetime(2026, 11, 3, 10, 15, 20, 500000)),
        ("2026-11-03T10:15:20.5Z stderr F ", "node7", datetime(2026, 11, 3, 10, 15, 20, 500000)),
    ],
)
def test_the_time_of_a_line_is_its_own(prefix: str, host: str, at: datetime) -> None:
    told = of_text(prefix + WARN + " : Got async event : port error")
    assert rows(told, nccl_errors.TABLE, "host", "ts", "ts_from") == [(host, at, "line")]


def test_messages_of_two_processes_in_one_line_are_two() -> None:
    told = of_text(
        "h1:1:2 [0] NCCL INFO x\nh1:3:4 [1] NCCL INFO x\n"
        "h1:1:2 [0] NCCL INFO comm 0xa rank 0 nranks 2 cudaDev 0 busId 6000 - Init COMPLETEh1:3:4 [1] NCCL INFO "
        "comm 0xb rank 1 nranks 2 cudaDev 1 busId 7000 - Init COMPLETE\n"
    )
    assert rows(told, nccl_ranks.TABLE, "line", "host", "pid", "rank") == [(3, "h1", 1, 0), (3, "h1", 3, 1)]


def test_a_log_that_begins_in_the_middle_of_a_line_has_no_host_and_no_process() -> None:
    told = of_text("399 [3] transport/net_ib.cc:1295 NCCL WARN NET/IB : Got async event : port error\n")
    assert rows(told, nccl_errors.TABLE, "host", "pid", "gpu", "place") == [(None, None, 3, "transport/net_ib.cc:1295")]


def test_operations_are_counted_in_hex_and_joined_to_their_communicator() -> None:
    call = (
        "node7:1:2 [0] NCCL INFO {}: opCount 1f sendbuff 0x7f recvbuff 0x7f count 1024 datatype 9 op 0 root {} comm "
        "0xa [nranks=8] stream 0x5\n"
    )
    told = of_text(
        INIT + call.format("AllReduce", 0) + call.format("Send", 5) + "node7:1:2 [0] NCCL INFO X: opCount zz"
    )
    columns = ("line", "op_id", "op", "rank", "comm_id", "input_elements", "input_dtypes", "src_rank", "dst_rank")
    assert rows(told, collectives.TABLE, *columns) == [
        (5, 31, "all_reduce", 3, "0xbeef", 1024, ["bf16"], None, None),
        (6, 31, "send", 3, "0xbeef", 1024, ["bf16"], 3, 5),
    ]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [7]


def test_dos_ends_colours_and_empty_lines_change_nothing() -> None:
    told = of_text(f"\r\n\x1b[31m{WARN} : Got async event : port error\x1b[0m\r\n\r\n")
    assert rows(told, nccl_errors.TABLE, "line", "event") == [(2, "port error")]


@given(st.text(alphabet="NCL WARNIFO:->[]0123456789abx/\n", max_size=300))
def test_no_text_is_an_exception(text: str) -> None:
    of_text(f"h1:1:2 [0] NCCL INFO {text}\nh1:1:2 [0] x.cc:1 NCCL WARN {text}")


@pytest.mark.parametrize("text", ["NCCL INFO " * 50_000, "a" * 10**6 + " NCCL WARN " + "1/" * 10**6])
def test_a_hostile_line_is_read_in_time(text: str) -> None:
    of_text(text)
