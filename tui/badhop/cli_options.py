"""Arguments and options that several commands take, each declared once, and what they mean for the reading."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from badhop import units

if TYPE_CHECKING:
    from badhop.sources.options import Options
    from badhop.topology import Topology

_Value = TypeVar("_Value")


def _checked(parse: Callable[[str], _Value]) -> Callable[[str], _Value]:
    """The parser as an option takes it: its mistake is one of the command line."""

    def parsed(text: str) -> _Value:
        try:
            return parse(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error

    return parsed


Sources = Annotated[
    list[str],
    typer.Argument(metavar="SOURCE", help="Captures, outputs of tools, logs, or folders of them; `-` is a pipe."),
]
Folders = Annotated[
    list[Path] | None,
    typer.Option(
        "--playbooks",
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="Look for playbooks there first, then in ~/.config/badhop/playbooks; may be given again.",
    ),
]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Read everything anew, and keep nothing (or BADHOP_NO_CACHE=1).")
]

Follow = Annotated[
    bool, typer.Option("--follow", help="The files are still being written: wait for --for or Ctrl-C, then judge.")
]
For = Annotated[
    float | None,
    typer.Option(
        "--for",
        metavar="TIME",
        parser=_checked(units.seconds),
        help="Listen to a pipe or a growing file for so long (30s, 5m), then judge what came.",
    ),
]
Host = Annotated[
    str | None,
    typer.Option("--host", metavar="NAME", help="The machine that outputs are about which do not say it themselves."),
]
LinkSpeed = Annotated[
    int | None,
    typer.Option(
        "--link-speed",
        metavar="SPEED",
        parser=_checked(units.bits_per_second),
        help="Speed of the links where no topology says it (400G, 25Gb/s): it turns pause quanta into time.",
    ),
]


def reading(
    *,
    no_cache: bool = False,
    follow: bool = False,
    seconds: float | None = None,
    link_speed: int | None = None,
    host: str | None = None,
    topology: "Topology | None" = None,
) -> "Options":
    """How the sources are to be read. What the command line says goes before what the topology says of all links."""
    from badhop.sources.options import Options

    return Options(
        cache=not no_cache,
        follow=follow,
        seconds=seconds,
        host=host,
        link_speed=link_speed or (topology.link_speed if topology else None),
        nic_speeds=tuple(sorted(topology.nic_speeds.items())) if topology else (),
    )
