"""Whatever stands in a text, the readers of counters raise nothing, and what they say are numbers of their columns."""

from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.sources.outputs.kind import Kind, Output
from badhop.sources.outputs.kinds import fabric, nic
from badhop.sources.outputs.lines import lines_of
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

KINDS = pytest.mark.parametrize("kind", [*nic.KINDS, *fabric.KINDS], ids=lambda kind: kind.name)
FRAGMENTS = st.sampled_from(
    [
        "NIC statistics:",
        "     rx_prio3_pause: ",
        "[0]: rx_discards: ",
        "rx9999_packets: ",
        "link mlx5_0/1 ",
        "out_of_sequence ",
        "\n    # Port counters: Lid 6 port 1 (CapMask: 0x1400)",
        "PortXmitData:....................",
        'Errors for "node7 mlx5_0"',
        "\n       GUID 0x1 port 1: [LinkDownedCounter == ",
        "]",
        "2: eth0: <UP>",
        "    RX: bytes packets",
        "    vf 0 ",
        "eth0: flags=1",
        "\n    RX packets ",
        "Inter-",
        "   Receive",
        "  eth0: 1 2 3",
        "Kernel Interface table",
        "Iface MTU RX-OK RX-ERR Flg",
        "#kernel",
        "\n    TcpRetransSegs ",
        "Tcp: RetransSegs",
        "Tcp: ",
        "Tcp:",
        "    segments received",
        "00000001 00000002",
        "           CPU0 CPU1",
        "  0: ",
        "\n    qdisc mq 0: dev eth0 root",
        " Sent 9 bytes 3 pkt (dropped 2, overlimits 0 requeues 1)",
        " backlog 0b 0p ",
        "\n    Initializing mlnx_perf...",
        "---",
        '[{"ifname":"mlx5_0","port":1,"',
        '"stats64":{"rx":{"bytes":',
        "}}]",
        '{"kernel":{',
        "\n    /sys/class/net/eth0/statistics/rx_bytes:",
        "ports/1/hw_counters/out_of_sequence:",
        "N/A",
        "EINVAL",
        "-1",
        "0",
        "812",
        "1,000",
        "1e999",
        "\n    99999999999999999999",
        "0xffffffffffffffffffff",
        "nan",
        ": ",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\x00",
        "\x1b[1m",
        "ä",
    ]
)
TEXTS = st.lists(FRAGMENTS | st.text(max_size=6), max_size=30).map("".join)


@KINDS
@given(text=TEXTS)
def test_no_text_makes_a_reader_raise(kind: Kind, text: str) -> None:
    lines = lines_of(text.encode("utf-8", "surrogatepass"))
    if not isinstance(kind, Output) or lines is None:
        return
    passage = Passage(PurePath("infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence"), lines)
    rows = Rows("any")
    kind.recognise(passage)
    kind.read(passage, rows)
    frame = rows.frames().get("counters")
    assert frame is None or frame.schema == counters.TABLE.schema()
    assert frame is None or frame["value"].is_finite().fill_null(True).all()
    assert rows.problems() is not None
