"""Where the corpus of real captures is, and one test for each of its files."""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

os.environ["BADHOP_NO_CACHE"] = "1"
"""Tests read captures and not what an earlier run found in them, and leave nothing in the home of whoever runs them."""

REPOSITORY = Path(__file__).parent.parent
CORPUS = Path(os.environ.get("BADHOP_CORPUS", REPOSITORY.parent / "shared")).resolve()
ABSENT = f"no corpus at {CORPUS}: set BADHOP_CORPUS to the folder that holds corpus/ and rxe/"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder with corpus/ and rxe/. Where it is absent the test is skipped, but fails under CI."""
    if not CORPUS.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(ABSENT)
        pytest.skip(ABSENT)
    return CORPUS


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Carries out `@pytest.mark.each_file("argument", "corpus/files/*/*", …)`."""
    for marker in metafunc.definition.iter_markers("each_file"):
        argument, *patterns = marker.args
        metafunc.parametrize(argument, _files(patterns))


def _files(patterns: Iterable[str]) -> list[object]:
    if not CORPUS.is_dir():
        if os.environ.get("CI") == "true":
            raise pytest.UsageError(ABSENT)
        return [pytest.param(None, marks=pytest.mark.skip(reason=ABSENT))]
    files = sorted({path for pattern in patterns for path in CORPUS.glob(pattern) if path.is_file()})
    if not files:
        raise pytest.UsageError(f"nothing in {CORPUS} matches {', '.join(patterns)}")
    return [pytest.param(path, id=str(path.relative_to(CORPUS))) for path in files]
