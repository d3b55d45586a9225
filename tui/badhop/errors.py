"""What can go wrong for a user, as exceptions that name the thing, the place and the next step."""

from pathlib import Path


class BadhopError(Exception):
    """Any error that is told to the user and not a defect of badhop."""


class Unreadable(BadhopError):
    """Evidence that cannot be read at all. `str()` is one line.

    `place` is a byte, line or block in words, or "" for the file as a whole. Text from the file is not escaped here:
    that is for whoever prints it.
    """

    def __init__(self, path: Path, place: str, what: str, next_step: str) -> None:
        super().__init__(path, place, what, next_step)
        self.path = path
        self.place = place
        self.what = what
        self.next_step = next_step

    def __str__(self) -> str:
        where = f"{self.path}: {self.place}" if self.place else str(self.path)
        return f"{where}: {self.what}; {self.next_step}" if self.next_step else f"{where}: {self.what}"


class Cancelled(BadhopError):
    """The user asked to stop; nothing is half done."""

    def __str__(self) -> str:
        return "cancelled"
