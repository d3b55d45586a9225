"""`probes`: what was sent to see what comes back: pings, traces, throughput and collective tests, timed requests."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "probes",
    "One row for each part of a probe: a reply or a missing one, a hop, an interval, a message size, and the summary. "
    "A probe shows what it met, at its time, on its path; it may take another path than the traffic in trouble.",
    Column("tool", "text", "", "ping, mtr, traceroute, tracepath, iperf3, nccl-tests, curl, ib_write_bw and its like."),
    Column("part", "text", "", "reply, no-reply, hop, interval, stream, size, request, or summary."),
    Column("target", "text", "", "What was probed, as the tool names it."),
    Column("address", "text", "", "Who answered, or was connected to; null when nobody did."),
    Column("ttl", "u16", "hops", "Of a trace the number of the hop, of a ping the TTL that the reply came with."),
    Column("sequence", "u64", "", "Number of the probe packet, of the interval or of the stream."),
    Column("sent", "u64", "packets", "Sent in this part."),
    Column("received", "u64", "packets", "Answered in this part."),
    Column("loss", "f64", "0 to 1", "Share without answer, as the tool counts. Routers answer when they like."),
    Column("rtt", "f64", "ms", "Round trip of a reply; the mean of a hop or summary."),
    Column("rtt_min", "f64", "ms", "Shortest round trip."),
    Column("rtt_max", "f64", "ms", "Longest round trip."),
    Column("rtt_deviation", "f64", "ms", "Standard deviation of the round trips."),
    Column("mtu", "u32", "bytes", "Path MTU that tracepath found up to there, or that a reply names."),
    Column("bytes", "u64", "bytes", "Moved in this part; of a test by message size the size."),
    Column("seconds", "f64", "s", "How long the part took; of a test by message size one operation."),
    Column("throughput", "f64", "bit/s", "Payload a second; of a collective test the algorithm bandwidth."),
    Column("peak", "f64", "bit/s", "Highest throughput, where the tool tells one."),
    Column("busbw", "f64", "bit/s", "Bus bandwidth of a collective: what each link of an ideal ring carried."),
    Column("operations", "u64", "", "Iterations or messages of the part."),
    Column("retransmits", "u64", "segments", "Sent again by TCP in this part."),
    Column("direction", "text", "", "send or receive, as the probing host sees it; in-place or out-of-place."),
    Column("dns", "duration", "ns", "Of a request: until the name was resolved."),
    Column("connect", "duration", "ns", "From there until the TCP connection stood; null when it never did."),
    Column("tls", "duration", "ns", "From there until TLS stood; null without TLS."),
    Column("wait", "duration", "ns", "From the request sent until the first byte of the answer, which is its headers."),
    Column("total", "duration", "ns", "All of the request."),
    Column("code", "u16", "", "HTTP status; null when there was no answer."),
    Column("error", "text", "", "What the tool says went wrong."),
)
