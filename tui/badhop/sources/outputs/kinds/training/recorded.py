"""What a dump of the flight recorder says, as rows: its process groups, and its operations in the order of the ring.

Keys differ between releases; one that is absent or of another type than torch writes is null, never a default.
"""

import re
from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

from badhop.sources.outputs.kinds.training import typed
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import collectives, process_groups

_SEND_OR_RECEIVE = re.compile(r"(send|recv)\w* (\d{1,9})(->|<-)(\d{1,9})")
_OPERATION = re.compile(r"(?:\w{1,20}:)?([\w.]{1,80})")

_MOST_FRAMES = 8
"""Calls kept of a stack: above them are the program's main loop and the interpreter."""

_MOST_SIZES = 64
"""Tensors whose shapes are kept of one operation; an all-to-all of 1,000 ranks has as many."""

_MOST_MEMBERS = 1 << 20


class Dump:
    """One dump, of one rank."""

    def __init__(self, dump: Mapping[Any, Any], passage: Passage, rank: int | None, rows: Rows) -> None:
        self._dump = dump
        self._passage = passage
        self._rows = rows
        self._rank = self._believed(rank)

    def _believed(self, rank: int | None) -> int | None:
        """The rank of the file's name, unless a group that the dump is of does not have it."""
        for config in typed.mapping(self._dump.get("pg_config")).values():
            group = typed.mapping(config)
            members = _members(group.get("ranks"))
            if rank is not None and members and rank not in members:
                self._rows.problem(None, f"named for rank {rank}, which is not in group {group.get('name')}")
                return None
        return rank

    def write(self) -> None:
        """A row for each group and each operation."""
        entries = self._dump.get("entries")
        listed = entries if isinstance(entries, list) else []
        sound = [entry for entry in listed if isinstance(entry, Mapping)]
        if len(sound) < len(listed):
            self._rows.problem(None, f"{len(listed) - len(sound)} entries that are no entries")
        self._groups(sound)
        for entry in sound:
            self._operation(entry)

    def _groups(self, entries: Iterable[Mapping[Any, Any]]) -> None:
        """The name of a group and its local number stand together only in entries."""
        configured, status = typed.mapping(self._dump.get("pg_config")), typed.mapping(self._dump.get("pg_status"))
        number_of: dict[str, str] = {}
        descriptions: dict[str, str | None] = {}
        for entry in entries:
            name, desc = _group(entry)
            if name is not None and (number := typed.word(entry.get("pg_id"))) is not None:
                number_of[name] = number
                descriptions[name] = desc
        for name in {**configured, **dict.fromkeys(number_of)}:
            config = typed.mapping(configured.get(name))
            number = number_of.get(typed.word(name) or "")
            desc = typed.text(config.get("desc")) or descriptions.get(typed.word(name) or "")
            self._group(number, typed.word(name), desc, config.get("ranks"), typed.mapping(status.get(number)))
        for number in status:
            if typed.word(number) not in number_of.values():
                self._group(typed.word(number), None, None, None, typed.mapping(status[number]))

    def _group(
        self, number: str | None, name: str | None, desc: str | None, ranks: object, status: Mapping[Any, Any]
    ) -> None:
        started = typed.signed(status.get("last_started_collective"))
        self._rows.add(
            process_groups.TABLE,
            self._passage,
            None,
            rank=self._rank,
            pg_id=number,
            pg=name,
            pg_desc=desc,
            members=_members(ranks),
            last_enqueued=typed.signed(status.get("last_enqueued_collective")),
            last_started=None if started == -1 else started,
            last_completed=typed.signed(status.get("last_completed_collective")),
            version=typed.text(self._dump.get("version")),
            library=typed.text(self._dump.get("comm_lib_version")) or typed.text(self._dump.get("nccl_version")),
        )

    def _operation(self, entry: Mapping[Any, Any]) -> None:
        name, desc = _group(entry)
        profiling = typed.text(entry.get("profiling_name"))
        sizes = {side: _sizes(entry.get(f"{side}_sizes")) for side in ("input", "output")}
        created = _moment(entry.get("time_created_ns"))
        peers = _SEND_OR_RECEIVE.search(profiling or "")
        operation = _OPERATION.match(profiling or "")
        self._rows.add(
            collectives.TABLE,
            self._passage,
            None,
            at=None if created is None else Moment(created, "output"),
            rank=self._rank,
            record=typed.whole(entry.get("record_id")),
            pg_id=typed.word(entry.get("pg_id")),
            pg=name,
            pg_desc=desc,
            seq=typed.whole(entry.get("collective_seq_id", entry.get("seq_id"))),
            p2p_seq=typed.whole(entry.get("p2p_seq_id")),
            op_id=typed.whole(entry.get("op_id")),
            op=operation[1].lower() if operation else None,
            profiling_name=profiling,
            is_p2p=typed.flag(entry.get("is_p2p")),
            **_ends(peers),
            input_sizes=_shapes(sizes["input"]),
            output_sizes=_shapes(sizes["output"]),
            input_elements=_elements(sizes["input"]),
            output_elements=_elements(sizes["output"]),
            input_dtypes=_texts(entry.get("input_dtypes")),
            output_dtypes=_texts(entry.get("output_dtypes")),
            state=typed.text(entry.get("state")),
            created=created,
            started=_moment(entry.get("time_discovered_started_ns")),
            completed=_moment(entry.get("time_discovered_completed_ns")),
            duration_ms=typed.number(entry.get("duration_ms")),
            timeout_ms=typed.whole(entry.get("timeout_ms")),
            retired=typed.flag(entry.get("retired")),
            thread=typed.text(entry.get("thread_name")) or typed.word(entry.get("thread_id")),
            frames=_frames(entry.get("frames")),
        )


