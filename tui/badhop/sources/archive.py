"""Archives, read member by member without unpacking them to disk: tar and zip, compressed or not, also inside each
other, and single files that are compressed.

Only regular files count; links, devices and folders are passed over. A member's path is a name and never a place: `..`
and roots are taken out of it. What is too large, too deep or too many is left out and said.
"""

import io
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePath, PurePosixPath
from typing import BinaryIO

from badhop import _core

HEAD = 1 << 20
"""Bytes of a member that are read at once: enough to recognise it by, also where a block of bzip2 must come first."""

LONGEST = 512 << 20
"""Bytes of a member that are taken into memory."""

MOST_MEMBERS = 200_000
"""A report of a large node has some 30,000 files."""

MOST_BYTES = 64 << 30
"""Unpacked bytes of all members: beyond it an archive is a bomb or belongs on a disk."""

_DEEPEST = 3
"""Archives inside archives: a ticket with the reports of several nodes, with a compressed log in each."""

_DAMAGE = (OSError, tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError)
"""What reading a damaged or encrypted archive may raise."""


@dataclass(frozen=True)
class Member:
    """A file inside. `rest` gives its bytes after `head`, at most so many, before the next member is asked for."""

    path: PurePath
    mtime: int | None
    head: bytes
    rest: Callable[[int], bytes] = field(repr=False)

    def content(self) -> bytes:
        """All of it, up to `LONGEST`."""
        return self.head + self.rest(LONGEST - len(self.head)) if len(self.head) == HEAD else self.head

    @property
    def is_capture(self) -> bool:
        """By its first bytes, also behind a compression."""
        return _core.begins_a_capture(_unpacked_head(self.head))

    def copy_to(self, file: BinaryIO, go_on: Callable[[int], bool]) -> bool:
        """Writes all of it; False where `go_on(bytes so far)` said so."""
        size = file.write(self.head)
        while chunk := self.rest(1 << 20) if len(self.head) == HEAD else b"":
            size += file.write(chunk)
            if not go_on(size):
                return False
        return True


def is_archive(start: bytes) -> bool:
    """Whether a file that begins so is an archive or compressed; 512 bytes are enough."""
    return _is_zip(start) or _is_tar(start) or bool(_core.Unpacked(start[:512]).layers)


def members(packed: Path | bytes, notes: list[str], inside: PurePath | None = None, depth: int = 1) -> Iterator[Member]:
    """The files in an archive, in its order, those of archives in it in their places.

    `inside` is the name of what is inside when it is a single compressed file. `notes` gets what was left out and why.
    """
    read = _Read()
    for member in _members(packed, notes, inside or PurePath("content"), depth):
        read.files += 1
        yield Member(member.path, member.mtime, read.counted(member.head), read.through(member.rest))
        if read.files >= MOST_MEMBERS or read.size >= MOST_BYTES:
            notes.append(f"only the first {read.files} files of it were read: the rest is too much")
            return


@dataclass
class _Read:
    """What was taken out of an archive so far."""

    files: int = 0
    size: int = 0

    def counted(self, content: bytes) -> bytes:
        self.size += len(content)
        return content

    def through(self, rest: Callable[[int], bytes]) -> Callable[[int], bytes]:
        """The same reader, counted, which ends where it is too much."""
        return lambda count: self.counted(rest(max(0, min(count, MOST_BYTES - self.size))))


def _members(packed: Path | bytes, notes: list[str], inside: PurePath, depth: int) -> Iterator[Member]:
    try:
        start = _start(packed)
        if _is_zip(start):
            found = _zip(packed)
        else:
            stream = _core.Unpacked(packed)
            tar = _is_tar(_unpacked_head(start) if stream.layers else start)
            found = _tar(stream) if tar else _single(stream, inside)
        for member in found:
            yield from _opened(member, notes, depth)
    except _DAMAGE as error:
        notes.append(f"{inside}: the archive is damaged or cut: {error}; what came before was read")


def _opened(member: Member, notes: list[str], depth: int) -> Iterator[Member]:
    """The member itself, or what is in it."""
    if not is_archive(member.head[:512]) or member.is_capture:
        yield member
    elif depth >= _DEEPEST:
        notes.append(f"{member.path}: an archive inside {depth} others was left out")
    else:
        name = member.path.with_suffix("") if member.path.suffix in _ENDINGS else member.path
        for inner in _members(member.content(), notes, name, depth + 1):
            yield inner if inner.path == name else Member(name / inner.path, inner.mtime, inner.head, inner.rest)


_ENDINGS = frozenset((".gz", ".bz2", ".xz", ".zst", ".lz4", ".tgz", ".tar", ".zip"))


def inner_name(path: PurePath) -> PurePath:
    """What a compressed file is called without its ending."""
    return path.with_suffix("") if path.suffix in _ENDINGS else path


def _start(packed: Path | bytes) -> bytes:
    if isinstance(packed, bytes):
        return packed[:HEAD]
    with packed.open("rb") as file:
        return file.read(HEAD)


def _is_zip(start: bytes) -> bool:
    return start[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def _is_tar(start: bytes) -> bool:
    """POSIX and GNU tar have a magic; older ones only a checksum over the header (octal, at 148, itself as blanks)."""
    header = start[:512]
    if header[257:262] == b"ustar":
        return True
    digits = header[148:156].strip(b" \0")
    if len(header) < 512 or not digits or not digits.isdigit():
        return False
    try:
        return int(digits, 8) == sum(header[:148]) + 8 * 0x20 + sum(header[156:])
    except ValueError:
        return False


def _unpacked_head(start: bytes) -> bytes:
    """The first bytes without compressions; damage, as of a head that is cut, gives what came before it."""
    stream = _core.Unpacked(start)
    if not stream.layers:
        return start
    taken = b""
    try:
        for _ in range(512):  # byte by byte, for a read that meets the cut gives nothing
            taken += stream.read(1)
    except OSError:
        pass
    return taken


def _single(stream: _core.Unpacked, inside: PurePath) -> Iterator[Member]:
    yield Member(inside, None, stream.read(HEAD), stream.read)
    stream.read(1)  # damage is told once, behind what came before it


class _Readable(io.RawIOBase):
    """What `tarfile` reads a stream from."""

    def __init__(self, stream: _core.Unpacked) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        return self._stream.read(size if 0 <= size <= LONGEST else LONGEST)


def _tar(stream: _core.Unpacked) -> Iterator[Member]:
    with tarfile.open(fileobj=_Readable(stream), mode="r|", ignore_zeros=False) as tar:
        for entry in tar:
            file = tar.extractfile(entry) if entry.isfile() else None
            if file is not None:
                yield Member(_inside(entry.name), round(entry.mtime * 10**9), file.read(HEAD), file.read)


def _zip(packed: Path | bytes) -> Iterator[Member]:
    with zipfile.ZipFile(io.BytesIO(packed) if isinstance(packed, bytes) else packed) as archive:
        for entry in archive.infolist():
            if entry.is_dir():
                continue
            with archive.open(entry) as file:
                yield Member(_inside(entry.filename), _dos_time(entry), file.read(HEAD), file.read)


def _dos_time(entry: zipfile.ZipInfo) -> int | None:
    try:
        return int(datetime(*entry.date_time, tzinfo=UTC).timestamp()) * 10**9
    except ValueError:
        return None


def _inside(name: str) -> PurePath:
    """A member's name as a path below nothing: without roots, drives and `..`; bytes that are no UTF-8 as `\\xff`."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    parts = [part for part in PurePosixPath(text).parts if part not in ("/", "//", "..", ".")]
    return PurePath(*parts) if parts else PurePath("unnamed")
