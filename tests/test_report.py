"""Each format of the report says the same, and nothing in it that came from a file can do harm."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from badhop import report
from badhop.localise.verdict import Evidence, Hop, Measurement, Rival, Verdict
from badhop.playbook import Walk, find, walk
from literal import episode, health, incident, qp, rows

HOSTILE = "tor\x1b[31m\u202e<b>`|*_[x](y)\n.pcap"

VERDICT = Verdict(
    "likely",
    0.914,
    "Packets are damaged between the leaf and h12.",
    (Hop("leaf4/Eth17->h12/mlx5_3", "link", "corrupt", 0.914, ("h12/mlx5_3",)),),
    (
        Evidence(
            "psn-split",
            20.04,
            "side:destination@tor.pcap",
            "graydrop",
            "48 of 49 losses",
            "tor.pcap",
            tuple(range(1, 9)),
        ),
        Evidence("ecn", -2.0, "side:source@tor.pcap", "incast", "no marks", "tor.pcap", (7,)),
        Evidence("pause", -1.0, "mac:x", "slowrx", "no pauses", "tor.pcap"),
    ),
    (Rival("capture:tor.pcap", "capdrop", 0.04, "it kept up"),),
    ("optical power of leaf4",),
    (Measurement("a second tap", "tcpdump -i eth0 'udp port 4791'", True, "30 s, reads only", "which side of it"),),
)


@pytest.fixture(scope="module")
def walked() -> Walk:
    evidence = {
        "capture_health": rows("capture_health", health()),
        "roce_qps": rows("roce_qps", qp(naks_sequence=8)),
        "loss_episodes": rows("loss_episodes", *(episode("loss", "source", nak_frame=n) for n in range(20, 28))),
    }
    return replace(walk(find("roce-loss"), incident(evidence)), verdict=VERDICT)


@pytest.fixture(scope="module")
def hostile(walked: Walk) -> Walk:
    verdict = Verdict(
        "suspect",
        0.6,
        HOSTILE,
        (Hop(HOSTILE, HOSTILE, HOSTILE, 0.6, (HOSTILE,)),),
        (Evidence(HOSTILE, 1.0, HOSTILE, HOSTILE, HOSTILE, HOSTILE, (1,)),),
        (Rival(HOSTILE, HOSTILE, 0.1, HOSTILE),),
        (HOSTILE,),
        (Measurement(HOSTILE, HOSTILE, False, HOSTILE, HOSTILE),),
    )
    source = replace(walked.incident.sources[0], name=HOSTILE, problems=(HOSTILE,))
    playbook = replace(walked.playbook, title=HOSTILE)
    return replace(walked, playbook=playbook, verdict=verdict, incident=replace(walked.incident, sources=(source,)))


def test_the_first_line_is_the_verdict(walked: Walk) -> None:
    first = report.text(walked, width=200).split("\n")[0]
    assert first == "LIKELY (0.91)  leaf4/Eth17->h12/mlx5_3, mode corrupt, cannot be told from h12/mlx5_3"


def test_evidence_has_its_sign_its_sentence_and_its_place(walked: Walk) -> None:
    text = report.text(walked)
    assert "  +20.0  48 of 49 losses (tor.pcap frames 1, 2, 3, 4, …)" in text
    assert "   -2.0  no marks (tor.pcap frame 7)" in text
    assert "   -1.0  no pauses (tor.pcap)" in text


def test_what_speaks_against_what_is_missing_and_what_to_do_next_are_all_there(walked: Walk) -> None:
    text = report.text(walked)
    assert "0.04  capture:tor.pcap, mode capdrop: it kept up" in text
    assert "optical power of leaf4" in text
    assert "      $ tcpdump -i eth0 'udp port 4791'" in text
    assert "needs root; 30 s, reads only. Decides: which side of it." in text
    assert "tor.pcap (pcap)" in text


def test_each_step_has_its_outcome_and_no_data_its_reason(walked: Walk) -> None:
    text = report.text(walked, width=200)
    assert "found    On which side of the tap was it lost? (1 row)" in text
    assert "clear    May this capture testify?" in text
    assert "no data  Is it paused rather than lossy? (this capture could not have seen any)" in text


def test_lines_fit_a_terminal_but_a_command_stays_whole(walked: Walk) -> None:
    long = Measurement("x", "tcpdump " + "a " * 100, False, "none", "it")
    text = report.text(replace(walked, verdict=replace(VERDICT, next=(long,))))
    too_long = [line for line in text.split("\n") if len(line) > report.WIDTH]
    assert [line.strip() for line in too_long] == ["$ " + long.command.strip()]


def test_a_part_with_nothing_to_say_is_left_out(walked: Walk) -> None:
    text = report.text(replace(walked, verdict=Verdict("healthy", 0.99, "All is well.")))
    assert "Rivals" not in text
    assert "Measure next" not in text
    assert text.startswith("HEALTHY (0.99)\nAll is well.\n")


def test_the_json_object_is_the_contract(walked: Walk) -> None:
    got: dict[str, Any] = json.loads(report.json_text(walked))
    assert list(got) == [
        *("schema", "playbook", "verdict", "probability", "hops", "evidence"),
        *("rivals", "missing", "next", "steps", "sources"),
    ]
    assert (got["schema"], got["playbook"], got["verdict"], got["probability"]) == (1, "roce-loss", "likely", 0.914)
    assert got["hops"] == [
        {
            "id": "leaf4/Eth17->h12/mlx5_3",
            "kind": "link",
            "mode": "corrupt",
            "probability": 0.914,
            "class": ["leaf4/Eth17->h12/mlx5_3", "h12/mlx5_3"],
        }
    ]
    assert got["evidence"][0] == {
        "detector": "psn-split",
        "db": 20.04,
        "hop": "side:destination@tor.pcap",
        "says": "48 of 49 losses",
        "source": "tor.pcap",
        "frames": [1, 2, 3, 4, 5, 6, 7, 8],
    }
    assert list(got["rivals"][0]) == ["id", "mode", "probability", "because"]
    assert list(got["next"][0]) == ["measure", "command", "root", "cost", "decides"]
    assert got["steps"][3] == {
        "playbook": "roce-loss",
        "step": "on-which-side-of-the-tap-was-it-lost",
        "outcome": "found",
        "rows": 1,
    }
    assert got["sources"] == [
        {
            "path": "tor.pcap",
            "kind": "pcap",
            "tables": {"capture_health": 1, "roce_qps": 1, "loss_episodes": 8},
            "problems": [],
        }
    ]


def test_steps_of_other_walks_are_listed_with_their_playbook(walked: Walk) -> None:
    other = replace(walked, playbook=replace(walked.playbook, name="ttft"))
    steps = report.json_object(walked, (other,))["steps"]
    assert {step["playbook"] for step in steps} == {"roce-loss", "ttft"}


def test_no_control_character_reaches_a_terminal(hostile: Walk) -> None:
    for form in (report.text, report.markdown, report.html, report.json_text):
        assert all(char.isprintable() or char == "\n" for char in form(hostile)), form.__name__


def test_the_json_still_holds_the_name_as_it_is(hostile: Walk) -> None:
    assert json.loads(report.json_text(hostile))["hops"][0]["id"] == HOSTILE


def test_no_markup_of_a_file_becomes_markup_of_the_page(hostile: Walk) -> None:
    class Tags(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.seen: set[str] = set()

        def handle_starttag(self, tag: str, attrs: object) -> None:
            self.seen.add(tag)

    parser = Tags()
    parser.feed(report.html(hostile))
    assert "b" not in parser.seen
    assert "h1" in parser.seen


def test_the_page_loads_nothing(walked: Walk) -> None:
    page = report.html(walked)
    assert not re.search(r"(src|href)=|url\(|@import|<script", page)
    assert "default-src 'none'" in page


def test_no_markup_of_a_file_becomes_markdown(hostile: Walk) -> None:
    text = re.sub(r"```+sh\n.*?```+", "", report.markdown(hostile), flags=re.DOTALL)
    for sign in ("<b>", "[x](y)", " `|", "|*_"):
        assert sign not in text
    assert r"\<b\>" in text


def test_a_command_with_backticks_cannot_end_its_block(walked: Walk) -> None:
    tricky = replace(VERDICT, next=(replace(VERDICT.next[0], command="echo ```; # evil"),))
    text = report.markdown(replace(walked, verdict=tricky))
    assert "````sh\n  echo ```; # evil\n  ````" in text
