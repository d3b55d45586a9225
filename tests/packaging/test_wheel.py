"""The wheel holds the package, the playbooks and the samples, each once, and nothing else."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
LINKED = ("playbooks", "captures")
"""Folders at the top that are links in the package: a checkout without links would lose them without any error."""


def listed(*folders: str) -> set[str]:
    """Files of the checkout below `folders` that git does not ignore, links left out."""
    told = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name for name in told.stdout.splitlines() if (ROOT / name).is_file() and not (ROOT / name).is_symlink()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    for tool in ("cargo", "git"):
        if not shutil.which(tool):
            assert os.environ.get("CI") != "true", f"{tool} is missing"
            pytest.skip(f"{tool} is not installed")
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "maturin", "build", "--out", str(out)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (path,) = out.glob("*.whl")
    return zipfile.ZipFile(path)


def test_one_wheel_serves_python_3_11_and_later(wheel: zipfile.ZipFile) -> None:
    assert wheel.filename is not None
    assert re.match(r"badhop-\d+\.\d+\.\d+-cp311-abi3-", Path(wheel.filename).name)


def test_the_package_in_the_wheel_is_the_package_in_the_checkout(wheel: zipfile.ZipFile) -> None:
    package = {name.removeprefix("tui/") for name in listed("tui")}
    expected = package | {f"badhop/{name}" for name in listed(*LINKED)}
    names = [name for name in wheel.namelist() if ".dist-info/" not in name]
    assert len(names) == len(set(names)), "a file is packed twice"
    assert set(names) - {"badhop/_core.abi3.so"} == expected


def test_every_linked_folder_arrived(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert "badhop/playbooks/roce-loss.md" in names
    for sample in ("roce-loss-before-tap", "roce-loss-after-tap", "healthy-ring"):
        assert {f"badhop/captures/{sample}/{file}" for file in ("tor.pcap", "truth.json", "README.md")} <= set(names)


def test_there_is_one_extension_module(wheel: zipfile.ZipFile) -> None:
    assert [name for name in wheel.namelist() if name.endswith(".so")] == ["badhop/_core.abi3.so"]


def test_type_marker_stubs_licence_and_console_script_are_in_it(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert {"badhop/py.typed", "badhop/_core.pyi"} <= set(names)
    (licence,) = (name for name in names if name.endswith(".dist-info/licenses/LICENSE"))
    assert b"Apache License" in wheel.read(licence)
    (scripts,) = (name for name in names if name.endswith(".dist-info/entry_points.txt"))
    assert re.search(r"^badhop\s*=\s*badhop\.cli:main$", wheel.read(scripts).decode(), re.MULTILINE)
