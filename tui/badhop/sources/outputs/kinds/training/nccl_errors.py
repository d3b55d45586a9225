"""Errors of an NCCL log, each joined with the result codes and hints that its thread logged after it."""

import re
from dataclasses import dataclass, field
from typing import Any

from badhop.sources.outputs.kinds.training import completion_status, gid
from badhop.sources.outputs.kinds.training.nccl_communicators import Communicators
from badhop.sources.outputs.kinds.training.nccl_edges import Edges
from badhop.sources.outputs.kinds.training.nccl_lines import LONGEST, Said
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import nccl_errors

_COMPLETION = re.compile(
    r"Got completion (?:from peer (\S{1,120}) )?with (?:error |status=)(?:\w{1,60}\()?(\d{1,9})\)?,? "
    r"opcode[ =](?:\w{1,60}\()?(\d{1,10})"
)
_VENDOR = re.compile(r"vendor[ _]err[ =](\d{1,10})(?: \((\w{1,40})\))?")
_REQUEST = re.compile(r"req_type=(\w{1,40})")
_NIC = re.compile(r" hca (\S{1,60})")
_LOCAL_GID = re.compile(r"localGid ?([0-9A-Fa-f:.]{2,60})")
_REMOTE_GID = re.compile(r"remoteGids? ?([0-9A-Fa-f:.]{2,60})")
_LOCAL_QPN = re.compile(r"(?:local ?(?:QPN?|qpn|qp_num)|(?<!remote )\bqpn)[ :=]{1,3}(\d{1,8})\b")
_REMOTE_QPN = re.compile(r"remote ?(?:QPN?|qpn|qp_num)[ :=]{1,3}(\d{1,8})\b")
_EVENT = re.compile(
    r"NET/IB ?: (?:([\w.-]{1,60}):(\d{1,3}) )?"
    r"(Got async (?:error )?event|Got non-fatal async event|async fatal event) ?: ?([^(]{1,120})"
)
_CLOSED = re.compile(r"Connection closed by remote peer (\S{1,200})")
_CONNECT = re.compile(r"[Cc]onnect(?:ing)? to (\S{1,120}) (?:failed|returned)|Connect to (\S{1,120}) failed")
_VERBS = re.compile(r"Call to (ibv_\w{1,60}) failed(?: with (?:error )?(\d{1,5}))?")
_PEER = re.compile(r"peer (\S{1,120})")
_RETURNED = re.compile(r"(\S{1,120}:\d{1,6}) -> (\d{1,2})(?: \[.{1,80}\])?\s*")

_KINDS = (
    ("collective mismatch", "mismatch"),
    ("ismatched collective", "mismatch"),
    ("message truncated", "truncated"),
    ("Mismatched NCCL version", "version mismatch"),
    ("mismatched physical devices", "mismatch"),
    ("Cuda failure", "cuda"),
    ("CUDA error", "cuda"),
    ("Abort COMPLETE", "aborted"),
    ("Call to connect ", "connect failed"),
    ("exceeded timeouts", "connect failed"),
    ("exceeded retries", "connect failed"),
    ("Timeout", "timeout"),
    ("timed out", "timeout"),
)

_ONLY_OF_WARNINGS = ("timeout", "cuda")
"""Words that messages about settings and retries have, too."""

_MOST_LINES = 64
"""Lines that one row names; a thread returns through about ten functions."""


@dataclass
class _Error:
    message: Said
    kind: str
    values: dict[str, Any]
    lines: list[int] = field(default_factory=list)
    text: str = ""

    def tell(self, message: Said) -> None:
        """Another line that belongs to it."""
        if len(self.lines) < _MOST_LINES:
            self.lines.extend(message.lines)


