"""Each format of the report says the same, and nothing in it that came from a file can do harm."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
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
    assert "Other explanations" not in text
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


def test_the_ids_of_the_first_line_are_told_in_words(walked: Walk) -> None:
    hop = Hop("side:source@tor.pcap", "side", "graydrop", 0.99)
    verdict = Verdict("side-only", 0.99, "lost", (hop,))
    for render in (report.text, report.markdown, report.html):
        said = " ".join(render(replace(walked, verdict=verdict)).replace("\\", "").split())
        assert "side only: a fault is there, on this side of the tap" in said
        assert "side:source@tor.pcap: everything between the sender of the packets and the place where" in said
        assert "graydrop: packets are lost" in said


def test_where_nothing_is_claimed_no_number_says_how_sure_it_is(walked: Walk) -> None:
    text = report.text(replace(walked, verdict=Verdict("cannot-tell", 0.5, "There is nothing in it.")))
    assert text.startswith("CANNOT TELL\nThere is nothing in it.\n")


def test_sixty_captures_do_not_push_the_answer_off_the_screen(walked: Walk) -> None:
    names = [f"tap{number}.pcap" for number in range(60)]
    hops = tuple(Hop(f"side:source@{name}", "side", "graydrop", 0.99) for name in names)
    evidence = tuple(Evidence("psn-split", 20.0, hop.id, hop.mode, "lost", hop.id) for hop in hops)
    source = walked.incident.sources[0]
    sources = tuple(replace(source, name=name, path=Path(name)) for name in names)
    sources = (*sources[:-1], replace(sources[-1], problems=("Permission denied",)))
    many = replace(
        walked,
        verdict=Verdict("side-only", 0.99, "HEADLINE", hops, evidence, missing=tuple(names)),
        incident=replace(walked.incident, sources=sources),
    )
    lines = report.text(many).split("\n")
    assert lines.index("HEADLINE") <= 4
    assert "57 more hops" in " ".join(lines[:4])
    assert len(lines) < 120
    assert "    Problem: Permission denied" in lines
    assert "and 48 more; --json lists them all" in report.text(many)
    assert len(report.json_object(many)["evidence"]) == 60


def test_a_source_is_told_in_words_and_not_in_names_of_tables(walked: Walk) -> None:
    source = replace(walked.incident.sources[0], rows={"packets": 2717, "roce": 1, "roce_qps": 17, "loss_episodes": 1})
    text = report.text(replace(walked, incident=replace(walked.incident, sources=(source,))), width=200)
    assert "2717 packets, 1 RDMA packet, 17 queue pair directions, 1 loss episode" in text


def test_a_weight_and_an_outcome_stand_apart_from_their_sentence(walked: Walk) -> None:
    assert "- **+20.0** 48 of 49 losses" in report.markdown(walked)
    assert "- **clear** May this capture testify?" in report.markdown(walked)
    assert "<li><strong>+20.0</strong> 48 of 49 losses" in report.html(walked)
    assert "<li><strong>no data</strong> Is it paused" in report.html(walked)
