"""`engine_log`: what inference engines log of themselves every few seconds, and what Ollama tells of each request."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "engine_log",
    "One row for each line in which vLLM or SGLang tells how busy it is, or Ollama how a request went. An idle engine "
    "logs nothing, so no line is no hang; requests that run without any token made are.",
    Column("engine", "text", "", "vllm, sglang or ollama."),
    Column("replica", "text", "", "Which engine of the process: its number, or the ranks that it says (TP0)."),
    Column("running", "u64", "", "Requests in the batch."),
    Column("waiting", "u64", "", "Requests that wait to be scheduled."),
    Column("kv_used", "f64", "0 to 1", "Share of the KV cache in use."),
    Column("preemptions", "u64", "", "Requests that lost their place and begin again, since the line before."),
    Column("prompt_rate", "f64", "tokens/s", "Prompt tokens a second."),
    Column("generation_rate", "f64", "tokens/s", "Tokens made a second."),
    Column("prefix_hits", "f64", "0 to 1", "Share of the prompt tokens that were in the prefix cache."),
    Column("load", "duration", "ns", "Of a request to Ollama: loading the model."),
    Column("prefill", "duration", "ns", "Of a request to Ollama: reading the prompt."),
    Column("decode", "duration", "ns", "Of a request to Ollama: making the answer."),
    Column("total", "duration", "ns", "Of a request to Ollama: all of it."),
)
