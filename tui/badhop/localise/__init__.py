"""Name the hop: evidence in, verdict out. Knows nothing of files, playbooks or screens."""

from badhop.localise.decide import decide
from badhop.localise.detectors import DETECTORS, Detector
from badhop.localise.evidence import Finding
from badhop.localise.facts import Facts, Tap, facts_of
from badhop.localise.questions import MODES, Mode
from badhop.localise.verdict import EXIT_CODES, Evidence, Hop, Measurement, Rival, Verdict

__all__ = [
    "DETECTORS",
    "EXIT_CODES",
    "MODES",
    "Detector",
    "Evidence",
    "Facts",
    "Finding",
    "Hop",
    "Measurement",
    "Mode",
    "Rival",
    "Tap",
    "Verdict",
    "decide",
    "facts_of",
]
