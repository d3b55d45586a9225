"""Playbooks are found, type-checked without data, and walked to three kinds of answers."""

import os
import re
from datetime import timedelta
from pathlib import Path

import pytest

from badhop.errors import Cancelled
from badhop.playbook import (
    PlaybookError,
    Result,
    UnknownPlaybook,
    available,
    check,
    find,
    fitting,
    frames_for,
    load,
    run_step,
    strongest,
    walk,
)
from badhop.samples import samples
from badhop.sources import read
from literal import episode, health, incident, qp, rows

ONE_STEP = """---
title: {title}
params: {{least: 2, wait: 5us}}
---

## Was it lost?

```sql lost {options}
{sql}
```

- found → yes
- clear → no
- no data → unknown
"""

DETECTING = "SELECT source, hop, mode, strength, frames, says FROM resend_causes"


def write(folder: Path, name: str = "mine", sql: str = "SELECT * FROM loss_episodes", options: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.md"
    path.write_text(ONE_STEP.format(title=f"Title of {name}", sql=sql, options=options))
    return path


def outcome(tmp_path: Path, sql: str, options: str, **tables: object) -> Result:
    playbook = load(write(tmp_path, sql=sql, options=options))
    evidence = incident(tables)  # type: ignore[arg-type]
    return run_step(playbook, playbook.steps[0], frames_for(evidence), evidence)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No playbook of whoever runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "badhop" / "playbooks"


# Finding them


def test_badhops_own_playbooks_are_there() -> None:
    assert "roce-loss" in [playbook.name for playbook in available()]


def test_pages_about_playbooks_are_no_playbooks() -> None:
    assert "README" not in [playbook.name for playbook in available()]


def test_the_users_own_come_before_badhops_and_a_given_folder_before_both(home: Path, tmp_path: Path) -> None:
    write(home, "roce-loss")
    assert find("roce-loss").title == "Title of roce-loss"
    given = write(tmp_path / "given", "roce-loss")
    assert find("roce-loss", [tmp_path / "given"]).path == given


def test_a_broken_one_is_told_and_the_others_stay(home: Path) -> None:
    home.mkdir(parents=True)
    (home / "broken.md").write_text("no front matter")
    told: list[PlaybookError] = []
    assert "roce-loss" in [playbook.name for playbook in available(on_error=told.append)]
    assert [error.path.name for error in told] == ["broken.md"]


def test_a_home_that_this_user_may_not_enter_holds_no_playbook_and_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    is_dir = Path.is_dir

    def closed(path: Path) -> bool:
        if "config" in path.parts:
            raise PermissionError(13, "Permission denied")
        return is_dir(path)

    monkeypatch.setattr(Path, "is_dir", closed)
    assert [playbook.name for playbook in available()] == ["roce-loss"]


def test_a_path_is_read_from_there(tmp_path: Path) -> None:
    assert find(str(write(tmp_path))).title == "Title of mine"


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownPlaybook, match=r"there are: .*roce-loss"):
        find("rocee-loss")