def _ends(found: re.Match[str] | None) -> dict[str, int]:
    """Sender and receiver of `nccl:send 0->1` and `nccl:recv 0<-1`: the arrow shows the way of the data."""
    if found is None:
        return {}
    left, right = int(found[2]), int(found[4])
    sender, receiver = (left, right) if found[3] == "->" else (right, left)
    return {"src_rank": sender, "dst_rank": receiver}


def _group(entry: Mapping[Any, Any]) -> tuple[str | None, str | None]:
    """Name and description; early releases have neither, or the name alone."""
    group = entry.get("process_group")
    if isinstance(group, list) and len(group) == 2:
        return typed.word(group[0]), typed.text(group[1])
    return typed.word(group), None


def _members(ranks: object) -> list[int] | None:
    """`[0, 1, 14]` as text, as torch writes it, or as a list."""
    words = ranks.strip("[] ").split(",") if isinstance(ranks, str) else ranks
    if not isinstance(words, list) or len(words) > _MOST_MEMBERS:
        return None
    found = [typed.whole(word.strip() if isinstance(word, str) else word) for word in words if word != ""]
    return None if None in found else [rank for rank in found if rank is not None]


def _sizes(shapes: object) -> list[list[int]] | None:
    """Shapes of tensors; None where one of them is no list of whole numbers."""
    if not isinstance(shapes, list):
        return None
    found = []
    for shape in shapes:
        sizes = [typed.whole(size) for size in shape[:_MOST_SIZES]] if isinstance(shape, list) else [None]
        if None in sizes:
            return None
        found.append([size for size in sizes if size is not None])
    return found


def _shapes(sizes: list[list[int]] | None) -> list[str] | None:
    return None if sizes is None else ["x".join(map(str, shape)) for shape in sizes[:_MOST_SIZES]]


def _elements(sizes: list[list[int]] | None) -> int | None:
    total = None if sizes is None else sum(prod(shape) for shape in sizes)
    return total if total is not None and total < 2**63 else None


def _frames(frames: object) -> list[str] | None:
    """Torch writes the innermost call first."""
    if not isinstance(frames, list):
        return None
    told = []
    for frame in frames[:_MOST_FRAMES]:
        known = typed.mapping(frame)
        told.append(f"{known.get('name')} at {known.get('filename')}:{known.get('line')}"[:400])
    return told or None


def _moment(ns: object) -> int | None:
    """JSON has 0 where the pickle has None."""
    known = typed.whole(ns)
    return known or None


def _texts(value: object) -> list[str] | None:
    if not isinstance(value, list):
        return None
    return [text for text in value[:_MOST_SIZES] if isinstance(text, str)]
