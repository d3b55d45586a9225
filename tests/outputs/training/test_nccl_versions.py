"""Spellings of NCCL's lines that only some versions have, and logs that are cut."""

from pathlib import Path

import pytest

from badhop.tables import nccl_edges, nccl_errors, nccl_ranks
from outputs.claimed import of_text, rows

SAYS = "node7:1:2 [0] NCCL INFO "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 2.10 to 2.15, 2.16 to 2.18, 2.18 to 2.20, from 2.21 on, from 2.29 on.
        ("comm 0xa rank 3 nranks 8 cudaDev 0 busId 6000 - Init COMPLETE", (None, None, None)),
        ("comm 0xa rank 3 nranks 8 cudaDev 0 busId 6000 commId 0xb - Init COMPLETE", ("0xb", None, None)),
        ("comm 0xa rank 3 nranks 8 cudaDev 0 nvmlDev 5 busId 6000 commId 0xb - Init COMPLETE", ("0xb", 5, None)),
        (
            "ncclCommSplit comm 0xa rank 3 nranks 8 cudaDev 0 nvmlDev 5 busId 6000 parent 0xc color 1 key 3 "
            "- Init COMPLETE",
            (None, 5, "0xc"),
        ),
        (
            "[Rank 3] ncclCommInitRankConfig comm 0xa rank 3 nranks 8 cudaDev 0 nvmlDev 5 busId 6000 commId 0xb - Init "
            "COMPLETE",
            ("0xb", 5, None),
        ),
    ],
)
def test_the_end_of_an_initialisation(text: str, expected: tuple[object, ...]) -> None:
    told = of_text(SAYS + text)
    columns = ("rank", "nranks", "gpu", "bus_id", "state", "comm_id", "nvml_gpu", "parent")
    assert rows(told, nccl_ranks.TABLE, *columns) == [(3, 8, 0, "6000", "init complete", *expected)]


@pytest.mark.parametrize(
    "timings",
    [
        "Init timings: rank 3 nranks 8 total 1.08 (kernels 0.51, bootstrap 0.22, allgathers 0.01, topo 0.28, graphs "
        "0.04, connections 0.02, rest 0.01)",
        "Init timings - ncclCommInitRank: rank 3 nranks 8 total 1.08 (kernels 0.51, alloc 1.37, bootstrap 0.22, "
        "allgathers 0.00, topo 0.09, graphs 0.00, connections 0.02, rest 0.00)",
    ],
)
def test_the_times_of_an_initialisation(timings: str) -> None:
    told = of_text(f"{SAYS}comm 0xa rank 3 nranks 8 cudaDev 0 busId 6000 - Init COMPLETE\n{SAYS}{timings}\n")
    columns = ("line", "last_line", "init_s", "bootstrap_s", "connect_s")
    assert rows(told, nccl_ranks.TABLE, *columns) == [(1, 2, 1.08, 0.22, 0.02)]


def test_a_pointer_used_again_is_another_communicator() -> None:
    said = "comm 0xa rank 3 nranks 8 cudaDev 0 busId 6000 commId {} - Init START"
    told = of_text(
        f"{SAYS}{said.format('0x1')}\n{SAYS}comm 0xa rank 3 nranks 8 - Abort COMPLETE\n{SAYS}{said.format('0x2')}"
    )
    assert rows(told, nccl_ranks.TABLE, "comm_id", "state") == [("0x1", "aborted"), ("0x2", "init started")]


@pytest.mark.parametrize(
    ("text", "nics", "out_of_band"),
    [
        ("Bootstrap : Using eth0:10.0.0.7<0>", None, "eth0:10.0.0.7<0>"),
        ("NET/Socket : Using [0]lo:127.0.0.1<0> [1]eth0:10.0.0.7<0>", ["lo:127.0.0.1<0>", "eth0:10.0.0.7<0>"], None),
        (
            "NET/IB : Using [0]mlx5_1:1/IB [1]mlx5_2:1/RoCE ; OOB eth0:10.0.0.7<0>",
            ["mlx5_1:1/IB", "mlx5_2:1/RoCE"],
            "eth0:10.0.0.7<0>",
        ),
    ],
)
def test_the_interfaces_of_a_process(text: str, nics: list[str] | None, out_of_band: str | None) -> None:
    told = of_text(f"{SAYS}{text}\n{SAYS}comm 0xa rank 3 nranks 8 cudaDev 0 busId 6000 - Init COMPLETE\n")
    assert rows(told, nccl_ranks.TABLE, "nics", "out_of_band") == [(nics, out_of_band)]


