"""`gateway`: requests as the access log of a proxy tells them, with the time of the upstream."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "gateway",
    "One row for each request in the access log of nginx, Envoy, HAProxy or Traefik. Proxies write a line at the end "
    "of a request: `ts` is then its end, but with HAProxy and Traefik its start.",
    Column("proxy", "text", "", "nginx, envoy, haproxy or traefik."),
    Column("client", "text", "", "Address of who asked."),
    Column("method", "text", "", "HTTP method."),
    Column("path", "text", "", "What was asked for, without the query."),
    Column("status", "u16", "", "HTTP status to the client; null when none was sent."),
    Column("upstream", "text", "", "Who answered, or the backend; with retries the last one."),
    Column("upstream_status", "u16", "", "HTTP status of the upstream; with retries that of the last try."),
    Column("tries", "u16", "", "How many upstreams were tried; null when the log does not say."),
    Column("duration", "duration", "ns", "First byte of the request until the last byte of the response."),
    Column("request", "duration", "ns", "Until the request had come in whole."),
    Column("queue", "duration", "ns", "Wait for a free upstream connection or slot."),
    Column("connect", "duration", "ns", "Time to connect to the upstream; with retries of the last try."),
    Column(
        "header", "duration", "ns", "Until the header of the upstream's response came; with retries of the last try."
    ),
    Column(
        "response", "duration", "ns", "Until the last byte of the upstream's response; with retries of the last try."
    ),
    Column("sent", "u64", "bytes", "To the client."),
    Column("received", "u64", "bytes", "From the client."),
    Column("flags", "text", "", "Envoy's response flags or HAProxy's termination state: why it ended as it did."),
    Column("ended", "text", "", "What flags and status mean, where they tell: client-gave-up, upstream-timeout, …"),
)
