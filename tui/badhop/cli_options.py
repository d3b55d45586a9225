"""Arguments and options that several commands take, each declared once, and what they mean for the reading."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from badhop.sources.options import Options

Sources = Annotated[list[str], typer.Argument(metavar="SOURCE", help="Captures, or folders of them; `-` is a pipe.")]
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


def reading(*, no_cache: bool = False) -> "Options":
    """How the sources are to be read."""
    from badhop.sources.options import Options

    return Options(cache=not no_cache)
