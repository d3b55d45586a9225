"""Makes first inputs for the fuzz targets of what others captured and dumped: `seed.py [FOLDER WITH corpus/ AND rxe/]`.

Nothing of the corpus is kept in the repository: `fuzz/corpus/` is ignored. Files above 64 kB are left out, for a fuzzer
learns nothing from their length.
"""

import os
import struct
import sys
from pathlib import Path

import scripts

HERE = Path(__file__).resolve().parent
LONGEST = 64 * 1024
PACKETS = 3
"""Packets of each file that become inputs of the target `packet`."""

MAGICS = [0xA1B2C3D4, 0xA1B23C4D, 0xA1B2CD34, 0x1C0001AC, 0x1C0001AB]
COMPRESSIONS = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"\xfd7zXZ\0", b"BZh"]


def pcap(content: bytes) -> tuple[int, bytes] | None:
    """Choice byte and the rest, as the target `pcap` takes them."""
    for number, magic in enumerate(MAGICS):
        for big, stored in enumerate((struct.pack("<I", magic), struct.pack(">I", magic))):
            if content[:4] == stored:
                return number << 1 | big, content[4:]
    return None


def packets(content: bytes) -> list[bytes]:
    """The first packets of a pcap file, each behind its link type."""
    order = "<" if content[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    if len(content) < 24:
        return []
    link_type = struct.unpack_from(f"{order}I", content, 20)[0] & 0xFFFF
    place = 24
    found: list[bytes] = []
    while place + 16 <= len(content) and len(found) < PACKETS:
        length = struct.unpack_from(f"{order}I", content, place + 8)[0]
        found.append(struct.pack("<H", link_type) + content[place + 16 : place + 16 + length])
        place += 16 + length
    return found


def main() -> None:
    default = os.environ.get("BADHOP_CORPUS", HERE.parents[2].parent / "shared")
    shared = Path(sys.argv[1] if len(sys.argv) > 1 else default)
    count: dict[str, int] = {}

    def write(target: str, name: str, content: bytes) -> None:
        folder = HERE / "corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        count[target] = count.get(target, 0) + 1

    for path in sorted((shared / "corpus/files").glob("*/*")):
        content = path.read_bytes()
        for number, magic in enumerate(COMPRESSIONS):
            if content.startswith(magic):
                write("unpack", path.name, bytes([number]) + content[:LONGEST])
        if len(content) > LONGEST:
            content = content[:LONGEST]
        write("track", path.name, content)
        if content[:4] == b"\x0a\x0d\x0d\x0a":
            big = content[8:12] == b"\x1a\x2b\x3c\x4d"
            length = struct.unpack_from(">I" if big else "<I", content, 4)[0]
            write("pcapng", path.name, bytes([big]) + content[length:])
        elif found := pcap(content):
            choice, rest = found
            write("pcap", path.name, bytes([choice]) + rest)
            for number, packet in enumerate(packets(content)):
                write("packet", f"{path.name}-{number}", packet)
        for target, script in scripts.of(content):
            write(target, path.name, script)
    for path in sorted((shared / "rxe/runs").glob("*/*.pcap")):
        with path.open("rb") as file:
            content = file.read(LONGEST)
        for target, script in scripts.of(content):
            write(target, f"{path.parent.name}-{path.name}", script)
    for number, wrappers in enumerate(scripts.tunnels()):
        write("tunnels", f"wrapper-{number}", wrappers.bytes())
    for path in sorted((shared / "corpus/text/pytorch_fr").glob("*__dump_*")):
        write("pickle", path.name, path.read_bytes()[:LONGEST])
    for target, files in sorted(count.items()):
        print(f"{target}: {files} inputs")


if __name__ == "__main__":
    main()
