"""What is loaded while captures are read, and that mistakes in it are told as if it had come first."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from badhop.meanwhile import Meanwhile
from command import LOSS, files


def test_the_work_goes_on_beside_the_first_thread_and_gives_its_result() -> None:
    may_end = threading.Event()
    working = Meanwhile(lambda: may_end.wait(60) and "made")
    assert working.goes_well()
    may_end.set()
    assert working.result() == "made"
    assert working.goes_well()


def test_what_the_work_raises_is_noticed_meanwhile_and_raised_to_who_asks() -> None:
    failed = threading.Event()

    def fail() -> None:
        try:
            raise LookupError("no such playbook")
        finally:
            failed.set()

    working = Meanwhile(fail)
    assert failed.wait(60)
    with pytest.raises(LookupError, match="no such playbook"):
        working.result()
    assert not working.goes_well()


def test_a_pass_begins_before_polars_is_loaded(tmp_path: Path) -> None:
    program = """
import sys
from badhop import _core
from badhop.sources import cache, read

class Begun(Exception): ...

def track(*_, **__):
    raise Begun("polars" in sys.modules)

_core.track = track
cache.WORTH = 0  # so that an entry is looked for
try:
    read(sys.argv[1:])
except Begun as begun:
    print(begun)
"""
    command = [sys.executable, "-c", program, *files(LOSS)]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "BADHOP_NO_CACHE": ""}
    ran = subprocess.run(command, text=True, capture_output=True, check=True, env=environment)
    assert ran.stdout == "False\n"
