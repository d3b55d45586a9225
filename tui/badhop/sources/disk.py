"""How much of a disk badhop may take: a node in trouble must not run full because of its diagnosis."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO

SPARE = 512 << 20
"""Bytes that are always left free."""


def has_room(folder: Path, size: int = 0) -> bool:
    """Whether the disk of `folder` has room for `size` more bytes and still the spare ones."""
    return shutil.disk_usage(folder).free >= SPARE + size


def temporary_file() -> tuple[Path, BinaryIO]:
    """A new file to write a capture to, which goes away when the process ends."""
    handle, name = tempfile.mkstemp(prefix="badhop-", suffix=".capture")
    path = Path(name)
    atexit.register(path.unlink, missing_ok=True)
    return path, os.fdopen(handle, "wb")
