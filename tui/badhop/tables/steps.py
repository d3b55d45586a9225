"""`steps`: how long the iterations of a trainer took."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "steps",
    "One row for each iteration, or each few, that a trainer logged.",
    Column("trainer", "text", "", "megatron, deepspeed, torchtitan, nemo, lightning, hf or tqdm: whose line it is."),
    Column("rank", "u32", "", "Rank that logged it; null when the line does not tell."),
    Column("iteration", "u64", "", "Step or iteration; null where the line has none."),
    Column("iterations", "u64", "", "How many there are to be."),
    Column("epoch", "f64", "", "Epoch, also in fractions."),
    Column("step_ms", "f64", "ms", "Time of one iteration as printed; null where no time is printed: use `ts`."),
    Column("forward_ms", "f64", "ms", "Part of it: forward."),
    Column("backward_ms", "f64", "ms", "Part of it: backward."),
    Column("allreduce_ms", "f64", "ms", "Part of backward: waiting for gradients of others."),
    Column("optimizer_ms", "f64", "ms", "Part of it: the optimiser."),
    Column("samples_per_s", "f64", "1/s", "Samples per second of the whole job."),
    Column("tokens_per_s", "f64", "1/s", "Tokens per second as printed: torchtitan's are those of one GPU."),
    Column("tflops", "f64", "TFLOP/s", "Per GPU."),
    Column("loss", "f64", "", "Loss."),
    Column("grad_norm", "f64", "", "Norm of the gradients."),
    Column("learning_rate", "f64", "", "Learning rate."),
    Column("skipped", "u64", "", "Iterations skipped so far, as printed."),
)
