"""The tables that one pass over captures made, kept so that opening the same files again does not need the pass.

An entry is found by a key of the files' state and of everything else that the tables depend on: badhop's version, its
built reader, the declared tables and what was asked. The state of a file is its size, times, inode and device, and a
hash of its head, its tail and of blocks between. A hash of everything would take as long as reading it; the times alone
lie when a tool sets them back (`cp -p`, `rsync`, `touch -r`), and the blocks alone miss a small change.

What this can miss: bytes changed between the sampled blocks, where size and all times stayed. The change time cannot be
set by a program, so that takes a clock that was set back, or a network file system that keeps no such time. Two writes
within one tick of a file's clock have the same time too, hence `_SETTLED`.

Entries are zip files of Arrow IPC: each table is checked by its CRC and against its declaration. Any of them, or the
whole folder, may be deleted at any moment. Nothing here raises: where there is no cache, captures are read.
"""

import hashlib
import io
import json
import os
import stat
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from badhop import _core
from badhop.schema import captured_tables
from badhop.sources.disk import has_room
from badhop.sources.options import Options

if TYPE_CHECKING:
    import polars as pl

OFF = "BADHOP_NO_CACHE"
"""Set to anything, this environment variable is `--no-cache` for every command: for tests and machines of CI."""

WORTH = 8 << 20
"""Bytes of captures below which nothing is kept: such a pass takes about as long as finding and checking an entry."""

LIMIT = 512 << 20
"""Bytes of all entries together; those used longest ago go first."""

_LARGEST = LIMIT // 4
"""Bytes of one entry: a single capture with millions of events must not push out everything else."""

_SETTLED = 10 * 1_000_000_000
"""Nanoseconds that a file must have been left alone. Clocks of files are coarse (2 s on FAT, a tick of the kernel
elsewhere, 3 s and more until NFS asks again): a later write could leave the same time. The reader in Rust, too, takes a
younger file for one that is still being written."""

_EDGE = 64 << 10
_BLOCK = 4 << 10
_BLOCKS = 64
"""Bytes hashed at the head and at the tail, and the blocks spread evenly between them: milliseconds on a cold disk."""

_FORMAT = 1
"""Grows when the form of an entry changes."""

_ENDING = ".tables"
_ABANDONED = 3600
"""Seconds after which a temporary file belongs to a process that was killed."""

_DAMAGE = (OSError, ValueError, LookupError, NotImplementedError, EOFError, zipfile.BadZipFile, zlib.error)
"""What reading a damaged entry may raise, besides what polars raises."""


def folder() -> Path | None:
    """Where entries are kept (XDG base directories); None when the environment turns the cache off or names no home."""
    if os.environ.get(OFF):
        return None
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not Path(base).is_absolute():  # "must be absolute … otherwise ignored", says the specification; so is ""
        try:
            base = str(Path.home() / ".cache")
        except RuntimeError:
            return None
    return Path(base) / "badhop"


def key_of(paths: Sequence[Path], asked: str) -> str | None:
    """The key of an entry for these files as they are now; None when they are too small or too young, or not readable.

    `asked` says what else the tables depend on, in any words.
    """
    try:
        states = [_state(path) for path in paths]
    except OSError:
        return None
    now = time.time_ns()
    settled = all(max(found.st_mtime_ns, found.st_ctime_ns) < now - _SETTLED for found, _ in states)
    if not settled or sum(found.st_size for found, _ in states) < WORTH:
        return None
    facts = [_program(), asked, *(_stamp(found, sample) for found, sample in states)]
    return hashlib.blake2b(json.dumps(facts).encode("utf-8", "surrogateescape"), digest_size=20).hexdigest()


def through(
    paths: Sequence[Path],
    asked: str,
    tables: "Callable[[], Mapping[str, Mapping[str, pl.DataType]]]",
    make: "Callable[[], dict[str, pl.DataFrame]]",
    options: Options,
) -> "dict[str, pl.DataFrame]":
    """The tables that `make` makes of these files: made, and kept for the next time, or kept from the last time.

    Where no entry is, `make` is asked at once, without loading polars for the types of `tables`.
    """
    key = key_of(paths, asked) if options.cache else None
    if key is not None and _entry(key) is not None and (kept := load(key, tables())) is not None:
        return kept
    made = make()
    if key is not None and key_of(paths, asked) == key:  # nobody wrote to them meanwhile
        store(key, made)
    return made


