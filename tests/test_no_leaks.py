"""Nothing in the repository names a package registry's host or a path of the machine it was written on."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
REGISTRIES = re.compile(r"\b(?:pypi|pythonhosted|crates|npmjs|rubygems|proxy\.golang)\.(?:org|io|com)\b")
MACHINE = re.compile(r"(?<![\w.}~-])/(?:work|root|home|tmp|mnt|Users)/\w")
CARGO_SOURCE = re.compile(r'source = "registry\+https://github\.com/rust-lang/crates\.io-index"')
"""How every Cargo.lock names the public index; it is no setting of ours."""


def files() -> list[Path]:
    told = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return [ROOT / name for name in told.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.mark.parametrize("forbidden", [REGISTRIES, MACHINE], ids=["registry host", "machine path"])
def test_no_file_names_it(forbidden: re.Pattern[str]) -> None:
    found = []
    listed = files()
    if not listed:
        pytest.skip("not a git checkout")
    for path in listed:
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
            if not CARGO_SOURCE.fullmatch(line) and (match := forbidden.search(line)):
                found.append(f"{path.relative_to(ROOT)}:{number}: {match.group()}")
    assert not found
