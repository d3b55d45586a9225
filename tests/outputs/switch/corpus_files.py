"""Files of the corpus by their folder and the end of their name, for tests that pin what each of them holds."""

from pathlib import Path

from badhop.sources.outputs import Told
from outputs.claimed import of_file


def told(corpus: Path, file: str, inside: str | None = None) -> Told:
    """What `folder/name` tells; the name may leave out the project that it is from."""
    folder, name = file.split("/")
    found = [path for path in (corpus / "corpus/text" / folder).iterdir() if path.name in (name, f"{folder}__{name}")]
    found = found or [path for path in (corpus / "corpus/text" / folder).iterdir() if path.name.endswith("__" + name)]
    assert len(found) == 1, (file, found)
    read = of_file(found[0], inside)
    assert read is not None, file
    return read