class Errors:
    """All of a log."""

    def __init__(self) -> None:
        self._errors: list[_Error] = []
        self._last: dict[tuple[str | None, int | None, int | None], _Error] = {}

    def read(self, message: Said) -> None:
        """Takes what a message tells of an error."""
        text = message.text
        if message.level == "INFO":
            if " -> " in text and (found := _RETURNED.fullmatch(text)):
                self._returned(message, found[1], int(found[2]))
                return
            if text.startswith("HINT: ") and (last := self._last.get((*message.process, message.tid))):
                last.text = f"{last.text} | {text}"[:LONGEST]
                last.tell(message)
                return
        elif message.level != "WARN":
            return
        kind, values = _meaning(text)
        if message.level == "INFO":
            kind = None if kind in _ONLY_OF_WARNINGS else kind
        elif kind is None and text:
            kind = "warning"
        if kind is not None:
            self._add(message, kind, values)

    def _add(self, message: Said, kind: str, values: dict[str, Any]) -> None:
        error = _Error(message, kind, values, list(message.lines), message.text)
        self._errors.append(error)
        self._last[(*message.process, message.tid)] = error

    def _returned(self, message: Said, place: str, result: int) -> None:
        if result in (0, 7):  # success, in progress
            return
        last = self._last.get((*message.process, message.tid))
        if last is None or (last.kind == "warning" and last.values.get("result", result) != result):
            self._add(message, "result", {"result": result, "place": place})
            return
        last.values.setdefault("result", result)
        last.tell(message)

    def write(self, communicators: Communicators, edges: Edges, passage: Passage, rows: Rows) -> None:
        """A row for each."""
        for error in self._errors:
            message, values = error.message, error.values
            own = communicators.only(message.device)
            if "local_gid" in values and "local_qpn" not in values:
                values["local_qpn"] = edges.pair_of(message.process, values["local_gid"])
            rows.add(
                nccl_errors.TABLE,
                passage,
                message.line,
                at=message.at,
                **({"host": message.host} if message.host else {}),
                lines=error.lines,
                kind=error.kind,
                level=message.level,
                pid=message.pid,
                tid=message.tid,
                gpu=message.gpu,
                rank=communicators.rank_in_job(message.device),
                comm_id=own.comm_id if own else None,
                message=error.text,
                **({"place": message.place} | values),
            )


def _meaning(text: str) -> tuple[str | None, dict[str, Any]]:
    """What a message reports: its kind, and the values in it."""
    if "Got completion" in text and (found := _COMPLETION.search(text)):
        return "completion", _completion(text, found)
    if "async " in text and (found := _EVENT.search(text)):
        kind = "fatal async event" if "fatal event" in found[3] else "async event"
        port = int(found[2]) if found[2] else None
        return kind, {"nic": found[1], "port": port, "event": found[4].strip(), **_pairs(text)}
    if "closed by remote peer" in text and (found := _CLOSED.search(text)):
        return "connection closed", {"peer": found[1]}
    if "Call to ibv_" in text and (found := _VERBS.search(text)):
        errno = int(found[2]) if found[2] else None
        return "verbs call", {"errno": errno, **_pairs(text), **_gids(text)}
    if "onnect" in text and (found := _CONNECT.search(text)):
        return "connect failed", {"peer": found[1] or found[2]}
    other = next((kind for word, kind in _KINDS if word in text), None)
    peer = _PEER.search(text) if other in ("mismatch", "truncated") else None
    return other, {"peer": peer[1]} if peer else {}


def completion_in(text: str) -> dict[str, Any]:
    """The values of a failed completion in any text; none where it tells of none."""
    found = _COMPLETION.search(text[:4096]) if "Got completion" in text else None
    return _completion(text, found) if found else {}


def _completion(text: str, found: re.Match[str]) -> dict[str, Any]:
    status, opcode = int(found[2]), int(found[3])
    values: dict[str, Any] = {
        "peer": found[1],
        "status": status,
        "status_name": completion_status.NAMES.get(status),
        "opcode": opcode if opcode < 2**32 else None,
        **_gids(text),
        **_pairs(text),
    }
    if vendor := _VENDOR.search(text):
        values["vendor_error"] = int(vendor[1]) if int(vendor[1]) < 2**32 else None
        values["request"] = vendor[2]
    if request := _REQUEST.search(text):
        values["request"] = request[1]
    if nic := _NIC.search(text):
        values["nic"] = nic[1]
    return values


def _gids(text: str) -> dict[str, Any]:
    ends = (("local_gid", _LOCAL_GID.search(text)), ("remote_gid", _REMOTE_GID.search(text)))
    return {name: gid.from_text(found[1]) for name, found in ends if found}


def _pairs(text: str) -> dict[str, Any]:
    ends = (("local_qpn", _LOCAL_QPN.search(text)), ("remote_qpn", _REMOTE_QPN.search(text)))
    return {name: int(found[1]) for name, found in ends if found}
