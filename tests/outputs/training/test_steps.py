"""Iterations in the logs of trainers."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.tables import steps
from outputs.claimed import of_text, rows

MEGATRON = (
    " [2026-11-03 10:15:20] iteration      122/  250000 | consumed samples:       124928 | elapsed time per iteration "
    "(ms): 86545.2 | throughput per GPU (TFLOP/s/GPU): 412.3 | learning rate: 9.150E-06 | global batch size:  1024 | "
    "lm loss: 2.504220E+00 | loss scale: 1.0 | grad norm: 0.231 | number of skipped iterations:   3 | number of nan "
    "iterations:   0 |"
)
NEOX = (
    " samples/sec: 7.799 | iteration       34/   10000 | elapsed time per iteration (ms): 4103.1 | learning rate: "
    "2.111E-06 | approx flops per GPU: 112.9TFLOPS | lm_loss: 1.118665E+01 | number of skipped iterations:   0 |"
)
TITAN = (
    "[rank3]:[titan] 2026-05-18 16:04:46,338 - root - INFO - step: 14  loss:  3.24405  grad_norm:  0.8319  "
    "memory:  9.46GiB(64.99%)  tps: 7,282  tflops: 0.52  mfu: 0.17%"
)
NEMO = (
    "Training epoch 0, iteration 120/149 | lr: 3e-05 | consumed_samples: 121 | global_batch_size: 1 | global_step: 120 "
    "| reduced_train_loss: 1.233 | train_step_timing in s: 0.5 | val_loss: 4.106"
)
SPEED = (
    "[2026-07-25 21:03:17,269] [INFO] [timer.py:215:stop] epoch=0/micro_step=40/global_step=10, "
    "RunningAvgSamplesPerSec=7.86, CurrSamplesPerSec=8.5, MemAllocated=59.65GB, MaxMemAllocated=63.31GB"
)
OLD_SPEED = "[2022-03-11 02:06:58,985] [INFO] [timer.py:189:stop] 0/40, SamplesPerSec=83.4, MemAllocated=0.26GB"
STEP = (
    "[2026-07-25 21:03:21,037] [INFO] [logging.py:96:log_dist] [Rank 0] step=35, skipped=2, lr=[2.5e-06, 2.5e-06], "
    "mom=[[0.9, 0.95], [0.9, 0.95]]"
)
BREAKDOWN = (
    "[2026-07-25 21:03:17,269] [INFO] [logging.py:96:log_dist] [Rank 1] rank=1 time (ms) | forward: 652.41 | backward: "
    "2164.52 | backward_inner: 2001.89 | backward_allreduce: 162.60 | step: 1172.13"
)


def test_megatron() -> None:
    told = of_text(f"{MEGATRON}\n{NEOX}\n")
    columns = ("line", "trainer", "iteration", "iterations", "step_ms", "tflops", "samples_per_s", "loss", "skipped")
    assert rows(told, steps.TABLE, *columns) == [
        (1, "megatron", 122, 250000, 86545.2, 412.3, None, 2.50422, 3),
        (2, "megatron", 34, 10000, 4103.1, 112.9, 7.799, 11.18665, 0),
    ]
    assert rows(told, steps.TABLE, "grad_norm", "learning_rate", "ts")[0] == (
        *(0.231, 9.15e-06, datetime(2026, 11, 3, 10, 15, 20)),
    )


def test_torchtitan() -> None:
    told = of_text(TITAN)
    columns = ("trainer", "rank", "iteration", "loss", "grad_norm", "tokens_per_s", "tflops", "step_ms", "ts")
    taken = datetime(2026, 5, 18, 16, 4, 46, 338000)
    assert rows(told, steps.TABLE, *columns) == [("torchtitan", 3, 14, 3.24405, 0.8319, 7282.0, 0.52, None, taken)]


def test_nemo() -> None:
    told = of_text(NEMO)
    columns = ("trainer", "iteration", "iterations", "epoch", "step_ms", "loss", "learning_rate")
    assert rows(told, steps.TABLE, *columns) == [("nemo", 120, 149, 0.0, 500.0, 1.233, 3e-05)]


def test_deepspeed() -> None:
    told = of_text("\n".join((SPEED, OLD_SPEED, STEP, BREAKDOWN)))
    columns = ("line", "rank", "iteration", "samples_per_s", "skipped", "forward_ms", "backward_ms", "allreduce_ms")
    assert rows(told, steps.TABLE, *columns) == [
        (1, None, 10, 8.5, None, None, None, None),
        (2, None, 40, 83.4, None, None, None, None),
        (3, 0, 35, None, 2, None, None, None),
        (4, 1, None, None, None, 652.41, 2164.52, 162.6),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{'loss': 0.61, 'grad_norm': 1.2, 'learning_rate': 5e-05, 'epoch': 0.5}", (None, 0.5, 0.61, 1.2)),
        ("{'loss': '0.61', 'grad_norm': '1.2', 'learning_rate': '5e-05', 'epoch': '0.5'}", (None, 0.5, 0.61, 1.2)),
        ('{"loss": 7.15, "learning_rate": 4.8e-05, "epoch": 0.03, "step": 500}', (500, 0.03, 7.15, None)),
        ("{'loss': nan, 'grad_norm': inf, 'learning_rate': 0.0, 'epoch': 1}", (None, 1.0, None, None)),
    ],
)
def test_hugging_face(line: str, expected: tuple[object, ...]) -> None:
    told = of_text(line)
    assert rows(told, steps.TABLE, "iteration", "epoch", "loss", "grad_norm") == [expected]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  1%|▏         | 2/203 [00:12<16:46,  5.01s/it]", ("tqdm", 2, 203, 5010.0, None)),
        ("100%|██████████| 100/100 [00:10<00:00,  8.00it/s]", ("tqdm", 100, 100, 125.0, None)),
        (
            "Epoch 3:   1%|  | 795/77225 [9:07:58<878:01:48, 41.5s/it, loss=3.1, v_num=0, reduced_train_loss=3.09]",
            ("lightning", 795, 77225, 41500.0, 3.0),
        ),
        ("Training:  10%|█ | 10/100 [00:10<01:30,  1.0it/s]", ("tqdm", 10, 100, 1000.0, None)),
    ],
)
def test_progress_bars_of_training_loops(line: str, expected: tuple[object, ...]) -> None:
    told = of_text(line)
    assert rows(told, steps.TABLE, "trainer", "iteration", "iterations", "step_ms", "epoch") == [expected]


@pytest.mark.parametrize(
    "line",
    [
        "Loading checkpoint shards:  33%|███ | 1/3 [00:02<00:04,  2.1s/it]",
        "Map (num_proc=8): 100%|██ | 100/100 [00:01<00:00, 88.1it/s]",
        "  0%|          | 0/203 [00:00<?, ?it/s]",
        "I get 12/100 [00:10<01:20, 1.1s/it] and ask why",
    ],
)
def test_other_bars_are_not_steps(line: str) -> None:
    assert of_text(line) is None


def test_of_a_bar_that_overwrites_itself_the_last_state_counts() -> None:
    told = of_text("  1%|▏| 1/100 [00:01<01:39,  1.0s/it]\r  2%|▏| 2/100 [00:03<02:27,  1.5s/it]\n")
    assert rows(told, steps.TABLE, "iteration", "step_ms") == [(2, 1500.0)]


def test_a_cut_iteration_is_a_problem() -> None:
    told = of_text(f"{MEGATRON}\n{MEGATRON[:120]}\n")
    assert rows(told, steps.TABLE, "line") == [(1,)]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [2]


LAST_OF_ITS_LINE = {"step_ms", "optimizer_ms", "allreduce_ms", "forward_ms", "backward_ms", "loss", "learning_rate"}
"""Of NeMo and the breakdown, nothing ends the last value of a line: there a cut one cannot be told."""


@pytest.mark.parametrize("line", [MEGATRON, NEOX, TITAN, NEMO, SPEED, STEP, BREAKDOWN])
def test_a_line_cut_anywhere_raises_nothing_and_invents_no_number(line: str) -> None:
    [whole] = of_rows(line)
    for length in range(len(line)):
        for row in of_rows(line[:length]):
            for name in set(row) - LAST_OF_ITS_LINE:
                assert row[name] in (whole[name], None), (length, name)


def of_rows(text: str) -> list[dict[str, object]]:
    told = of_text(text)
    return [] if told is None or "steps" not in told.frames else told.frames["steps"].to_dicts()


@given(st.text(alphabet="0123456789/|[]<:.,%its eEpochloss='{}", max_size=200))
def test_no_text_is_an_exception(text: str) -> None:
    of_text(f"{text}s/it {text}\n{{'loss': {text}\nTraining epoch 0, iteration 1/2 |{text}\n{text} tps: {text}\n{text}"
            f"elapsed time per iteration (ms): {text}\nSamplesPerSec={text}")  # fmt: skip


def test_a_hostile_line_is_read_in_time() -> None:
    of_text("1/2 [" * 10**5 + "s/it" + "1" * 10**6 + " tps: elapsed time per iteration (ms): {'loss': " + "|:" * 10**5)
