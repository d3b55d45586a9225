"""How long the light commands take from a cold interpreter, and how many modules they load. Printed, never asserted.

What must not be loaded is asserted in tests/packaging; milliseconds depend on the machine.
"""

import subprocess
import sys
import time
from statistics import median

RUNS = 5
CASES = {
    "python itself": "",
    "import badhop": "import badhop",
    "badhop --help": "import sys; sys.argv = ['badhop', '--help']; from badhop.cli import main; main()",
    "badhop tables": "import sys; sys.argv = ['badhop', 'tables']; from badhop.cli import main; main()",
}
COUNT = "import atexit, sys; atexit.register(lambda: print(len(sys.modules), file=sys.stderr)); "


def main() -> None:
    for name, code in CASES.items():
        spent, modules = [], "?"
        for _ in range(RUNS):
            start = time.perf_counter()
            done = subprocess.run([sys.executable, "-c", COUNT + code], capture_output=True, text=True, check=False)
            spent.append(time.perf_counter() - start)
            if done.returncode:
                raise SystemExit(f"{name} failed: {done.stderr}")
            modules = done.stderr.split()[-1]
        print(f"{name:16} {median(spent) * 1e3:7.0f} ms {modules:>6} modules")


if __name__ == "__main__":
    main()
