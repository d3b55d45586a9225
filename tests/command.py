"""Runs badhop as a process of its own, on the samples: what the tests of the command line share."""

import subprocess
import sys
from collections.abc import Sequence

from badhop.samples import Sample, samples

SAMPLES = {sample.name: sample for sample in samples()}
LOSS = SAMPLES["roce-loss-before-tap"]
HEALTHY = SAMPLES["healthy-ring"]


def files(sample: Sample) -> list[str]:
    return [str(path) for path in sample.evidence]


def process(arguments: Sequence[str], **options: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "badhop", *arguments]
    return subprocess.run(command, text=True, check=False, **({"capture_output": True} | options))  # type: ignore[call-overload, no-any-return]
