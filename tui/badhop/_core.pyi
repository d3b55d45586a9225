"""Packet captures as tables: the Rust half. Times are nanoseconds since 1970, UTC; frames count from 1."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Literal, TypeAlias, TypedDict, final

__all__ = [
    "Cancelled",
    "CaptureError",
    "Frame",
    "Packet",
    "Scan",
    "Unpacked",
    "__version__",
    "begins_a_capture",
    "compare_taps",
    "container",
    "ethtool_series",
    "exposition",
    "line_protocol",
    "packet",
    "read_pickle",
    "records",
    "scan",
    "tables",
    "track",
]

__version__: str

_Path: TypeAlias = str | PathLike[str]
_Paths: TypeAlias = _Path | Sequence[_Path]
"""A file, or those of one rotation in the order of time, read as one capture: frames are numbered through, flows go on
over the borders, interfaces that are described alike are one. A file of several that cannot be opened is a row of
`problems`, like other damage with the name of its file; CaptureError is raised when none can be opened."""

class _Declaration(TypedDict):
    name: str
    doc: str
    scanned: bool
    columns: list[tuple[str, str, str, str]]
    """Name, type, unit, sentence."""

class _Readings(TypedDict):
    """Counters of a text. Lines and samples count from 1."""

    readings: Frame
    """`series` (row of the frame of series), `line`, `sample`, `value`, and `ts_ms` where any row has its own time."""
    series: Frame
    between: list[tuple[int, int, str]]
    """Lines between samples: the sample that each begins, its line, itself."""
    unread: list[tuple[int, str]]
    """Lines that could not be read, or whose value is none."""
    more_unread: int
    """How many more of them there are."""
    full: int | None
    """The line from which on nothing was read, because a limit was hit."""

class _Records(TypedDict):
    """Records that all look alike."""

    rows: Frame
    """A column for each field: f64, for times i64, and for texts the number of the text."""
    texts: list[tuple[str, list[str]]]
    """The text fields and their texts."""
    unread: int
    """Bytes from the first record on that does not look like the first one."""

@final
class Frame:
    """Rows of one table, by the Arrow PyCapsule protocol: `polars.DataFrame(frame)` reads them in place."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Unpacked:
    """A file, or bytes, without the compressions around them (gzip, zstd, lz4, xz, bzip2), as a stream.

    Raises OSError: it cannot be opened, is damaged, asks for absurd memory or unpacks to far too much.
    """

    def __init__(self, packed: _Path | bytes) -> None: ...
    @property
    def layers(self) -> list[str]: ...
    def read(self, count: int) -> bytes:
        """At most `count` bytes, none at the end. What comes before damage is given before it is raised."""

@final
class Scan(Iterator[Frame]):
    """A scan under way."""

    def __iter__(self) -> Scan: ...
    def __next__(self) -> Frame: ...

@final
class Packet:
    """A packet as captured. `wire_len` counts what the capture cut off, `captured_len` does not."""

    @property
    def frame(self) -> int: ...
    @property
    def ts(self) -> int | None: ...
    @property
    def link_type(self) -> int: ...
    @property
    def captured_len(self) -> int: ...
    @property
    def wire_len(self) -> int: ...
    @property
    def data(self) -> bytes: ...

class CaptureError(ValueError):
    """A file that cannot be read as a capture."""

    path: PathLike[str]
    kind: Literal["io", "not-a-capture", "unsupported"]
    """The system refused; the content is something else; it is a capture of a kind that is not read."""
    offset: int | None
    """Byte of the (uncompressed) capture; None when the file could not be opened."""
    what: str
    next: str

class Cancelled(Exception):
    """The progress callback returned false."""

def tables() -> list[_Declaration]:
    """Every table that Rust makes, in the order in which they are shown."""

def container(path: _Path) -> str:
    """`pcap` or `pcapng`, with `+gzip`, `+zstd` … when compressed; reads the first bytes only. Raises CaptureError."""

def scan(
    paths: _Paths,
    table: str,
    source: str,
    columns: Sequence[str] | None,
    batch_rows: int,
    limit: int | None,
    threads: int | None = None,
) -> Scan:
    """Rows of `packets`, `roce` or `pauses`, at most `limit`.

    They are the same for any number of `threads` that read ahead of the caller; without it there are as many as fit.
    Raises CaptureError; ValueError for an unknown name.
    """

def track(
    paths: _Paths,
    source: str,
    progress: Callable[[int, int | None], bool] | None = None,
    *,
    link_speed: int | None = None,
    link_speeds: Mapping[str, int] | None = None,
    follow: Callable[[int], bool] | None = None,
    idle: float | None = None,
    threads: int | None = None,
) -> dict[str, Frame]:
    """The tracked tables of a capture by name, in one pass; the same whatever the number of threads.

    `link_speed` is the speed of the links in bit/s, `link_speeds` that of the link of each port by its MAC, which goes
    first: a pause is counted in bit times, and its length is null where the speed is not known.

    `progress(bytes read, file size or None)` is called at once and then at most every 50 ms; what it raises passes
    through; sizes are of all files. With `follow` the last file is taken as one that still grows: at its end
    `follow(bytes read of it)` is called every 200 ms, also while its header is not there yet. False ends the file, with
    all that was written before; a packet that is there in part is then no problem. So do `idle` seconds without growth.
    Raises CaptureError, Cancelled; ValueError for a speed below 1 or a MAC that is none.
    """

def compare_taps(
    captures: Sequence[tuple[_Path, str]], progress: Callable[[str, int, int | None], bool] | None = None
) -> dict[str, Frame]:
    """The tables `segments`, `segment_losses` and `tap_clocks` of captures of the same traffic.

    A capture is a path and the name that its rows carry. `progress(name, bytes read, file size or None)` is called at
    once and then at most every 50 ms; what it raises passes through. Raises CaptureError, Cancelled.
    """

def packet(paths: _Paths, frame: int) -> Packet:
    """Packet number `frame`. Walks the files up to it. Raises CaptureError; IndexError when there are fewer."""

def begins_a_capture(start: bytes) -> bool:
    """Whether these first bytes, unpacked, are those of a pcap or pcapng file."""

def ethtool_series(text: bytes | _Path, most: int, threads: int) -> _Readings:
    """Snapshots of `ethtool -S`, at most `most` readings. A series has a `name`. Raises OSError."""

def exposition(text: bytes | _Path, labels: Sequence[str], most: int, threads: int) -> _Readings:
    """Scrapes of Prometheus or OpenMetrics, at most `most` readings. Raises OSError.

    A series has `name`, `labels` (`key="value",…`, sorted), `type`, `unit`, and `label_KEY` for each of `labels`.
    """

def records(text: bytes | _Path, form: Literal["csv", "jsonl"], whole: Sequence[str], threads: int) -> _Records | None:
    """Columns of records that all look alike; fields in `whole` are times. None where the first does not tell.

    Raises OSError.
    """

def line_protocol(text: bytes | _Path, labels: Sequence[str], most: int) -> _Readings:
    """Points of Influx, at most `most` fields; `time` is as it stands there, `sample` is not told. Raises OSError.

    A series has `name` (measurement and field joined by _), `labels`, `label_KEY`, `measurement` and `field`.
    """

def read_pickle(content: bytes) -> tuple[object, int | None]:
    """The plain data in a pickle of protocol 2 to 5, and the byte at which it was cut short or None.

    Dicts, lists, tuples (as lists), str, int, float, bool, None and bytes; nothing is imported, looked up or called.
    Raises ValueError, with the opcode and its byte, for everything else and for what is too deep or too large.
    """
