"""How evidence is to be read: what the options of the command line say about it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """The default reads everything to its end, and keeps what it found for the next time."""

    cache: bool = True
    """Whether tables of earlier readings may be used and kept (`--no-cache`)."""
    follow: bool = False
    """Whether files are still being written: they are read when it is enough (`--follow`)."""
    seconds: float | None = None
    """How long a pipe or a file that grows is listened to; None waits for its end or for who asked (`--for`)."""
    link_speed: int | None = None
    """Bits a second of every port that `nic_speeds` does not name; None where nobody knows (`--link-speed`)."""
    host: str | None = None
    """The machine that files are about which do not say it themselves (`--host`)."""
    nic_speeds: tuple[tuple[str, int], ...] = ()
    """MAC and bits a second of the ports whose speed the topology knows."""


DEFAULT = Options()
