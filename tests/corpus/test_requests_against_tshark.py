"""HTTP/1.x requests and their phases against tshark, request by request, and the recorded token streams."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import polars as pl
import pytest

from badhop import _core
from corpus.truth import REFUSED, capture_of, number, rows

LINK = "a link type or tunnel that badhop does not read"
INSIDE = "inside TLS: tshark has the keys from the file, badhop uses none"
FRAGMENTS = "its segments are in IP fragments"
UNTIL_CLOSE = "the response ends with the connection: tshark counts it at the FIN, badhop at its last byte"
OTHER_TARGET = "the target holds a space, where tshark ends it"
NO_REQUEST_LINE = "a request line without target or with an unknown method, of which badhop has only the response"
BETTER = "segments out of order, which tshark does not sort by default"
HOLES = "a body with a hole: its length tells badhop where it ends, and tshark names only what it can put together"

DIFFERS: Mapping[str, tuple[frozenset[str], str]] = MappingProxyType(
    {
        "suricata-verify__bug-5437-01__input.pcap": (frozenset({"requests"}), OTHER_TARGET),
        "suricata-verify__bug-5437-02__input.pcap": (frozenset({"requests"}), OTHER_TARGET),
        "zeek__erspan.pcap": (frozenset({"first", "responses"}), FRAGMENTS),
        "PcapPlusPlus__http_req_frag.pcap": (frozenset({"requests"}), FRAGMENTS),
        "PcapPlusPlus__ipfragutil_bpf_filter.pcap": (frozenset({"requests"}), FRAGMENTS),
        "PcapPlusPlus__http-packets2.pcap": (frozenset({"responses"}), UNTIL_CLOSE),
        "suricata-verify__http-evader-066__input.pcap": (frozenset({"responses"}), UNTIL_CLOSE),
        "suricata-verify__http-evader-209__input.pcap": (frozenset({"responses"}), UNTIL_CLOSE),
        "suricata-verify__tcp-fastopen-03__tfo.pcap": (frozenset({"responses"}), UNTIL_CLOSE),
        "suricata-verify__tcp-fastopen-06__tfo-s1.pcap": (frozenset({"responses"}), UNTIL_CLOSE),
        "suricata-verify__transform-base64-7296__input.pcap": (
            frozenset({"requests", "responses"}),
            "an upgrade to HTTP/2, whose request tshark leaves with HTTP/1.1; and a response without length",
        ),
        "zeek__variant-01-chunk_2pow64_overflow.pcap": (
            frozenset({"requests"}),
            "a chunk size of more than 64 bits: badhop does not say when such a request was whole",
        ),
        "zeek__variant-10-multi_value_te.pcap": (
            frozenset({"requests"}),
            "`chunked, identity`: badhop reads the chunks, and the request that was smuggled behind them",
        ),
        "PcapPlusPlus__650HttpResponses.pcap": (frozenset({"responses"}), HOLES),
        "suricata-verify__http-range-file__input.pcap": (frozenset({"first", "responses"}), f"{BETTER}; {HOLES}"),
        "zeek__gtp1_gn_normal_incl_fragmentation.pcap": (frozenset({"responses"}), HOLES),
        "suricata-verify__http-pipeline-files-with-gap__input.pcap": (frozenset({"responses"}), HOLES),
        "zeek__content-range-gap-skip.pcap": (frozenset({"responses"}), HOLES),
        "zeek__content-range-gap.pcap": (frozenset({"responses"}), HOLES),
        "suricata-verify__tcp-rst-unacked-stream-12__TLPW1-tcp-110.37.219.134-10.12.14.101-tcp-990-49254.pcap": (
            frozenset({"first"}),
            BETTER,
        ),
        "wireshark4.0.17__http-ooo.pcap": (frozenset({"requests"}), BETTER),
        "zeek__methods.pcap": (frozenset({"requests"}), NO_REQUEST_LINE),
        "zeek__query-method.pcap": (frozenset({"requests"}), "QUERY, a method younger than that tshark"),
        "sample-captures__netlink-conntrack.pcap": (frozenset({"requests", "responses"}), LINK),
        "sample-captures__nflog.pcap": (frozenset({"requests", "responses"}), LINK),
        "suricata-verify__decode-chdlc-01__hdlc-http_1tx.pcap": (frozenset({"requests", "responses"}), LINK),
        "tcpdump__arcnet-rfc1201-arp-icmp-http.pcap": (frozenset({"requests", "responses"}), LINK),
        "zeek__nflog-http.pcap": (frozenset({"requests", "responses"}), LINK),
        "zeek__gre-aruba.pcap": (frozenset({"requests"}), LINK),
        "gopacket__tests__le__test301.pcapng": (frozenset({"requests"}), INSIDE),
        "wireshark4.0.17__challenge01_ooo_stream.pcapng.gz": (frozenset({"requests", "responses"}), INSIDE),
        "nDPI__ndpi_match_string_subprotocol__error.pcapng": (
            frozenset({"requests", "responses"}),
            "a second connection on ports that were just closed, without a SYN",
        ),
        "zeek__payload-synack.pcap": (frozenset({"requests"}), "a request in a SYN/ACK, between two ports 80"),
    }
)
"""Files in which badhop does not follow tshark, in what, and why."""

LONGEST_TARGET = 512
"""Bytes of a target that badhop keeps."""


def requests_of(capture: Path) -> pl.DataFrame:
    return pl.DataFrame(_core.track(str(capture), capture.name)["requests"])


@pytest.mark.each_file("expected", "corpus/expected/http/*.ttft.tsv")
def test_each_http_request_has_tsharks_frames(expected: Path) -> None:
    messages = expected.with_name(expected.name.replace(".ttft.tsv", ".tsv"))
    capture = capture_of(messages)
    if capture.name in REFUSED:
        pytest.skip("refused, which other tests look at")
    got = requests_of(capture).filter(pl.col("protocol").is_in(["http/1.1", "websocket"]))
    differ = set()

    want = {
        (number(row["req_frame"]), row["method"], row["uri"][:LONGEST_TARGET]): number(row["resp1_frame"])
        for row in rows(expected)
    }
    mine = {
        (row["sent_frame"], row["method"], row["path"] or ""): row["response_frame"]
        for row in got.filter(pl.col("method").is_not_null()).iter_rows(named=True)
    }
    if want.keys() != mine.keys():
        differ.add("requests")
    if any(first != mine[request] for request, first in want.items() if request in mine):
        differ.add("first")

    # http.response is shown where the response is whole; of an upgrade that is its header.
    whole = {(number(row["frame.number"]), number(row["http.response.code"])) for row in rows(messages)}
    whole = {(frame, code) for frame, code in whole if code is not None}
    complete = got.filter((pl.col("ended") == "complete") | (pl.col("protocol") == "websocket"))
    frame = pl.when(pl.col("protocol") == "websocket").then("response_frame").otherwise("last_frame")
    ends = set(complete.filter(pl.col("status").is_not_null()).select(frame, "status").iter_rows())
    ends |= {(row["last_frame"], row["status"]) for row in got.iter_rows(named=True)} & whole
    if whole != ends:
        differ.add("responses")

    assert differ == DIFFERS.get(capture.name, (frozenset(), ""))[0]


@pytest.mark.each_file("capture", "corpus/files/http_sse/*")
def test_the_first_token_comes_long_after_the_headers_and_every_token_is_counted(capture: Path) -> None:
    tracked = _core.track(str(capture), capture.name)
    requests = pl.DataFrame(tracked["requests"])
    tokens = pl.DataFrame(tracked["tokens"])
    expected = capture.parents[2] / "expected" / "http" / f"http_sse__{capture.name}.ttft.tsv"
    want = list(rows(expected))
    streamed = requests.filter(pl.col("streamed") == "sse")
    assert streamed.height == 3
    for row, truth in zip(requests.iter_rows(named=True), want, strict=True):
        assert row["response_frame"] == number(truth["resp1_frame"])
        assert row["think"].total_seconds() == pytest.approx(float(truth["resp1_after_s"]), abs=1e-6)
        assert row["response_bytes"] == number(truth["resp_bytes"])
        if row["streamed"] is None:
            assert row["ttft"] is None
            assert not row["exact"]
            continue
        # resp1 is the header, resp2 the first event: 350 ms later.
        assert row["token_frame"] == number(truth["resp2_frame"])
        own = (row["upload"] + row["think"] + row["first"]).total_seconds()
        assert own == pytest.approx(float(truth["resp2_after_s"]), abs=1e-6)
        assert row["exact"]
        assert row["counted"] == "openai"
        mine = tokens.filter(pl.col("request") == row["request"])
        assert mine["tokens"].sum() == row["tokens"]
        assert mine.height == row["chunks"]
    # The recorded server writes 40 tokens and an end mark, and stalls for 500 ms after the twentieth.
    first = streamed.row(0, named=True)
    assert first["tokens"] == 40
    assert first["gap_max"].total_seconds() == pytest.approx(0.5, abs=0.05)
    kinds = tokens.filter(pl.col("request") == first["request"])["kind"].to_list()
    assert kinds == ["token"] * 40 + ["done"]


@pytest.mark.each_file("capture", "corpus/files/tls/*", "corpus/files/http/*")
def test_nothing_inside_tls_is_claimed_to_be_exact(capture: Path) -> None:
    for row in requests_of(capture).filter(pl.col("protocol") == "tls").iter_rows(named=True):
        assert not row["exact"]
        assert row["ttft"] is None
        assert row["tokens"] is None
        assert row["path"] is None
        assert row["reason"] is not None
        if row["ttft_latest"] is not None:
            assert row["ttft_earliest"] <= row["ttft_latest"]


TLS = {
    "scapy__tls_nss_example.pcap": [("1.2", None, 6182), ("1.3", None, 8206)],
    "zeek__ecdsa-cert.pcap": [("1.2", None, 172776)],
    "zeek__tls13draft23-chrome67.0.3368.0-canary.pcap": [("1.3", "tls13.crypto.mozilla.org", 172072)],
}
"""Version, server name, and µs from the ClientHello to the last Finished that is seen, read by hand in tshark."""


@pytest.mark.parametrize("name", TLS)
def test_a_tls_handshake_has_its_version_name_and_length(corpus: Path, name: str) -> None:
    got = requests_of(corpus / "corpus/files/tls" / name)
    micros = pl.col("tls").dt.total_microseconds()
    assert got.select("tls_version", "host", micros).rows() == TLS[name]


def test_grpc_messages_and_flow_control_are_seen_in_cleartext_http2(corpus: Path) -> None:
    folder = corpus / "corpus/files/http"
    search = requests_of(folder / "wireshark4.0.17__grpc_person_search_protobuf_with_image.pcapng.gz").row(
        0, named=True
    )
    assert (search["protocol"], search["stream"], search["status"]) == ("grpc", 3, 200)
    assert search["path"] == "/tutorial.PersonSearchService/Search"
    assert (search["streamed"], search["tokens"], search["ended"]) == ("grpc", 2, "complete")
    web = requests_of(folder / "wireshark4.0.17__grpc_web.pcapng.gz").filter(pl.col("protocol") == "http/2")
    assert web.height == 8
    assert web["path"].is_in(["/greet.Greeter/SayHello", "/greet.Greeter/SayHellos"]).all()
    # A response above the first window of 65,535 bytes had to wait for an update; a small one had not.
    waited = web.select(pl.col("response_bytes") > 65_535, pl.col("flow_control").dt.total_nanoseconds() > 0)
    assert all(large == waits for large, waits in waited.iter_rows())
