"""Why a proxy ended a request: nginx' own status codes, Envoy's response flags, HAProxy's termination states.

After the documentation of nginx (ngx_http_request.h for 499), Envoy (access log, RESPONSE_FLAGS) and HAProxy
(configuration manual, 8.5). What is not here stays null.
"""

_STATUS = {499: "client-gave-up", 502: "upstream-failed", 503: "no-upstream", 504: "upstream-timeout"}

_FLAGS = {
    "UH": "no-upstream",
    "UF": "connect-failed",
    "UO": "overflow",
    "NR": "no-route",
    "URX": "retries-used-up",
    "NC": "no-upstream",
    "DT": "duration-limit",
    "DC": "client-gave-up",
    "LR": "local-reset",
    "UR": "upstream-reset",
    "UC": "upstream-closed",
    "UT": "upstream-timeout",
    "SI": "idle-timeout",
    "RL": "rate-limited",
    "UAEX": "refused",
    "UPE": "upstream-protocol-error",
    "DPE": "client-protocol-error",
    "OM": "overload",
}

_CAUSE = {
    "C": "client-gave-up",
    "S": "upstream-failed",
    "P": "proxy-ended-it",
    "R": "proxy-resources",
    "I": "proxy-fault",
    "D": "upstream-down",
    "L": "local",
    "U": "upstream-up-again",
    "K": "killed",
    "c": "client-timeout",
    "s": "upstream-timeout",
}
"""The first letter: who or what ended the session; lower case means by a timeout."""


def of_status(status: int | None) -> str | None:
    """What a status of the proxy itself says."""
    return _STATUS.get(status) if status is not None else None


def of_flags(flags: str | None) -> str | None:
    """The first of Envoy's flags that says something."""
    return next((_FLAGS[flag] for flag in (flags or "").split(",") if flag in _FLAGS), None)


def of_termination(state: str) -> str | None:
    """HAProxy's four letters; `--` is a normal end."""
    return _CAUSE.get(state[:1])
