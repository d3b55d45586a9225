"""How much of a disk badhop may take: a node in trouble must not run full because of its diagnosis."""

import shutil
from pathlib import Path

SPARE = 512 << 20
"""Bytes that are always left free."""


def has_room(folder: Path, size: int = 0) -> bool:
    """Whether the disk of `folder` has room for `size` more bytes and still the spare ones."""
    return shutil.disk_usage(folder).free >= SPARE + size
