"""Name the hop: evidence in, verdict out. Knows nothing of files, playbooks or screens."""

from badhop.localise.decide import decide
from badhop.localise.detectors import DETECTORS, Detector
from badhop.localise.evidence import Finding
from badhop.localise.facts import Fabric, Facts, Segment, Tap, facts_of
from badhop.localise.places import Places
from badhop.localise.questions import MODES, Mode
from badhop.localise.verdict import EXIT_CODES, Evidence, Hop, Measurement, Rival, Verdict

__all__ = [
    "DETECTORS",
    "EXIT_CODES",
    "MODES",
    "Detector",
    "Evidence",
    "Fabric",
    "Facts",
    "Finding",
    "Hop",
    "Measurement",
    "Mode",
    "Places",
    "Rival",
    "Segment",
    "Tap",
    "Verdict",
    "decide",
    "facts_of",
]
