"""The benchmark of counter streams counts right and prints every ratio. Speed is measured by hand, never asserted."""

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parent.parent / "bench"


def test_all_readers_find_the_values_that_were_written() -> None:
    # The script itself stops with an error where one of ours finds fewer.
    command = [sys.executable, str(BENCH / "counters.py"), "--scale", "0.001", "--runs", "1", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert all(line["got"] for line in told["compared"] if "prometheus_client" not in line["what"])
    assert {row["name"] for row in told["measured"]} >= {"ethtool", "prometheus", "csv", "jsonl", "polars.read_csv"}
