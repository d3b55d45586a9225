"""Access logs of four proxies: where the time of a request went, and why it ended."""

from datetime import timedelta

import pytest

from badhop.tables import gateway
from outputs.claimed import of_text, rows

TABLE = gateway.TABLE
NOON = 1_764_504_000  # 2025-11-30T12:00:00Z


def ms(count: float) -> timedelta:
    return timedelta(milliseconds=count)


def at(log: str) -> list[tuple[str, int]]:
    told = of_text(log)
    assert told is not None
    return list(zip(told.kinds, told.frames["gateway"]["ts"].dt.epoch("ms").to_list(), strict=False))


NGINX = (
    '10.0.0.5 - - [30/Nov/2025:13:00:00 +0100] "POST /v1/chat/completions?x=1 HTTP/1.1" 504 167 "-" "curl/8" '
    'rt=60.003 uct="0.001, 0.002" uht="-, 60.000" urt="0.500, 60.001" '
    'uaddr="10.0.1.1:8000, 10.0.1.2:8000" us="502, 504"\n'
)


def test_nginx_with_its_times_behind_the_combined_format() -> None:
    told = of_text(NGINX)
    columns = ("proxy", "client", "method", "path", "status", "upstream", "upstream_status", "tries", "ended", "sent")
    assert rows(told, TABLE, *columns) == [
        (
            "nginx",
            "10.0.0.5",
            "POST",
            "/v1/chat/completions",
            504,
            "10.0.1.2:8000",
            504,
            2,
            "upstream-timeout",
            167,
        )
    ]
    assert rows(told, TABLE, "duration", "connect", "header", "response") == [
        (ms(60_003), ms(2), ms(60_000), ms(60_001))
    ]
    assert at(NGINX) == [("nginx access log", NOON * 1000)]


def test_nginx_without_times_tells_what_it_has() -> None:
    told = of_text('10.0.0.5 - - [30/Nov/2025:12:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"\n')
    assert rows(told, TABLE, "status", "duration", "header", "tries", "ended") == [(200, None, None, None, None)]


def test_nginx_as_json() -> None:
    told = of_text(
        '{"time":"2025-11-30T12:00:00+00:00","remote_addr":"10.0.0.5","request":"POST /v1/x HTTP/2.0","status":"499",'
        '"request_time":"1.250","upstream_connect_time":"0.001","upstream_header_time":"-","upstream_response_time":"1.249",'
        '"upstream_addr":"10.0.1.1:8000"}\n'
        '{"request_time":"1.2'
    )
    columns = ("line", "method", "path", "status", "duration", "header", "response", "tries", "ended")
    assert rows(told, TABLE, *columns) == [(1, "POST", "/v1/x", 499, ms(1250), None, ms(1249), 1, "client-gave-up")]
    assert told is not None
    assert told.problems[0]["line"] == 2


@pytest.mark.parametrize("detail", ["", 'via_upstream - "-" '])
def test_envoy_as_text_also_as_istio_writes_it(detail: str) -> None:
    log = (
        f'[2025-11-30T12:00:00.000Z] "POST /v1/x HTTP/1.1" 504 UT {detail}120 24 15000 - '
        '"-" "curl/8" "id" "engine.svc" "10.0.1.1:8000"\n'
    )
    columns = ("status", "flags", "ended", "received", "sent", "duration", "response", "upstream")
    assert rows(of_text(log), TABLE, *columns) == [
        (504, "UT", "upstream-timeout", 120, 24, ms(15_000), None, "10.0.1.1:8000")
    ]
    assert at(log) == [("envoy access log", (NOON + 15) * 1000)]


def test_envoy_as_json() -> None:
    told = of_text(
        '{"start_time":"2025-11-30T12:00:00Z","method":"POST","path":"/v1/x?k=1","response_code":0,"response_flags":"DC",'
        '"duration":900,"request_duration":3,"response_duration":350,"bytes_sent":10,"bytes_received":20,'
        '"upstream_host":"10.0.1.1:8000"}\n'
    )
    columns = ("path", "status", "ended", "duration", "request", "header", "upstream")
    assert rows(told, TABLE, *columns) == [("/v1/x", None, "client-gave-up", ms(900), ms(3), ms(350), "10.0.1.1:8000")]


def test_haproxy_with_its_termination_state() -> None:
    log = (
        "Nov 30 12:00:01 lb1 haproxy[14389]: 10.0.1.2:33317 [30/Nov/2025:12:00:00.250] http-in engines/e7 "
        '10/5/30/-1/60045 504 1750 - - sH-- 1/1/1/1/2 0/0 {host|x} "POST /v1/x HTTP/1.1"\n'
    )
    columns = (
        "host",
        "upstream",
        "request",
        "queue",
        "connect",
        "header",
        "duration",
        "status",
        "flags",
        "ended",
        "tries",
    )
    assert rows(of_text(log), TABLE, *columns) == [
        ("lb1", "engines/e7", ms(10), ms(5), ms(30), None, ms(60_045), 504, "sH--", "upstream-timeout", 3)
    ]
    assert at(log) == [("haproxy log", NOON * 1000 + 250)]


def test_haproxy_without_a_server() -> None:
    log = (
        "haproxy[1]: 10.0.1.2:33317 [30/Nov/2025:12:00:00.250] in engines/<NOSRV> "
        '-1/-1/-1/-1/3 -1 0 - - CR-- 1/1/0/0/0 0/0 "<BADREQ>"\n'
    )
    assert of_text(log) is None  # not a request


def test_traefik_as_json() -> None:
    log = (
        '{"StartUTC":"2025-11-30T12:00:00Z","ClientHost":"10.0.0.5","RequestMethod":"POST","RequestPath":"/v1/x",'
        '"DownstreamStatus":200,"OriginStatus":200,"RetryAttempts":0,"Duration":1500000,"OriginDuration":1200000,'
        '"ServiceAddr":"10.0.1.1:8000","DownstreamContentSize":5}\n'
    )
    columns = ("status", "upstream_status", "tries", "duration", "response", "upstream", "sent", "ended")
    assert rows(of_text(log), TABLE, *columns) == [(200, 200, 1, ms(1.5), ms(1.2), "10.0.1.1:8000", 5, None)]
    assert at(log) == [("traefik access log", NOON * 1000)]
