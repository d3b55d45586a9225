"""Metrics of exporters that are counters of devices: node_exporter's and dcgm-exporter's, under our names."""

from typing import Any

import polars as pl

from badhop import vocabulary
from badhop.sources.outputs.kinds.neutral.known_names import columns_of

_DIALECTS = ("node_exporter", "dcgm")
_ETHTOOL = "node_ethtool_"
_TOKENS = {"received": "rx", "transmitted": "tx"}


def meaning_of(metric: str) -> dict[str, Any] | None:
    """Columns of `counters` for a metric that is one; None for all others: these are only in `metrics`.

    node_exporter renames what `ethtool -S` says (rx becomes received); the driver's own name is looked up again.
    """
    for dialect in _DIALECTS:
        if (meaning := vocabulary.look_up(metric, dialect)) is not None:
            return columns_of(meaning)
    if not metric.startswith(_ETHTOOL):
        return None
    tokens = metric.removeprefix(_ETHTOOL).split("_")
    name = "_".join(_TOKENS.get(token, token) for token in tokens)
    others = [dialect for dialect in vocabulary.dialects() if dialect not in _DIALECTS]
    found = [meaning for dialect in others if (meaning := vocabulary.look_up(name, dialect)) is not None]
    return columns_of(found[0]) if len(found) == 1 else None


def says_nothing(metric: pl.Expr, value: pl.Expr) -> pl.Expr:
    """Whether a value is one of DCGM's codes for: not there, not found, not supported, not permitted.

    `DCGM_INT32_BLANK`, `DCGM_INT64_BLANK` (one double for all four) and `DCGM_FP64_BLANK`, with the three codes after
    each (dcgmlib/dcgm_structs.h).
    """
    code = value.is_between(2.0**31 - 16, 2.0**31 - 13) | value.is_between(2.0**47, 2.0**47 + 3) | (value >= 2.0**63)
    return metric.str.starts_with("DCGM_") & code
