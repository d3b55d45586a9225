"""NCCL's own log (NCCL_DEBUG=WARN, INFO): ranks, who talks to whom over what, and errors joined over the lines.

What a row says may stand in many lines, and before the line that names the communicator: everything is read first.
"""

import re

from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.training import nccl_collectives
from badhop.sources.outputs.kinds.training.nccl_communicators import Communicators
from badhop.sources.outputs.kinds.training.nccl_edges import Edges
from badhop.sources.outputs.kinds.training.nccl_errors import Errors, completion_in
from badhop.sources.outputs.kinds.training.nccl_lines import MARKS, Said, said
from badhop.sources.outputs.kinds.training.nccl_processes import Processes, version_in
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import collectives, nccl_edges, nccl_errors, nccl_ranks

_RESULTS = {
    "ncclUnhandledCudaError": 1,
    "ncclSystemError": 2,
    "ncclInternalError": 3,
    "ncclInvalidArgument": 4,
    "ncclInvalidUsage": 5,
    "ncclRemoteError": 6,
}
_RESULT = re.compile(
    r"\b(ncclUnhandledCudaError|nccl(?:System|Internal|Remote)Error|ncclInvalid(?:Argument|Usage)):(.*)"
)
_PREFIX = re.compile(r"\[rank(\d{1,7})\]:")


def _read(passage: Passage, rows: Rows) -> bool:
    processes, communicators, edges, errors = Processes(), Communicators(), Edges(), Errors()
    calls: list[Said] = []
    any_said = False
    for message in said(passage):
        any_said = True
        processes.read(message)
        communicators.read(message)
        edges.read(message)
        errors.read(message)
        if nccl_collectives.is_call(message.text):
            calls.append(message)
    for _, text in passage.numbered():
        if "NCCL version " in text and (version := version_in(text)):
            processes.mention(version)
    _ranks(communicators, processes, passage, rows)
    edges.write(communicators, processes, passage, rows)
    errors.write(communicators, edges, passage, rows)
    nccl_collectives.write(calls, communicators, passage, rows)
    raised = _raised(passage, rows)
    if processes.full or communicators.full:
        rows.problem(None, f"more than {Communicators.MOST} ranks or 65536 processes", "those after them are left out")
    return any_said or raised


def _ranks(communicators: Communicators, processes: Processes, passage: Passage, rows: Rows) -> None:
    for one in communicators.all:
        process = processes.of(one.device[:2])
        rows.add(
            nccl_ranks.TABLE,
            passage,
            one.first,
            at=one.at,
            **({"host": one.device[0]} if one.device[0] else {}),
            last_line=one.last,
            comm_id=one.comm_id,
            comm=one.pointer,
            parent=one.parent,
            rank=one.rank,
            nranks=one.nranks,
            nnodes=one.nnodes,
            local_rank=one.local_rank,
            pid=one.device[1],
            gpu=one.gpu if one.gpu is not None else one.device[2],
            nvml_gpu=one.nvml_gpu,
            bus_id=one.bus_id,
            state=one.state,
            init_s=one.init_s,
            bootstrap_s=one.bootstrap_s,
            connect_s=one.connect_s,
            version=processes.version_of(one.device[:2]),
            cuda_driver=process.cuda_driver,
            network=process.network,
            nics=[process.nics[index] for index in sorted(process.nics)] or None,
            gdr_nics=process.nics_with_gdr(one.device[2], enabled=True),
            no_gdr_nics=process.nics_with_gdr(one.device[2], enabled=False),
            out_of_band=process.out_of_band,
            env=[f"{name}={value}" for name, value in process.settings.items()] or None,
        )


def _raised(passage: Passage, rows: Rows) -> bool:
    """The exceptions that frameworks make of a result code: they repeat NCCL's last warning, often the only trace."""
    texts, raised = passage.lines.texts, False
    for line, text in passage.numbered():
        if "nccl" not in text or not (found := _RESULT.search(text[:4096])):
            continue
        raised = True
        index = line - passage.lines.first
        following = texts[index + 1 : index + 4]
        last = next((at for at, later in enumerate(following) if later.strip().endswith("Last error:")), None)
        reason = following[last + 1].strip() if last is not None and last + 1 < len(following) else ""
        lines = [line, line + last + 2] if last is not None and reason else [line]
        prefix = _PREFIX.search(text[:200])
        rows.add(
            nccl_errors.TABLE,
            passage,
            line,
            lines=lines,
            kind="result",
            rank=int(prefix[1]) if prefix else None,
            result=_RESULTS[found[1]],
            message=f"{found[1]}:{found[2]}" + (f" | {reason}" if reason else ""),
            **completion_in(reason),
        )
    return raised


KIND = Log(
    "NCCL log",
    (nccl_ranks.TABLE, nccl_edges.TABLE, nccl_errors.TABLE, collectives.TABLE),
    (*MARKS, *(f"{name}:" for name in _RESULTS)),
    _read,
)
