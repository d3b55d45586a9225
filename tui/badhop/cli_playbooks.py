"""`badhop playbooks`: list, show and check the runbooks."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from badhop.cli_options import Folders
from badhop.ending import say
from badhop.printable import printable, printable_lines

if TYPE_CHECKING:
    from badhop.playbook import PlaybookError

app = typer.Typer(rich_markup_mode=None, invoke_without_command=True)


@app.callback()
def playbooks_root(context: typer.Context, playbooks: Folders = None) -> int | None:
    """List, show or check playbooks.

    Example: badhop playbooks check my-runbook.md
    """
    return list_playbooks(playbooks) if context.invoked_subcommand is None else None


@app.command("list")
def list_playbooks(playbooks: Folders = None) -> int:
    """List the playbooks with the symptom each is for."""
    import textwrap

    from badhop.playbook import available

    for found in available(playbooks or (), tell_broken):
        print(f"{printable(found.name)}: {printable(found.title)}")
        lines = textwrap.wrap(printable(found.symptom), 76)
        print("\n".join(f"  {line}" for line in (*lines, printable(str(found.path)))))
    return 0


@app.command("show")
def show_playbook(name: Annotated[str, typer.Argument(metavar="NAME")], playbooks: Folders = None) -> int:
    """Print a playbook as it is written: it reads as a plain runbook."""
    from badhop.playbook import find

    print(printable_lines(find(name, playbooks or ()).path.read_text(encoding="utf-8")), end="")
    return 0


@app.command("check")
def check_playbooks(paths: Annotated[list[Path], typer.Argument(metavar="PATH")]) -> int:
    """Check playbooks without data: form, links, queries.

    Prints file, line and column of each mistake, and ends with 1 when there is one.
    """
    from badhop.playbook import PlaybookError, check, load

    broken = False
    for path in paths:
        try:
            loaded = load(path)
            mistakes: Sequence[PlaybookError] = check(loaded)
        except PlaybookError as error:
            mistakes = (error,)
        for mistake in mistakes:
            print(mistake)
        if not mistakes:
            print(f"{printable(str(path))}: {len(loaded.steps)} steps, no mistake")
        broken = broken or bool(mistakes)
    return 1 if broken else 0


def tell_broken(error: "PlaybookError") -> None:
    """One line on stderr for a playbook that could not be loaded; the others are there all the same."""
    say(f"left out: {error}")
