"""What each inference engine calls the things that `engine` shows: one line for a metric, by its name without `_total`.

Names are those of vLLM 0.33, SGLang 0.5, text-generation-inference, Triton, llama.cpp and Dynamo. A colon in a name is
an underscore here, for some exporters write it so; names of older versions stand beside the new ones.
"""

from dataclasses import dataclass
from typing import Literal

Quantity = Literal[
    "running",
    "waiting",
    "kv_used",
    "preemptions",
    "requests",
    "prompted",
    "generated",
    "generation_rate",
    "transfers_failed",
    "ttft",
    "queue",
    "prefill",
    "decode",
    "itl",
    "e2e",
]
"""Gauges; totals (`preemptions` to `transfers_failed`, but the rate); and times, which have a sum and a count."""

Part = Literal["gauge", "total", "sum", "count", "bucket"]


@dataclass(frozen=True)
class Known:
    """A metric: whose it is, what it tells of which quantity, how it is scaled, and under which label only."""

    name: str
    engine: str
    quantity: Quantity
    part: Part
    scale: float = 1.0
    label: str = ""


def _gauge(engine: str, quantity: Quantity, *names: str, scale: float = 1.0) -> list[Known]:
    return [Known(name, engine, quantity, "gauge", scale) for name in names]


def _total(engine: str, quantity: Quantity, *names: str) -> list[Known]:
    return [Known(name, engine, quantity, "total") for name in names]


def _times(engine: str, quantity: Quantity, *names: str, scale: float = 1.0, label: str = "") -> list[Known]:
    parts: tuple[Part, ...] = ("sum", "count", "bucket")
    return [
        Known(f"{name}_{part}", engine, quantity, part, scale if part == "sum" else 1.0, label)
        for name in names
        for part in parts
    ]


KNOWN: tuple[Known, ...] = (
    *_gauge("vllm", "running", "vllm_num_requests_running"),
    *_gauge("vllm", "waiting", "vllm_num_requests_waiting"),
    *_gauge("vllm", "kv_used", "vllm_kv_cache_usage_perc", "vllm_gpu_cache_usage_perc"),
    *_total("vllm", "preemptions", "vllm_num_preemptions"),
    *_total("vllm", "requests", "vllm_request_success"),
    *_total("vllm", "prompted", "vllm_prompt_tokens"),
    *_total("vllm", "generated", "vllm_generation_tokens"),
    *_total("vllm", "transfers_failed", "vllm_nixl_num_failed_transfers", "vllm_mooncake_num_failed_transfers"),
    *_times("vllm", "ttft", "vllm_time_to_first_token_seconds"),
    *_times("vllm", "queue", "vllm_request_queue_time_seconds"),
    *_times("vllm", "prefill", "vllm_request_prefill_time_seconds"),
    *_times("vllm", "decode", "vllm_request_decode_time_seconds"),
    *_times("vllm", "itl", "vllm_inter_token_latency_seconds", "vllm_time_per_output_token_seconds"),
    *_times("vllm", "e2e", "vllm_e2e_request_latency_seconds"),
    *_gauge("sglang", "running", "sglang_num_running_reqs"),
    *_gauge("sglang", "waiting", "sglang_num_queue_reqs"),
    *_gauge("sglang", "kv_used", "sglang_token_usage"),
    *_gauge("sglang", "generation_rate", "sglang_gen_throughput"),
    *_total("sglang", "preemptions", "sglang_num_retracted_requests"),
    *_total("sglang", "requests", "sglang_num_requests"),
    *_total("sglang", "prompted", "sglang_prompt_tokens"),
    *_total("sglang", "generated", "sglang_generation_tokens"),
    *_total("sglang", "transfers_failed", "sglang_num_transfer_failed_reqs"),
    *_times("sglang", "ttft", "sglang_time_to_first_token_seconds"),
    *_times("sglang", "queue", "sglang_queue_time_seconds"),
    *_times("sglang", "prefill", "sglang_per_stage_req_latency_seconds", label='stage="prefill_forward"'),
    *_times("sglang", "itl", "sglang_inter_token_latency_seconds"),
    *_times("sglang", "e2e", "sglang_e2e_request_latency_seconds"),
    *_gauge("tgi", "running", "tgi_batch_current_size"),
    *_gauge("tgi", "waiting", "tgi_queue_size"),
    *_total("tgi", "requests", "tgi_request_success"),
    Known("tgi_request_input_length_sum", "tgi", "prompted", "total"),
    Known("tgi_request_generated_tokens_sum", "tgi", "generated", "total"),
    *_times("tgi", "queue", "tgi_request_queue_duration"),
    *_times("tgi", "prefill", "tgi_batch_forward_duration", label='method="prefill"'),
    *_times("tgi", "decode", "tgi_batch_forward_duration", label='method="decode"'),
    *_times("tgi", "itl", "tgi_request_mean_time_per_token_duration"),
    *_times("tgi", "e2e", "tgi_request_duration"),
    *_gauge("triton", "waiting", "nv_inference_pending_request_count"),
    *_total("triton", "requests", "nv_inference_request_success"),
    *_times("triton", "ttft", "nv_inference_first_response_histogram_ms", scale=1e-3),
    Known("nv_inference_request_duration_us", "triton", "e2e", "sum", 1e-6),
    Known("nv_inference_request_success", "triton", "e2e", "count"),
    Known("nv_inference_queue_duration_us", "triton", "queue", "sum", 1e-6),
    Known("nv_inference_request_success", "triton", "queue", "count"),
    *_gauge("llama.cpp", "running", "llamacpp_requests_processing"),
    *_gauge("llama.cpp", "waiting", "llamacpp_requests_deferred"),
    *_gauge("llama.cpp", "kv_used", "llamacpp_kv_cache_usage_ratio"),
    *_total("llama.cpp", "prompted", "llamacpp_prompt_tokens"),
    *_total("llama.cpp", "generated", "llamacpp_tokens_predicted"),
    *_gauge("dynamo", "running", "dynamo_frontend_inflight_requests"),
    *_gauge("dynamo", "waiting", "dynamo_frontend_queued_requests"),
    *_total("dynamo", "requests", "dynamo_frontend_requests"),
    *_total("dynamo", "generated", "dynamo_frontend_output_tokens"),
    *_times("dynamo", "ttft", "dynamo_frontend_time_to_first_token_seconds"),
    *_times("dynamo", "itl", "dynamo_frontend_inter_token_latency_seconds"),
    *_times("dynamo", "e2e", "dynamo_frontend_request_duration_seconds"),
)
