"""Small evidence for the tests of the screens, made anew for each test."""

from pathlib import Path

import pytest

from badhop.playbook import Playbook, load
from raw_capture import ack, pcap, roce

PLAYBOOK = """---
title: Lost packets
symptom: it is slow
needs: [loss_episodes]
---

Why this is asked.

## Was anything lost?

One row for each **episode**.

```sql lost needs=roce_qps
SELECT source, kind, sent_frame, nak_frame, resend_frame, ts FROM loss_episodes ORDER BY nak_frame
```

- found → [Where?](#where)
- clear → nothing was lost
- no data → take a capture:

```sh capture root=yes cost="30 s, reads only"
tcpdump -i {iface} -w {bundle}/x.pcap udp port 4791
```

## Where?

On which side.

```sql side
SELECT side, COUNT(*) AS episodes FROM loss_episodes GROUP BY side ORDER BY side
```

- found → the side with most episodes
- clear → nowhere
- no data → nobody knows

## Was it paused?

```sql paused needs=pause_time
SELECT * FROM pause_time
```

- found → paused
- clear → not paused
- no data → capture at the switch
"""


@pytest.fixture
def playbook(tmp_path: Path) -> Playbook:
    """Three steps: rows with frames, rows without, and one that nothing feeds."""
    path = tmp_path / "playbooks" / "lost-packets.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(PLAYBOOK, encoding="utf-8")
    return load(path)


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """Forty packets: WRITE_ONLY and ACK in turn, PSN 0 to 19."""
    packets = []
    for psn in range(20):
        packets += [roce(0x0A, 17, psn, bytes(16) + b"hello, fabric..."), ack(18, psn)]
    return pcap(tmp_path / "tor.pcap", packets)