def load(key: str, tables: "Mapping[str, Mapping[str, pl.DataType]]") -> "dict[str, pl.DataFrame] | None":
    """The tables of these names and columns; None when there is no such entry.

    An entry that is damaged, or holds anything else, is removed.
    """
    path = _entry(key)
    if path is None:
        return None
    import polars as pl

    try:
        with zipfile.ZipFile(path) as packed:
            frames = {name: _unpacked(packed, name, columns) for name, columns in tables.items()}
        os.utime(path)  # used now
    except FileNotFoundError:
        return None
    except (*_DAMAGE, pl.exceptions.PolarsError):
        _remove(path)
        return None
    return frames


def store(key: str, frames: "Mapping[str, pl.DataFrame]") -> None:
    """Keeps these tables, if there is room. What they hold must not depend on more than their key says."""
    import polars as pl

    where = folder()
    size = sum(frame.estimated_size() for frame in frames.values())
    if where is None or size > _LARGEST:
        return
    try:
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_ours(where) and has_room(where, int(size)):
            _write(where, f"{key}{_ENDING}", frames)
            _make_room(where)
    except (OSError, pl.exceptions.PolarsError):
        return


def _entry(key: str) -> Path | None:
    """Where the entry is; None where there is none that may be believed."""
    where = folder()
    if where is None or not _is_ours(where):
        return None
    path = where / f"{key}{_ENDING}"
    return path if path.is_file() else None


@cache
def _program() -> list[object]:
    """What makes the tables: a new version, reader or declaration finds no entry of an old one."""
    built = Path(_core.__file__).stat()
    declared = json.dumps([[table.name, [[c.name, c.type] for c in table.columns]] for table in captured_tables()])
    return [_FORMAT, _core.__version__, built.st_size, built.st_mtime_ns, declared]


def _state(path: Path) -> tuple[os.stat_result, str]:
    """A file's numbers, and the hash of its sampled blocks."""
    with path.open("rb", buffering=0) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError("no regular file")
        step = max(_BLOCK, found.st_size // (_BLOCKS + 1))
        places = [(0, _EDGE), *((step * number, _BLOCK) for number in range(1, _BLOCKS + 1))]
        places.append((max(0, found.st_size - _EDGE), _EDGE))
        digest = hashlib.blake2b(digest_size=20)
        for offset, length in places:
            digest.update(os.pread(file.fileno(), length, offset))
    return found, digest.hexdigest()


def _stamp(found: os.stat_result, sample: str) -> list[object]:
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev, sample]


def _is_ours(where: Path) -> bool:
    """Whether nobody else can put anything there: what an entry says becomes a verdict."""
    try:
        found = where.stat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022


def _unpacked(packed: zipfile.ZipFile, name: str, columns: "Mapping[str, pl.DataType]") -> "pl.DataFrame":
    import polars as pl

    member = packed.getinfo(f"{name}.arrow")
    if member.compress_type != zipfile.ZIP_STORED or member.file_size > _LARGEST:
        raise ValueError("not written by badhop")
    content = packed.read(member)
    if not content:  # a table without rows: most are, and reading one costs a third of a millisecond
        return pl.DataFrame(schema=dict(columns))
    frame = pl.read_ipc(io.BytesIO(content))
    if frame.schema != columns:
        raise ValueError(f"{name} has other columns than declared")
    return frame


def _write(where: Path, name: str, frames: "Mapping[str, pl.DataFrame]") -> None:
    """As a whole or not at all: no reader ever sees half of an entry under its name."""
    handle, temporary = tempfile.mkstemp(prefix="new-", dir=where)
    try:
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as packed:
            for table, frame in frames.items():
                content = io.BytesIO()
                if not frame.is_empty():
                    frame.write_ipc(content, compression="lz4")
                packed.writestr(f"{table}.arrow", content.getbuffer())
        Path(temporary).replace(where / name)
    except BaseException:
        _remove(Path(temporary))
        raise


def _make_room(where: Path) -> None:
    """Removes what was used longest ago until the rest fits, and what killed processes left."""
    entries: list[tuple[int, int, Path]] = []
    for path in where.iterdir():
        try:
            found = path.stat()
        except OSError:
            continue  # somebody else removed it
        if path.suffix == _ENDING:
            entries.append((found.st_mtime_ns, found.st_size, path))
        elif path.name.startswith("new-") and time.time() - found.st_mtime > _ABANDONED:
            _remove(path)
    left = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if left <= LIMIT:
            return
        _remove(path)
        left -= size


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return
