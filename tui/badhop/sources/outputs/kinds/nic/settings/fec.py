"""`ethtool --show-fec`: which FEC is configured and which is used; with `-I` also how much it repaired."""

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.nic.settings.heading import headed, heading_line
from badhop.sources.outputs.labelled import labelled, told
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, links

_name, _BEGINS = headed("FEC parameters for")
_WORDS = {"rs": "rs", "baser": "fc", "off": "none", "none": "none"}
"""BaseR is the Firecode FEC of IEEE 802.3 clause 74."""

_STATISTICS = {
    "corrected_blocks": ("fec_corrected_cw", "codewords"),
    "uncorrectable_blocks": ("fec_uncorrectable_cw", "codewords"),
    "corrected_bits": ("fec_corrected_bits", "bits"),
}
"""Names of ethtool and of the vocabulary; counted as IEEE 802.3 clause 30.5.1.1.17 and 18 say."""


def word(text: str) -> str | None:
    """FEC in the words of `links`: rs, fc, none, or the tool's own."""
    value = told(text)
    if value is None:
        return "none" if text.strip().lower() == "none" else None
    return " ".join(_WORDS.get(part.lower(), part.lower()) for part in value.split())


def _recognise(passage: Passage) -> bool:
    return _name(passage) is not None


def _read(passage: Passage, rows: Rows) -> None:
    device = _name(passage)
    heading = heading_line(passage, _BEGINS)
    configured = active = None
    for entry in labelled(passage):
        if entry.label in ("Configured FEC encodings", "Supported/Configured FEC encodings"):
            configured = word(entry.value)
        elif entry.label in ("Active FEC encoding", "Active FEC encodings"):
            active = word(entry.value)
        elif meaning := _STATISTICS.get(entry.label):
            value = float(entry.value) if entry.value.isdecimal() and len(entry.value) < 21 else None
            if value is None:
                rows.problem(entry.line, f"{entry.label}: {entry.value[:40]!r} is no count", "its row has no value")
            rows.add(
                counters.TABLE,
                passage,
                entry.line,
                sample=1,
                device=device,
                direction="rx",
                name=meaning[0],
                unit=meaning[1],
                raw_name=entry.label,
                value=value,
            )
    rows.add(links.TABLE, passage, heading, device=device, fec=active, fec_configured=configured)


KIND = Output("ethtool --show-fec", (links.TABLE, counters.TABLE), _recognise, _read, _BEGINS)
