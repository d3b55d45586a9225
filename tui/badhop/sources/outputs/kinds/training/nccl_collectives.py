"""Operations in an NCCL log with NCCL_DEBUG_SUBSYS=COLL: which one of a communicator a rank called last."""

import re

from badhop.sources.outputs.kinds.training.nccl_communicators import Communicators
from badhop.sources.outputs.kinds.training.nccl_lines import Said
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import collectives

_CALL = re.compile(
    r"([A-Z]\w{1,40}): opCount ([0-9a-f]{1,16}) sendbuff \S{1,40} recvbuff \S{1,40}(?: acc \S{1,40})? count (\d{1,20}) "
    r"datatype (\d{1,3}) op (\d{1,3}) root (-?\d{1,9}) comm (0x[0-9a-f]{1,16})(?: \[nranks=(\d{1,9})\])?"
)
_DTYPES = ("i8", "u8", "i32", "u32", "i64", "u64", "f16", "f32", "f64", "bf16", "f8e4m3", "f8e5m2")
"""ncclDataType_t (nccl.h)."""

_OPS = {
    "AllReduce": "all_reduce",
    "AllGather": "all_gather",
    "ReduceScatter": "reduce_scatter",
    "Broadcast": "broadcast",
    "Reduce": "reduce",
    "Send": "send",
    "Recv": "recv",
    "AlltoAll": "all_to_all",
    "Gather": "gather",
    "Scatter": "scatter",
}


def write(calls: list[Said], communicators: Communicators, passage: Passage, rows: Rows) -> None:
    """A row for each call; a line that cannot be read is a problem."""
    for message in calls:
        found = _CALL.search(message.text)
        if found is None:
            rows.problem(message.line, f"an operation that cannot be read: {message.text[:80]!r}")
            continue
        name, count, elements, dtype, _, root, pointer, nranks = found.groups()
        own = communicators.by_pointer(message, pointer)
        peer = int(root) if int(root) >= 0 and name in ("Send", "Recv", "Broadcast", "Reduce") else None
        rank = own.rank if own else None
        rows.add(
            collectives.TABLE,
            passage,
            message.line,
            at=message.at,
            **({"host": message.host} if message.host else {}),
            rank=rank,
            comm_id=(own.comm_id if own else None) or pointer,
            op_id=int(count, 16),
            op=operation(name),
            profiling_name=name,
            is_p2p=name in ("Send", "Recv"),
            src_rank=rank if name == "Send" else peer,
            dst_rank=peer if name == "Send" else rank if name == "Recv" else None,
            input_elements=int(elements) if int(elements) < 2**64 else None,
            input_dtypes=[_DTYPES[int(dtype)]] if int(dtype) < len(_DTYPES) else None,
            nranks=int(nranks) if nranks else None,
            pid=message.pid,
            gpu=message.gpu,
        )


def operation(name: str) -> str:
    """An operation as everywhere in the table: `AllReduce` is all_reduce; an unknown one in lower case."""
    return _OPS.get(name, name.lower())


def is_call(text: str) -> bool:
    """Whether a message is the call of an operation."""
    return ": opCount " in text
