"""The README's commands are the ones that exist: its two set-up lines, and every `badhop` line in its examples."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCED = "\n".join(re.findall(r"^```.*\n([\s\S]*?)^```", README, re.MULTILINE))
COMMANDS = re.findall(r"`badhop ([a-z]+)", README) + re.findall(r"^(?:\$ )?badhop ([a-z]+)", FENCED, re.MULTILINE)


def test_two_commands_stand_near_the_top() -> None:
    top = "\n".join(README.splitlines()[:30])
    install, check = re.findall(r"```sh\n(.+)\n```", top)
    assert install == "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/badhop demo"
    assert check == "./.ci/test"


def test_the_example_is_what_badhop_prints() -> None:
    (example,) = re.findall(r"^```console\n\$ badhop (.*)\n([\s\S]*?)^```", README, re.MULTILINE)
    command = [sys.executable, "-m", "badhop", *example[0].split()]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    shown = example[1].removesuffix("[…]\n")
    assert ran.stdout.startswith(shown), "paste the output anew into the README"


def test_ci_runs_the_test_command_of_the_readme() -> None:
    for name in ("run", "test"):
        assert os.access(ROOT / ".ci" / name, os.X_OK), f".ci/{name} is not executable"
    assert (ROOT / ".ci/run").read_text().rstrip().endswith("\n./.ci/test")


def test_a_misspelt_step_of_the_test_command_lists_the_steps() -> None:
    ran = subprocess.run([ROOT / ".ci/test", "pyhton"], capture_output=True, text=True, check=False)
    assert ran.returncode == 64
    assert "steps: setup fmt lint types rust python" in ran.stderr


def test_the_table_of_commands_is_complete() -> None:
    ran = subprocess.run([sys.executable, "-m", "badhop", "--help"], capture_output=True, text=True, check=True)
    _, _, listed = ran.stdout.partition("Commands:\n")
    assert set(re.findall(r"^  ([a-z]+)", listed, re.MULTILINE)) == set(COMMANDS)


@pytest.mark.parametrize("name", sorted(set(COMMANDS)))
def test_every_command_in_the_readme_exists(name: str) -> None:
    ran = subprocess.run([sys.executable, "-m", "badhop", name, "--help"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