def test_the_version_that_only_rank_0_prints_is_that_of_all_where_there_is_no_other() -> None:
    ranks = "".join(f"h{n}:1:2 [0] NCCL INFO comm 0xa rank {n} nranks 2 cudaDev 0 - Init COMPLETE\n" for n in (0, 1))
    told = of_text(f"NCCL version 2.18.3+cuda12.1\n{ranks}")
    assert rows(told, nccl_ranks.TABLE, "version") == [("2.18.3",), ("2.18.3",)]
    both = of_text(f"NCCL version 2.18.3+cuda12.1\nNCCL version 2.21.5+cuda12.4\n{ranks}")
    assert rows(both, nccl_ranks.TABLE, "version") == [(None,), (None,)]


def test_the_queue_pair_of_infiniband_has_a_lid() -> None:
    told = of_text(f"{SAYS}NET/IB: Dev 1 Port 1 qpn 4711 mtu 5 LID 36 subnet-prefix 1 FLID 0")
    assert rows(told, nccl_edges.TABLE, "kind", "nic_index", "qpn", "lid", "gid", "mtu") == [
        ("qp", 1, 4711, 36, None, 4096)
    ]


def test_the_function_that_warns_and_the_hint_after_it() -> None:
    told = of_text(
        "node7:1:2 [3] transport/net_ib/p2p.cc:651 (ncclIbTest) NCCL WARN NET/IB: Got completion from peer 10.0.0.2<4> "
        "with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) vendor_err=129  localGid fe80::1 remoteGids "
        "fe80::2 hca mlx5_0\n"
        f"{SAYS}HINT: check the GID index\n"
        f"{SAYS}transport/net.cc:1302 -> 6\n"
    )
    columns = ("place", "status", "vendor_error", "nic", "result", "lines")
    place = "transport/net_ib/p2p.cc:651"
    assert rows(told, nccl_errors.TABLE, *columns) == [(place, 12, 129, "mlx5_0", 6, [1, 2, 3])]
    [(message,)] = rows(told, nccl_errors.TABLE, "message")
    assert message.endswith("hca mlx5_0 | HINT: check the GID index")


def test_results_without_the_line_that_says_why_are_kept() -> None:
    told = of_text(f"{SAYS}init.cc:1121 -> 3\n{SAYS}group.cc:64 -> 3 [Async thread]\n{SAYS}proxy.cc:1 -> 0\n")
    columns = ("kind", "result", "place", "lines")
    assert rows(told, nccl_errors.TABLE, *columns) == [("result", 3, "init.cc:1121", [1, 2])]


def test_collective_networks_and_nvls() -> None:
    told = of_text(
        f"{SAYS}CollNet 00/0 : 4 [send] via COLLNET/IB/1/GDRDMA\n"
        f"{SAYS}Channel 03/0 : 4[0] -> 5[1] via NVLS\n"
        f"{SAYS}Channel 03/1 : 4[0] -> 5[1] via P2P/IPC/read\n"
    )
    columns = ("kind", "channel", "from_rank", "to_rank", "transport", "gdr")
    assert rows(told, nccl_edges.TABLE, *columns) == [
        ("collnet", 0, 4, None, "COLLNET/IB", True),
        ("nvls", 3, 4, 5, "NVLS", None),
        ("p2p", 3, 4, 5, "P2P/IPC/read", None),
    ]


def test_a_log_cut_after_any_line_says_nothing_that_the_whole_one_does_not(corpus: Path) -> None:
    lines = (corpus / "corpus/text/nccl/roce-testing__all_reduce_roce_1gpu.log").read_text().splitlines(keepends=True)
    whole = of_text("".join(lines))
    edges = set(rows(whole, nccl_edges.TABLE, "line", "channel", "from_rank", "to_rank", "transport", "direction"))
    [rank] = whole.frames["nccl_ranks"].to_dicts() if whole else [{}]
    for end in range(len(lines)):
        cut = of_text("".join(lines[:end]))
        part = rows(cut, nccl_edges.TABLE, "line", "channel", "from_rank", "to_rank", "transport", "direction")
        assert set(part) <= edges
        for row in cut.frames["nccl_ranks"].to_dicts() if cut and "nccl_ranks" in cut.frames else []:
            for name in ("rank", "nranks", "comm_id", "pid", "gpu", "nnodes", "init_s", "version", "nics", "host"):
                assert row[name] in (rank[name], None)
