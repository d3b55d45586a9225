"""Makes the sample incidents of this folder, each with its known culprit: the same bytes on every run and machine.

python captures/make.py [NAME…]      write them
python captures/make.py --check      compare them with what is here; exit 1 when they differ
"""

import argparse
import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from scapy.utils import RawPcapWriter

sys.dont_write_bytecode = True  # this folder is packed into the wheel as it is

from fabric import Fabric, Place  # noqa: E402
from ring import RANKS, ring  # noqa: E402
from wire import PMTU, Nic, Transport, frame  # noqa: E402

HERE = Path(__file__).parent
SNAP_LEN = 96
"""Enough for every header that these packets carry."""
START = 1_773_456_067_000_000_000
"""ns since 1970 of the first event: 14 March 2026, 02:41:07 UTC."""
LIMIT = 300_000
"""A sample is at most this many bytes."""

Loses = Callable[[Place, Nic, Nic, Transport, Random], bool]


@dataclass(frozen=True)
class Incident:
    """A sample: its story, what the fabric does wrong, and what badhop must say."""

    name: str
    title: str
    says: str
    made: str
    loses: Callable[[], Loses]
    hop: str | None = None
    seed: int = 1


def nothing() -> Loses:
    return lambda place, src, dst, packet, random: False


def dirty_uplink() -> Loses:
    """Bit errors on the cable from the second host to the leaf: a packet is lost in proportion to its length."""

    def loses(place: Place, src: Nic, dst: Nic, packet: Transport, random: Random) -> bool:
        return (place, src) == ("uplink", RANKS[1]) and random.random() < 0.03 * packet.wire_len / PMTU

    return loses


def shallow_downlink() -> Loses:
    """The leaf's port to the third host drops one to three packets in a row; small ones still fit into its buffer."""
    left = 0

    def loses(place: Place, src: Nic, dst: Nic, packet: Transport, random: Random) -> bool:
        nonlocal left
        if (place, dst) != ("downlink", RANKS[2]) or packet.wire_len < 1_000:
            return False
        if not left and random.random() < 0.02:
            left = 1 + int(random.random() * 3)
        left, lost = max(left - 1, 0), left > 0
        return lost

    return loses


INCIDENTS = (
    Incident(
        "roce-loss-before-tap",
        "RoCE loss between a host and the leaf",
        "gpu12 (10.0.1.12) loses packets on its cable to the leaf, before the tap there; all other hosts are well.",
        "Four hosts run a ring all-reduce while bit errors on the cable from gpu12 to the leaf eat about 3 % of its "
        "full packets; the tap mirrors what enters the leaf, so it never sees the lost ones.",
        dirty_uplink,
        "side:source@tor.pcap",
        seed=8,
    ),
    Incident(
        "roce-loss-after-tap",
        "RoCE loss between the leaf and a host",
        "What the leaf sends to gpu13 (10.0.1.13) is lost after the tap; all other hosts are well.",
        "Four hosts run a ring all-reduce while the leaf's port to gpu13 drops one to three full packets in a row now "
        "and then; the tap mirrors what enters the leaf, so it sees the lost ones pass.",
        shallow_downlink,
        "side:destination@tor.pcap",
        seed=5,
    ),
    Incident(
        "healthy-ring",
        "A healthy ring all-reduce",
        "Nothing is wrong: four hosts run a ring all-reduce and one reads from storage, without any loss.",
        "Four hosts run a ring all-reduce (WRITE data, clear-to-send the other way, coalesced ACKs, one PSN wrap) and "
        "one reads from storage; nothing is lost.",
        nothing,
    ),
)


def capture(fabric: Fabric) -> bytes:
    """What the tap saw, as a pcap with nanosecond stamps; packets are cut at the snap length."""
    file = io.BytesIO()
    writer = RawPcapWriter(file, linktype=1, endianness="<", nano=True, snaplen=SNAP_LEN)
    writer.write_header(None)
    for seen in fabric.tapped:
        whole = frame(seen.src, seen.dst, seen.sport, seen.ip_id, seen.packet)
        seconds, ns = divmod(START + seen.ts, 1_000_000_000)
        kept = whole[:SNAP_LEN]
        writer.write_packet(kept, sec=seconds, usec=ns, caplen=len(kept), wirelen=len(whole))
    return file.getvalue()


def truth(incident: Incident, fabric: Fabric) -> dict[str, object]:
    """What happened, and what badhop must find."""
    between = {"uplink": "{0.src.ip} and tor.pcap", "downlink": "tor.pcap and {0.dst.ip}"}
    return {
        "schema": 1,
        "name": incident.name,
        "title": incident.title,
        "says": incident.says,
        "playbook": "roce-loss",
        "files": {"tor.pcap": "mirror of everything that enters the leaf, snap length 96, nanosecond stamps"},
        "verdict": "side-only" if incident.hop else "healthy",
        "hops": [{"id": incident.hop, "mode": "graydrop"}] if incident.hop else [],
        "packets": len(fabric.tapped),
        "lost": [
            {
                "src": seen.src.ip,
                "dst": seen.dst.ip,
                "qp": seen.packet.dest_qp,
                "psn": seen.packet.psn,
                "between": between[place].format(seen),
            }
            for place, seen in fabric.lost
        ],
        "made_by": f"captures/make.py {incident.name}",
    }


def files(incident: Incident) -> dict[str, bytes]:
    """The files of a sample, by name."""
    fabric = ring(incident.seed, incident.loses())
    told = json.dumps(truth(incident, fabric), indent=2, ensure_ascii=False) + "\n"
    made_by = f"Made by `python captures/make.py {incident.name}`; `truth.json` lists each lost packet."
    readme = f"# {incident.title}\n\n{incident.made}\n{made_by}\n"
    made = {"tor.pcap": capture(fabric), "truth.json": told.encode(), "README.md": readme.encode()}
    size = sum(map(len, made.values()))
    if size >= LIMIT:
        raise SystemExit(f"{incident.name}: {size} bytes are more than the {LIMIT} allowed: make the workload smaller")
    print(f"{incident.name}: {len(fabric.tapped)} packets, {len(fabric.lost)} lost, {size} bytes", file=sys.stderr)
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="samples to make (default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file differs")
    options = parser.parse_args()
    if unknown := set(options.names) - {incident.name for incident in INCIDENTS}:
        parser.error(f"no such sample: {', '.join(sorted(unknown))}")
    stale = []
    for incident in INCIDENTS:
        if options.names and incident.name not in options.names:
            continue
        folder = HERE / incident.name
        for name, content in files(incident).items():
            if not options.check:
                folder.mkdir(exist_ok=True)
                (folder / name).write_bytes(content)
            elif not (folder / name).is_file() or (folder / name).read_bytes() != content:
                stale.append(f"{incident.name}/{name}")
    if stale:
        print(f"differ from what captures/make.py makes: {', '.join(stale)}", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
