"""Every detector and its weight, in one place.

A detector is what a playbook step names with `detector=`. `sensitivity` is the chance that it fires when its hop is at
fault and its table is filled, `leak` the chance that it fires with no fault at all; both follow the leaky noisy-OR of
Pearl (1988). `full_at` is the number of independent pieces (loss episodes, NAKs, marked flows) that earn the full
weight; fewer earn the square root of their share, because pieces of one capture come in bursts.

`origin` says where the numbers are from. None is fitted yet: until the simulator has measured them they are
judgements, some of them checked against counted faults.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log10, sqrt
from types import MappingProxyType


@dataclass(frozen=True)
class Detector:
    """One kind of evidence."""

    name: str
    says: str
    sensitivity: float
    leak: float
    full_at: float
    origin: str

    def db(self, strength: float) -> float:
        """Weight of `strength` independent pieces, in dB of likelihood ratio."""
        ratio = (1 - (1 - self.leak) * (1 - self.sensitivity)) / self.leak
        return 10 * log10(ratio) * min(1.0, sqrt(max(strength, 0.0) / self.full_at))

    def silent_db(self, shown: float) -> float:
        """Weight of its silence, in dB: negative. `shown` is the chance that the fault had anything to show."""
        return 10 * log10(1 - self.sensitivity * min(max(shown, 0.0), 1.0))


def _by_name(*detectors: Detector) -> Mapping[str, Detector]:
    return MappingProxyType({detector.name: detector for detector in detectors})


DETECTORS: Mapping[str, Detector] = _by_name(
    Detector(
        "psn-split",
        "packets were lost, and this tap knows on which side of it",
        0.90,
        0.009,
        5,
        "design table (20 dB from 5 episodes); right at every tap of the counted Soft-RoCE drops",
    ),
    Detector(
        "segment-loss",
        "packets passed one tap, and the next one never saw them",
        0.98,
        0.001,
        2,
        "design table (+30 dB from two witnesses, -17 dB when silent); exact on every counted Soft-RoCE drop",
    ),
    Detector(
        "no-answer",
        "requests passed this tap, nothing came back, and they were sent again after a timeout",
        0.85,
        0.02,
        4,
        "judgement: a slow host does the same once; repeated rounds do not happen by themselves",
    ),
    Detector(
        "ack-loss",
        "the data had arrived, and its acknowledgement was lost",
        0.85,
        0.02,
        4,
        "judgement: a slow host does the same once",
    ),
    Detector(
        "ack-gap",
        "acknowledgements were sent and never came by",
        0.85,
        0.01,
        5,
        "the responder's counter skips exactly what is missing: in 30 of 31 jumps of a run that lost 43 of 150, and in"
        " none of the other 32 runs",
    ),
    Detector(
        "icrc",
        "packets passed this tap with a wrong ICRC",
        0.60,
        0.001,
        2,
        "design table (+28 dB): a CRC of 32 bits does not fail by chance",
    ),
    Detector(
        "silent-loss",
        "packets of unreliable connections never came by",
        0.60,
        0.30,
        5,
        "judgement: nobody acknowledges them, so the capture may have lost them as well",
    ),
    Detector(
        "reorder",
        "packets arrived out of order, and nothing was lost",
        0.90,
        0.01,
        3,
        "acknowledgement of resent PSNs: 0 of 140 loss episodes, 19 to 28 % of reordered ones",
    ),
    Detector(
        "receiver-not-ready",
        "the receiver had no buffer posted",
        0.95,
        0.005,
        2,
        "RNR NAKs say so themselves (IBTA 9.7.5.2.8)",
    ),
    Detector(
        "fatal-nak",
        "the responder refused a request",
        0.98,
        0.001,
        1,
        "NAK codes 1 to 3 say so themselves (IBTA 9.7.5.2.2)",
    ),
    Detector(
        "short-timer",
        "the sender's timer fires before an answer can be back",
        0.85,
        0.01,
        5,
        "judgement, checked on a run with a 4 ms timer and 24 ms of delay",
    ),
    Detector(
        "duplicate",
        "one transmission passed this tap twice",
        0.90,
        0.02,
        5,
        "judgement: the IP identification tells copies from repeats",
    ),
    Detector("pause", "a port asked its neighbour to stop", 0.85, 0.03, 50, "design table (+15 dB)"),
    Detector("ecn", "switches marked congestion", 0.85, 0.05, 10, "design table (+12 dB)"),
    Detector(
        "capture-drop",
        "the capture itself lost packets",
        0.95,
        0.005,
        3,
        "acknowledged and never seen: 94 to 100 % of the drops of a capture in simulation",
    ),
)
