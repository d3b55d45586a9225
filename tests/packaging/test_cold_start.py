"""What the light commands may load. Module lists are stable; milliseconds are not: bench/cold_start.py prints them."""

import json
import subprocess
import sys

import pytest

HEAVY = {"polars", "textual", "scapy", "rich", "yaml", "asyncio", "badhop.ui", "badhop.sources", "badhop.playbook"}
"""Each costs tens of milliseconds, and a tired engineer waits for them at every `--help`."""

LIGHT = {"badhop", "typer", "click", "shellingham", "typing_extensions", "annotated_doc", "colorama"}
"""Everything outside the standard library that `badhop --help` may load."""

LIST_AT_EXIT = (
    "import atexit, json, sys;atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr));"
)


def modules(code: str) -> set[str]:
    """The modules loaded when `code` has run in an interpreter of its own."""
    ran = subprocess.run([sys.executable, "-c", LIST_AT_EXIT + code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return set(json.loads(ran.stderr.splitlines()[-1]))


def command(*arguments: str) -> str:
    return f"sys.argv = {['badhop', *arguments]!r}; from badhop.cli import main; main()"


def test_help_loads_only_the_command_line_itself() -> None:
    loaded = {name.partition(".")[0] for name in modules(command("--help"))}
    foreign = {name for name in loaded - sys.stdlib_module_names if not name.startswith("_")}
    assert foreign <= LIGHT


@pytest.mark.parametrize("arguments", [("--help",), ("diagnose", "--help"), ("--version",)], ids=" ".join)
def test_light_commands_load_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert not modules(command(*arguments)) & HEAVY


def test_tables_loads_of_the_heavy_modules_only_polars() -> None:
    # Derived tables are declared beside the polars expressions that make them.
    assert modules(command("tables")) & HEAVY <= {"polars"}


def test_importing_badhop_loads_no_polars() -> None:
    loaded = modules("import badhop")
    assert "badhop" in loaded
    assert not loaded & HEAVY
