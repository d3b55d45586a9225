"""Short names for files, as the column `source` shows them: the file name, or as much of its path as is needed."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path


def distinct_names(paths: Sequence[Path]) -> tuple[str, ...]:
    """For each path its shortest tail that no other of these paths ends with, in whole components.

    A path that is given twice, or that has no such tail, is named in full. Bytes of a name that are no UTF-8 are
    written as `\\xff`: a table holds text.
    """
    tails = Counter(tail for path in paths for tail in _tails(path))
    names = (next((tail for tail in _tails(path) if tails[tail] == 1), str(path)) for path in paths)
    return tuple(os.fsencode(name).decode("utf-8", "backslashreplace") for name in names)


def _tails(path: Path) -> tuple[str, ...]:
    parts, slash = path.parts, os.sep
    return (*(slash.join(parts[-length:]) for length in range(1, len(parts))), str(path))
