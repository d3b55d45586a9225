"""Writes a pcap file to standard output with its records so many times over: a capture of any size, through a pipe.

python bench/repeat.py FILE ROUNDS
"""

import sys
from pathlib import Path

FILE_HEADER = 24
BLOCK = 1 << 20


def main() -> None:
    path, rounds = Path(sys.argv[1]), int(sys.argv[2])
    out = sys.stdout.buffer
    with path.open("rb") as file:
        out.write(file.read(FILE_HEADER))
        for _ in range(rounds):
            file.seek(FILE_HEADER)
            while block := file.read(BLOCK):
                out.write(block)


if __name__ == "__main__":
    main()