@pytest.mark.parametrize("content", [b"\xff\xfe broken", b"---\n" + b"x" * (1 << 20)])
def test_a_file_that_is_no_short_text_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.md"
    path.write_bytes(content)
    with pytest.raises(PlaybookError, match=r"UTF-8|larger"):
        load(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(PlaybookError, match="No such file"):
        load(tmp_path / "none.md")


# Checking them without data


@pytest.mark.parametrize("name", [playbook.name for playbook in available()])
def test_badhops_own_playbooks_have_no_mistake(name: str) -> None:
    assert [str(mistake) for mistake in check(find(name))] == []


@pytest.mark.parametrize(
    ("sql", "options", "says"),
    [
        ("SELECT * FROM loss_episode", "", "did you mean `loss_episodes`"),
        ("SELECT sauce FROM loss_episodes", "", 'unable to find column "sauce"'),
        ("SELECT source - 1 AS x FROM loss_episodes", "", ""),
        ("SELECT * FROM loss_episodes", "needs=loss_episode", "needs=loss_episode: there is no such table"),
        ("SELECT source FROM loss_episodes", "detector=psn-split", "must select `hop`"),
        (DETECTING.replace("frames", "says AS frames"), "detector=psn-split", "`frames` is String"),
        (DETECTING, "detector=psn-slit", "knows no such detector"),
        ("SELECT most FROM params", "", 'unable to find column "most"'),
    ],
)
def test_a_query_that_does_not_fit_the_tables_is_found_without_data(
    tmp_path: Path, sql: str, options: str, says: str
) -> None:
    mistakes = check(load(write(tmp_path, sql=sql, options=options)))
    assert mistakes
    assert says in mistakes[0].message
    assert mistakes[0].line in (8, 9)


def test_a_query_with_a_detector_that_fits_has_no_mistake(tmp_path: Path) -> None:
    assert check(load(write(tmp_path, sql=DETECTING, options="detector=psn-split"))) == ()


def test_the_example_on_the_page_about_playbooks_can_be_copied(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "playbooks" / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"````markdown\n([\s\S]*?)````", page)
    path = tmp_path / "slow-answers.md"
    path.write_text(example, encoding="utf-8")
    playbook = load(path)
    assert check(playbook) == ()
    waits = [qp(round_trip_min=timedelta(milliseconds=wait)) for wait in (0, 2)]
    walked = walk(playbook, incident({"roce_qps": rows("roce_qps", *waits)}))
    assert [result.rows for result in walked.results] == [1]


def test_a_playbook_that_needs_an_unknown_table_is_told(tmp_path: Path) -> None:
    path = write(tmp_path)
    path.write_text(path.read_text().replace("params:", "needs: [rocks]\nparams:"))
    assert "rocks" in check(load(path))[0].message


# Asking


def test_rows_are_the_finding(tmp_path: Path) -> None:
    got = outcome(tmp_path, "SELECT * FROM loss_episodes", "", loss_episodes=rows("loss_episodes", episode("loss")))
    assert (got.outcome, got.rows, got.missing) == ("found", 1, ())


def test_no_rows_are_clear_when_the_needed_tables_are_filled(tmp_path: Path) -> None:
    got = outcome(tmp_path, "SELECT * FROM loss_episodes", "needs=roce_qps", roce_qps=rows("roce_qps", qp()))
    assert (got.outcome, got.missing) == ("clear", ())


def test_no_rows_from_an_empty_table_are_no_clean_bill(tmp_path: Path) -> None:
    got = outcome(tmp_path, "SELECT * FROM loss_episodes", "needs=roce_qps,pause_time", roce_qps=rows("roce_qps", qp()))
    assert (got.outcome, got.missing) == ("no-data", ("pause_time",))


def test_a_derived_table_can_be_needed(tmp_path: Path) -> None:
    one_way = rows("roce_qps", qp(acks=0))
    got = outcome(tmp_path, "SELECT * FROM loss_episodes", "needs=two_way_qps", roce_qps=one_way)
    assert (got.outcome, got.missing) == ("no-data", ("two_way_qps",))


def test_rows_count_as_found_even_when_another_needed_table_is_empty(tmp_path: Path) -> None:
    found = rows("loss_episodes", episode("loss"))
    got = outcome(tmp_path, "SELECT * FROM loss_episodes", "needs=pause_time", loss_episodes=found)
    assert got.outcome == "found"


def test_parameters_are_a_table_and_a_duration_compares_with_durations(tmp_path: Path) -> None:
    slow = rows("loss_episodes", *(episode("loss", wait=wait) for wait in (4_000, 5_000, 6_000)))
    sql = "SELECT * FROM loss_episodes WHERE wait > (SELECT wait FROM params) AND 2 = (SELECT least FROM params)"
    assert outcome(tmp_path, sql, "", loss_episodes=slow).rows == 1


def test_a_query_that_fails_on_the_data_names_its_line(tmp_path: Path) -> None:
    found = rows("loss_episodes", episode("loss"))
    with pytest.raises(PlaybookError) as failed:
        outcome(tmp_path, "SELECT CAST(src AS INT) AS n FROM loss_episodes", "", loss_episodes=found)
    assert failed.value.line == 9


@pytest.mark.parametrize(
    ("options", "sql", "says"),
    [
        ("detector=loud", DETECTING, "the verdict knows no such detector; it knows psn-split"),
        (
            "detector=ecn",
            DETECTING.replace("mode", "'loud' AS mode"),
            "mode 'loud', and the verdict knows no such mode",
        ),
        ("detector=ecn", DETECTING.replace("mode", "NULLIF('x', 'x') AS mode"), "mode None"),
        ("detector=ecn", DETECTING.replace("hop, ", ""), "must select `hop`"),
    ],
)
def test_a_step_that_speaks_in_words_unknown_to_the_verdict_is_a_mistake_of_the_playbook(
    tmp_path: Path, options: str, sql: str, says: str
) -> None:
    found = rows("loss_episodes", episode("loss", "source"))
    with pytest.raises(PlaybookError, match=says):
        outcome(tmp_path, sql, options, loss_episodes=found)


def test_an_empty_capture_clears_no_step(tmp_path: Path) -> None:
    walked = walk(
        find("roce-loss"), incident({"capture_health": rows("capture_health", health(packets=0, roce_packets=0))})
    )
    assert [result.step.slug for result in walked.results if result.outcome != "no-data"] == []


# Walking


def test_all_steps_are_walked_in_order_and_progress_is_told() -> None:
    playbook, told = find("roce-loss"), []

    def on_step(done: int, of: int, result: Result) -> bool:
        told.append((done, of, result.step.slug))
        return True

    walked = walk(playbook, incident(), on_step)
    assert [result.step.slug for result in walked.results] == [step.slug for step in playbook.steps]
    assert told[-1] == (len(playbook.steps), len(playbook.steps), playbook.steps[-1].slug)


def test_a_walk_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        walk(find("roce-loss"), incident(), lambda done, of, result: done < 2)


def test_of_several_walks_a_fault_outweighs_a_clean_bill() -> None:
    lost = {
        "capture_health": rows("capture_health", health()),
        "roce_qps": rows("roce_qps", qp(naks_sequence=8)),
        "loss_episodes": rows("loss_episodes", *(episode("loss", "source") for _ in range(8))),
    }
    well = {name: lost[name] for name in ("capture_health", "roce_qps")}
    bad, good = walk(find("roce-loss"), incident(lost)), walk(find("roce-loss"), incident(well))
    assert good.verdict.verdict == "healthy"
    assert strongest([good, bad]) is bad


def test_only_playbooks_that_the_evidence_feeds_fit() -> None:
    playbook = find("roce-loss")
    assert fitting([playbook], incident({"roce_qps": rows("roce_qps", qp())})) == (playbook,)
    assert fitting([playbook], incident()) == ()


# The promise that a playbook makes in its front matter, both ways

PROMISES = [
    (playbook.name, sample, expected)
    for playbook in available()
    for names, expected in ((playbook.fires_on, True), (playbook.quiet_on, False))
    for sample in names
]


@pytest.mark.parametrize(("name", "sample", "fires"), PROMISES)
def test_a_playbook_fires_and_stays_quiet_where_it_says(name: str, sample: str, fires: bool) -> None:
    evidence = {known.name: known.evidence for known in samples()}[sample]
    walked = walk(find(name), read(evidence))
    found = [result.step.slug for result in walked.results if result.outcome == "found" and result.step.detector]
    assert bool(found) is fires
    assert (walked.verdict.verdict == "healthy") is not fires


def test_each_playbook_carries_its_own_test() -> None:
    assert all(playbook.fires_on and playbook.quiet_on for playbook in available())
    assert os.environ.get("XDG_CONFIG_HOME")
