"""The menu of next measurements, and which two of it would settle a verdict."""

from badhop.localise.questions import Question
from badhop.localise.verdict import Measurement

CAPTURE = Measurement(
    "a capture of RoCE in both directions on the path of the slow job",
    "tcpdump -i DEVICE -s 192 -B 16384 -w roce.pcap udp port 4791",
    True,
    "30 s, reads only; DEVICE is the RDMA device (mlx5_0): RDMA goes past the netdev",
    "everything that this playbook asks",
)
SECOND_TAP = Measurement(
    "a second capture at the same time, nearer to the other end (DEVICE: the RDMA device, as mlx5_0)",
    "tcpdump -i DEVICE -s 192 -B 16384 -w second.pcap udp port 4791",
    True,
    "30 s, reads only",
    "the same side again: the fault lies beyond the second tap; the other side: it lies between the two taps",
)
TAP_BETWEEN = Measurement(
    "a third capture at the same time, at a port between the two taps (DEVICE: the RDMA device, as mlx5_0)",
    "tcpdump -i DEVICE -s 192 -B 16384 -w third.pcap udp port 4791",
    True,
    "30 s, reads only",
    "open all three together: on which side of the new tap it happens",
)
PORTS_BETWEEN = Measurement(
    "drop, discard and error counters of every port between the two taps, twice, ten seconds apart",
    "ethtool -S IFACE",
    False,
    "two readings, reads only; on a switch use its own command for port counters",
    "CRC or symbol errors that grow: the link into that port; drops that grow: that port's queue or its filter",
)
NIC_COUNTERS = Measurement(
    "drop, discard and error counters of the NICs and switch ports on that side, twice, ten seconds apart",
    "ethtool -S IFACE",
    False,
    "two readings, reads only",
    "a port whose drops or symbol errors grow is the hop; grown discards at the host mean the host itself",
)
RDMA_COUNTERS = Measurement(
    "the RDMA counters of both ends, twice, ten seconds apart",
    "rdma statistic show link",
    False,
    "two readings, reads only",
    "out_of_sequence at the responder: requests were lost; only local_ack_timeout_err at the requester: answers were",
)
WHOLE_PACKETS = Measurement(
    "a capture of whole packets, so that the ICRC can be checked",
    "tcpdump -i DEVICE -s 0 -c 200000 -w whole.pcap udp port 4791",
    True,
    "a few seconds; up to 1 GB",
    "a wrong ICRC: damage before the tap; all right: drops",
)
BIGGER_BUFFER = Measurement(
    "the capture again, with a short snap length and a large buffer",
    "tcpdump -i DEVICE -s 128 -B 65536 -w again.pcap udp port 4791",
    True,
    "30 s, 64 MB of memory",
    "whether anything is left once the capture keeps up; tcpdump prints its own drops when it ends",
)
RECEIVER = Measurement(
    "what the receiving process is doing when it posts too late",
    "top -H -b -n 1 -p PID",
    False,
    "one second",
    "busy or starved threads: the host; waiting for a GPU: follow that rank",
)
TIMER = Measurement(
    "the timeout that the application sets",
    "printenv NCCL_IB_TIMEOUT NCCL_IB_RETRY_CNT",
    False,
    "none; run it in the job's environment",
    "4.096 us * 2^timeout must lie well above the longest round trip",
)
PAUSE_COUNTERS = Measurement(
    "pause counters of the port that asks for the pause, twice",
    "ethtool -S IFACE",
    False,
    "two readings, reads only",
    "tx_prioN_pause grows at a host: that host is slow; it grows only in switches: follow rx pause downstream",
)

_MENU: dict[Question, tuple[Measurement, ...]] = {
    "loss": (SECOND_TAP, NIC_COUNTERS, WHOLE_PACKETS),
    "reorder": (SECOND_TAP, NIC_COUNTERS),
    "software": (RECEIVER, RDMA_COUNTERS),
    "timer": (TIMER, RDMA_COUNTERS),
    "pause": (PAUSE_COUNTERS, SECOND_TAP),
    "duplicate": (SECOND_TAP,),
    "congestion": (PAUSE_COUNTERS, RDMA_COUNTERS),
    "capture": (BIGGER_BUFFER, NIC_COUNTERS),
}


def after(question: Question, *, unanswered: bool = False) -> tuple[Measurement, ...]:
    """The two measurements that say most after a verdict on `question`.

    `unanswered` means that a lost request cannot be told from a lost answer; the counters of both ends do that.
    """
    menu = _MENU[question]
    return (menu[0], RDMA_COUNTERS) if unanswered else menu[:2]


def between(*, divisible: bool) -> tuple[Measurement, ...]:
    """The same after a verdict on what lies between two taps; `divisible` if a third tap can stand there."""
    return (PORTS_BETWEEN, TAP_BETWEEN) if divisible else (PORTS_BETWEEN, WHOLE_PACKETS)
