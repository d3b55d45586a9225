"""A playbook is plain Markdown; a mistake in it is told with file, line and column."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.playbook.markdown import parse, slug_of
from badhop.playbook.parts import Playbook, PlaybookError, nanoseconds

FRONT = """---
title: Test
symptom: It is slow
needs: [roce_qps]
params: {least: 5, wait: 200ms, share: 0.5}
fires_on: [bad]
quiet_on: [good]
---

Why this exists.

"""

STEP = """## Is it slow?

Ask because it may be.

Healthy is fast.

```sql slow detector=psn-split needs=roce_qps,capture_health
SELECT source
FROM roce_qps
```

- found → then ask [Is it down?](#is-it-down)
- clear → fine
- no data → take a capture:

```sh capture root=yes cost="30 s, reads only" decides="whether it is slow"
tcpdump -i {iface} -s 192 \\
    -w {bundle}/{host}.pcap 'udp port 4791 or (vlan and udp port 4791)'
```

## Is it down?

```sql down
WITH d AS (SELECT * FROM packets) SELECT * FROM d JOIN params ON true
```

- found -> yes
- clear -> no
- no-data -> unknown

## Background

A section without a query is prose.
"""


def playbook(text: str = FRONT + STEP, path: str = "test.md") -> Playbook:
    return parse(Path(path), text)


def mistake(text: str) -> PlaybookError:
    with pytest.raises(PlaybookError) as refused:
        playbook(text)
    return refused.value


def test_front_matter_intro_and_steps_are_read() -> None:
    read = playbook()
    assert (read.name, read.title, read.symptom, read.needs) == ("test", "Test", "It is slow", ("roce_qps",))
    assert (read.fires_on, read.quiet_on, read.intro) == (("bad",), ("good",), "Why this exists.")
    assert dict(read.params) == {"least": 5, "wait": "200ms", "share": 0.5}
    assert [step.slug for step in read.steps] == ["is-it-slow", "is-it-down"]


def test_a_step_has_prose_query_outcomes_and_commands() -> None:
    step = playbook().steps[0]
    assert (step.title, step.sql_name, step.detector) == ("Is it slow?", "slow", "psn-split")
    assert step.prose == "Ask because it may be.\n\nHealthy is fast."
    assert step.sql == "SELECT source\nFROM roce_qps"
    assert step.needs == ("roce_qps", "capture_health")
    assert step.outcomes["found"].text == "then ask Is it down?"
    assert step.outcomes["found"].goto == "is-it-down"
    assert step.outcomes["clear"].goto is None
    assert (step.commands[0].name, step.commands[0].root) == ("capture", True)
    assert (step.commands[0].cost, step.commands[0].decides) == ("30 s, reads only", "whether it is slow")


def test_the_tables_that_the_query_reads_are_needed_when_nothing_else_is_said() -> None:
    assert playbook().steps[1].needs == ("packets",)


def test_lines_point_into_the_file() -> None:
    text = FRONT + STEP
    step = playbook().steps[0]
    assert text.split("\n")[step.line - 1] == "## Is it slow?"
    assert text.split("\n")[step.sql_line - 1] == "SELECT source"


def test_a_value_filled_into_a_command_stays_one_word_whatever_it_holds() -> None:
    argv = playbook().steps[0].commands[0].argv({"iface": "eth0; rm -rf / $(x) 'y'", "host": "a b"})
    assert argv == (
        "tcpdump",
        "-i",
        "eth0; rm -rf / $(x) 'y'",
        "-s",
        "192",
        "-w",
        "{bundle}/a b.pcap",
        "udp port 4791 or (vlan and udp port 4791)",
    )


@pytest.mark.parametrize(
    ("before", "after", "at", "says"),
    [
        ("---\ntitle: Test\n", "title: Test\n", "title: Test", "must begin with front matter"),
        ("title: Test\n", "title: [\n", "needs: ", "front matter is no YAML"),
        ("title: Test\n", "titel: Test\n", "titel", "unknown key `titel`"),
        ("title: Test\n", "", "---", "must give a `title`"),
        ("needs: [roce_qps]", "needs: roce_qps", "needs: ", "`needs` must be a list"),
        ("needs: [roce_qps]", "needs: [[[roce_qps]]]", "needs: ", "must be a list of names"),
        ("wait: 200ms", "wait: soon", "params: ", "a duration like 200ms"),
        ("wait: 200ms", "wait: [1]", "params: ", "must be a number"),
        ("```sql slow", "```sql", "```sql", "needs a name"),
        ("detector=psn-split", "detektor=psn-split", "```sql", "unknown option `detektor=psn-split`"),
        ("SELECT source\n", "DROP TABLE roce_qps\n", "DROP", "not with DROP"),
        ("FROM roce_qps\n", "FROM read_csv('x')\n", "read_csv", "reads files"),
        ("- clear → fine\n", "", "## Is it slow", "does not say what `clear` means"),
        ("- clear → fine\n", "- found → again\n- clear → fine\n", "found → again", "stands here twice"),
        ("- clear → fine\n", "- maybe\n- clear → fine\n", "- maybe", "an outcome starts with"),
        ("(#is-it-down)", "(#is-it-dwn)", "is-it-dwn", "no step has that name"),
        ("[Is it down?](#is-it-down)", "[Other](other.md)", "other.md", "does not stand beside"),
        ("```sh capture root=yes", "```sh capture root=maybe", "```sh", "root is yes or no"),
        ("```sh capture root=yes", "```sh capture toor=yes", "```sh", "unknown option `toor=yes`"),
        ("-s 192 \\\n", "-s 192 | tee x \\\n", "tcpdump", "without a shell"),
        ("-s 192 \\\n", "-s $(id) \\\n", "tcpdump", "without a shell"),
        ("-s 192 \\\n", "-s 192 && reboot \\\n", "tcpdump", "without a shell"),
        ("-s 192 \\\n", "-s 192\n", "-w {bundle}", "one command a block"),
        ("## Background", "```sql more\nSELECT 1\n```\n\n## Background", "```sql more", "a step has one query"),
    ],
)
def test_a_mistake_is_told_at_its_line(before: str, after: str, at: str, says: str) -> None:
    assert before in FRONT + STEP
    text = (FRONT + STEP).replace(before, after, 1)
    error = mistake(text)
    assert says in error.message
    assert at in text.split("\n")[error.line - 1]


def test_two_steps_of_one_name_are_told_at_the_second() -> None:
    text = (FRONT + STEP).replace("## Is it down?", "## Is it slow?")
    error = mistake(text)
    assert "two steps are called" in error.message
    assert text.split("\n")[: error.line].count("## Is it slow?") == 2


def test_a_mistake_in_a_query_has_its_column() -> None:
    error = mistake((FRONT + STEP).replace("FROM roce_qps", "FROM   'x.csv'", 1))
    assert error.column == len("FROM   ") + 1
    assert str(error).startswith(f"test.md:{error.line}:{error.column}: ")


def test_a_playbook_without_a_step_is_no_playbook() -> None:
    assert "has no step" in mistake(FRONT).message


def test_a_hostile_playbook_cannot_write_to_the_terminal_through_its_errors() -> None:
    error = mistake(FRONT.replace("title: Test", '"\\e[31mkey": 1\ntitle: Test') + STEP)
    assert "\x1b" not in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---\n---\n",
        "---\n- a\n---\n",
        "---\n!!python/object/apply:os.system ['true']\n---\n",
        "---\na: &a [1]\nb: *c\n---\n",
        "---\ntitle: 2026-99-99\n---\n",
        "---\n? [a, b]\n: 1\n---\n",
    ],
)
def test_broken_front_matter_is_a_mistake_and_not_a_crash(text: str) -> None:
    assert mistake(text + STEP).line >= 0


def test_a_query_that_is_missing_at_the_end_of_the_file_is_a_mistake_in_its_last_line() -> None:
    text = "## Step\n\n```sql empty needs=roce_qps"
    assert mistake(FRONT + text).line == (FRONT + text).count("\n") + 1


@given(order=st.lists(st.sampled_from((FRONT + STEP).split("\n")), max_size=60))
def test_whatever_order_its_lines_come_in_it_is_a_playbook_or_a_mistake_with_a_place(order: list[str]) -> None:
    text = FRONT + "\n".join(order)
    try:
        playbook(text)
    except PlaybookError as error:
        line = error.line
    else:
        line = 0
    assert 0 <= line <= text.count("\n") + 1


def test_durations_become_nanoseconds() -> None:
    assert [nanoseconds(text) for text in ("200ms", "1.5 s", "3us", "10ns", "2min", "ten")] == [
        200_000_000,
        1_500_000_000,
        3_000,
        10,
        120_000_000_000,
        None,
    ]


def test_anchors_are_those_of_github() -> None:
    assert slug_of("Is there RoCE in it, both ways?") == "is-there-roce-in-it-both-ways"
