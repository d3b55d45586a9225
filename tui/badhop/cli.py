"""The command line: arguments, exit codes, what goes to stdout and what to stderr.

Results go to stdout, talk to stderr. Exit codes of `diagnose` are those of monitoring plug-ins (see `localise`). Other
codes follow sysexits.h (64 wrong use, 66 unreadable input, 70 a defect of badhop) and the shell (130 Ctrl-C, 141 the
reader went away). Everything heavy is imported by the command that needs it, so that `--help` comes at once.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeGuard

import typer

from badhop import cli_playbooks
from badhop.cli_options import Folders, Follow, For, Host, LinkSpeed, NoCache, Sources, reading
from badhop.ending import USAGE, WrongUse, run_to_the_end, say
from badhop.formats import RowFormat

if TYPE_CHECKING:
    from badhop.playbook import Playbook
    from badhop.sources import Incident
    from badhop.sources.options import Options

app = typer.Typer(
    name="badhop",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.add_typer(cli_playbooks.app, name="playbooks")


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from (or BADHOP_DEBUG=1).")] = False,
) -> None:
    """Find the bad hop: from packet captures to the place in the fabric that is at fault.

    Begin with `badhop demo`, or with a capture of your own: `badhop open tor.pcap`.
    """
    if version:
        from badhop import __version__

        print(f"badhop {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        say(
            "badhop needs evidence to look at. Do one of these:\n"
            "  badhop demo                           a sample incident\n"
            "  badhop open tor.pcap                  your capture, step by step on the screen\n"
            "  badhop diagnose roce-loss tor.pcap    the same as text\n"
            "All commands: badhop --help"
        )
        raise typer.Exit(USAGE)


@app.command("open")
def open_sources(
    sources: Sources,
    playbooks: Folders = None,
    link_speed: LinkSpeed = None,
    follow: Follow = False,
    seconds: For = None,
    host: Host = None,
    no_cache: NoCache = False,
) -> int:
    """Open evidence on the screen and walk a playbook through it.

    Example: badhop open incident/ tor.pcap.gz

    \b
    From another node, until Enter ends the capture:
      ssh NODE tcpdump -U -s 192 -w - udp port 4791 | badhop open -
    """
    _need_terminal(shlex.join(["badhop", "diagnose", "auto", *sources]))
    from badhop.ui.app import run

    options = reading(no_cache=no_cache, follow=follow, seconds=seconds, link_speed=link_speed, host=host)
    return run([Path(source) for source in sources], None, playbooks or (), options)


@app.command()
def diagnose(
    playbook: Annotated[str, typer.Argument(metavar="PLAYBOOK", help="A name, a path, or `auto`: all that fit.")],
    sources: Sources,
    topology: Annotated[
        Path | None, typer.Option(metavar="FILE", help="topology.yaml with hosts, links and taps.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
    link_speed: LinkSpeed = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write it: .md, .html, .json or .txt by its ending.")
    ] = None,
    playbooks: Folders = None,
    follow: Follow = False,
    seconds: For = None,
    host: Host = None,
    no_cache: NoCache = False,
) -> int:
    """Walk a playbook without a screen and print the verdict.

    Exit code: 0 healthy or the workload, 1 suspect, 2 fault found, 3 cannot tell (also when the capture is to blame).

    Example: badhop diagnose roce-loss tor.pcap --report incident.html

    \b
    For half a minute, from another node:
      ssh NODE tcpdump -U -s 192 -w - udp port 4791 | badhop diagnose roce-loss - --for 30s
    """
    fabric = None
    if topology is not None:
        from badhop.topology import load

        fabric = load(topology)  # first: it says how captures are read
    options = reading(
        no_cache=no_cache, follow=follow, seconds=seconds, link_speed=link_speed, host=host, topology=fabric
    )
    folders = playbooks or ()
    chosen, incident = _read_and_find(None if playbook == "auto" else playbook, folders, report, sources, options)
    from badhop import headless
    from badhop.localise.verdict import EXIT_CODES
    from badhop.report.files import rendered, save

    best, *others = headless.walk_all(
        chosen or headless.candidates(incident, folders, cli_playbooks.tell_broken), incident, fabric
    )
    sys.stdout.write(rendered(best, others, ".json" if json else ".txt", _width()))
    if report is not None:
        try:
            save(best, others, report)
        except OSError as error:
            raise WrongUse(f"cannot write {report}: {error.strerror or error}") from error
    return EXIT_CODES[best.verdict.verdict]


@app.command()
def query(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="One SELECT; `badhop tables` lists tables and columns.")],
    sources: Sources,
    form: Annotated[
        RowFormat | None, typer.Option("--format", help="How to write the rows; else as FILE ends, else a table.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", metavar="FILE", help="Write there (.csv, .json, .parquet); parquet needs it.")
    ] = None,
    link_speed: LinkSpeed = None,
    follow: Follow = False,
    seconds: For = None,
    host: Host = None,
    no_cache: NoCache = False,
) -> int:
    """Ask the tables one question in SQL.

    Example: badhop query "SELECT src, dst, kind, side FROM loss_episodes" tor.pcap

    \b
    Who sends most?
      SELECT src, SUM(wire_len) AS bytes FROM packets GROUP BY src ORDER BY bytes DESC LIMIT 10
    Which queue pairs send again?
      SELECT src, dst, dest_qp, replayed FROM roce_qps ORDER BY replayed DESC LIMIT 10
    How many CNPs a second? (ECN congestion; also with 'millisecond')
      SELECT DATE_TRUNC('second', ts) AS at, COUNT(*) AS cnps FROM roce
        WHERE opcode_name = 'CNP' GROUP BY at ORDER BY at
    How many pause frames a second, and of which port?
      SELECT DATE_TRUNC('second', ts) AS at, sender, COUNT(*) AS frames FROM pauses
        GROUP BY at, sender ORDER BY at
    """
    from badhop import result_formats
    from badhop import sql as queries
    from badhop.analyses import all_tables, with_analyses

    form = form or RowFormat.of(output)
    if form is RowFormat.PARQUET and output is None:
        raise WrongUse("parquet is no text: say where to write it with -o FILE")
    if output is not None and any(_same_file(output, Path(source)) for source in sources):
        raise WrongUse(f"{output} is one of the sources; write to another file")
    queries.check(sql, all_tables().keys())
    options = reading(no_cache=no_cache, follow=follow, seconds=seconds, link_speed=link_speed, host=host)
    incident = _read(sources, options)
    frame = queries.collect(sql, with_analyses(incident.frames))
    if output is None:
        result_formats.write(frame, form, sys.stdout)
    else:
        try:
            result_formats.save(frame, form, output)
        except OSError as error:
            raise WrongUse(f"cannot write {output}: {error.strerror or error}") from error
        say(f"{frame.height} {'row' if frame.height == 1 else 'rows'} written to {output}")
    return 0


@app.command()
def tables(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCE]", help="Count the rows that these give.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the reference page.")] = False,
    vocabulary: Annotated[bool, typer.Option("--vocabulary", help="Print what vendors' counters mean.")] = False,
    follow: Follow = False,
    seconds: For = None,
    host: Host = None,
    no_cache: NoCache = False,
) -> int:
    """List the tables, or which of them these sources fill.

    Example: badhop tables tor.pcap
    """
    from badhop import tables_page
    from badhop.analyses import all_tables

    if json + markdown + vocabulary > 1:
        raise WrongUse("--json, --markdown and --vocabulary exclude each other")
    if vocabulary:
        from badhop.vocabulary import dialects, page

        print(page.markdown(dialects()), end="")
        return 0
    known = all_tables()
    incident = None
    if sources:
        incident = _read(sources, reading(no_cache=no_cache, follow=follow, seconds=seconds, host=host))
    rows = None if incident is None else _row_counts(incident)
    if json:
        import json as encoder

        print(
            encoder.dumps(
                tables_page.json_object(known.values(), rows, incident.sources if incident else None), indent=2
            )
        )
    elif markdown:
        print(tables_page.markdown(known.values()), end="")
    elif incident is None or rows is None:
        print(tables_page.text(known.values()), end="")
    else:
        print(tables_page.filled(incident.sources, known.values(), rows), end="")
    return 0


@app.command()
def demo(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Which sample; a wrong name lists them.")] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Print the verdict instead of opening the app.")] = False,
) -> int:
    """Open a sample incident whose culprit is known.

    Without a terminal, or with --headless, its verdict is printed instead.

    Example: badhop demo roce-loss-before-tap
    """
    from badhop.samples import default, samples

    known = {sample.name: sample for sample in samples()}
    chosen = default(tuple(known.values())) if name is None else known.get(name)
    if chosen is None:
        listed = "\n".join(f"  {sample.name}: {sample.title}" for sample in known.values())
        raise WrongUse(
            f"there is no sample {name}; there are:\n{listed}" if known else "badhop was installed without samples"
        )
    if not headless and sys.stdin.isatty() and sys.stdout.isatty() and _can_move_the_cursor():
        from badhop.ui.app import run

        return run(chosen.evidence, chosen.playbook)
    from badhop import playbook as engine
    from badhop import report

    incident = _read([str(path) for path in chosen.evidence], reading())
    print("\n".join(report.paragraph(f"Sample {chosen.name}: {chosen.title}", _width())) + "\n")
    print(report.text(engine.walk(engine.find(chosen.playbook), incident), _width()))
    print("\n".join(report.paragraph(f"What really happened: {chosen.says}", _width())))
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given or bool(os.environ.get("BADHOP_DEBUG"))
    return run_to_the_end(lambda: _invoke(given), debug=debug)


def _invoke(arguments: list[str]) -> int:
    command = typer.main.get_command(app)
    try:
        with command.make_context("badhop", arguments) as context:
            return command.invoke(context) or 0
    except typer.Exit as leaving:
        return leaving.exit_code
    except Exception as error:
        if not _is_about_arguments(error):
            raise
        say(f"badhop: {error.format_message()}\n{_hint(arguments, error)}")
        return USAGE


def _hint(arguments: Sequence[str], error: typer.BadParameter) -> str:
    """The command that was meant, when a capture stands where a command or a playbook should; else where to read on."""
    first, *rest = arguments or ("",)
    no_such_command = error.ctx is not None and error.ctx.parent is None
    if no_such_command and Path(first).exists():
        return f"Try: {shlex.join(['badhop', 'open', *arguments])}"
    if first == "diagnose" and len(rest) == 1 and Path(rest[0]).exists():
        return f"Try: {shlex.join(['badhop', 'diagnose', 'auto', *rest])}"
    return f"Try: {error.ctx.command_path if error.ctx else 'badhop'} --help"


def _is_about_arguments(error: Exception) -> TypeGuard[typer.BadParameter]:
    """True for any error of click in the arguments; typer brings its own copy of click and names only one of them."""
    return isinstance(error, typer.BadParameter.__mro__[1])


def _same_file(output: Path, source: Path) -> bool:
    return output.exists() and source.exists() and output.samefile(source)


def _width() -> int:
    """Columns for text: 80, or fewer in a smaller window."""
    return min(80, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 80


def _can_move_the_cursor() -> bool:
    """The shell of an editor and a serial line cannot, and say so."""
    return os.environ.get("TERM") != "dumb"


def _need_terminal(instead: str) -> None:
    if not (sys.stdout.isatty() and sys.stderr.isatty() and _can_move_the_cursor()):
        raise WrongUse(f"the app needs a terminal; without one: {instead}")


def _read_and_find(
    playbook: str | None, folders: Sequence[Path], report: Path | None, sources: Sequence[str], options: "Options"
) -> "tuple[tuple[Playbook, ...], Incident]":
    """The evidence, and the playbook of that name with everything that walks it, loaded while the captures are read.

    A playbook that is not there, or a report that cannot be written, ends the reading: that is told and nothing else.
    """
    import badhop.interrupts
    import badhop.progress_line
    import badhop.sources  # noqa: F401  all that reads, before the second thread imports anything
    from badhop.errors import BadhopError
    from badhop.meanwhile import Meanwhile

    def prepared() -> "tuple[Playbook, ...]":
        from badhop import headless  # noqa: F401  what the walk needs
        from badhop.playbook import find
        from badhop.report.files import objection

        if report is not None and (problem := objection(report)):
            raise WrongUse(problem)
        return () if playbook is None else (find(playbook, folders),)

    preparing = Meanwhile(prepared)
    try:
        incident = _read(sources, options, preparing.goes_well)
    except BadhopError:
        preparing.result()  # its error, if there is one: that was the first mistake of the command
        raise
    return preparing.result(), incident


def _read(sources: Sequence[str], options: "Options", go_on: Callable[[], bool] = lambda: True) -> "Incident":
    from badhop.interrupts import first_interrupt
    from badhop.progress_line import ProgressLine
    from badhop.sources import read

    with ProgressLine() as line:

        def reading_on(name: str, done: int, size: int | None) -> bool:
            return line.reading(name, done, size) and go_on()

        return read(sources, progress=reading_on, options=options, enough=first_interrupt)


def _row_counts(incident: "Incident") -> dict[str, int]:
    import polars as pl

    from badhop.analyses import all_tables, with_analyses

    frames = with_analyses(incident.frames)
    return {
        name: incident.rows(name) if name in incident.frames else frames[name].select(pl.len()).collect().item()
        for name in all_tables()
    }
