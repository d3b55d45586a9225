"""The benchmark counts right: all contenders find the same packets. Speed is measured by hand, never asserted here."""

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parent.parent / "bench"
PACKETS = 10_000


def test_all_contenders_find_the_same_packets() -> None:
    # The script itself stops with an error when a count differs from the number of packets generated.
    command = [sys.executable, str(BENCH / "run.py"), "--packets", str(PACKETS), "--runs", "1", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    counts = {row["name"]: row["count"] for row in json.loads(ran.stdout)}
    assert counts["track"] == counts["scan"] == counts["diagnose"] == PACKETS
    if "skipped tshark" not in ran.stderr:
        assert counts["tshark"] == PACKETS
