"""What tools print that send something to see what comes back."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.probe import curl, iperf3, mtr, nccl_tests, perftest, ping, trace

KINDS: tuple[Kind, ...] = (
    ping.KIND,
    trace.TRACEROUTE,
    trace.TRACEPATH,
    mtr.REPORT,
    mtr.CSV,
    mtr.XML,
    mtr.JSON,
    iperf3.JSON,
    iperf3.TEXT,
    perftest.TEXT,
    perftest.JSON,
    nccl_tests.KIND,
    curl.KIND,
)
