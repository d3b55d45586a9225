"""The command line: exit codes, what goes to stdout, what to stderr. A contract for scripts and monitoring."""

import csv
import io
import json
import re
from pathlib import Path

import polars as pl
import pytest

from badhop import cli
from command import HEALTHY, LOSS, SAMPLES, files, process
from raw_capture import ack, ipv4_udp, pcap, roce


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No settings of whoever runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("BADHOP_DEBUG", raising=False)
    return tmp_path / "config" / "badhop" / "playbooks"


class Ran:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def badhop(capsys: pytest.CaptureFixture[str]) -> "Badhop":
    return Badhop(capsys)


class Badhop:
    """Runs a command in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Ran:
        self._capsys.readouterr()
        code = cli.main(arguments)
        out, err = self._capsys.readouterr()
        return Ran(code, out, err)


# diagnose


def test_a_fault_is_printed_with_its_hop_and_ends_with_2(badhop: Badhop) -> None:
    ran = badhop("diagnose", "roce-loss", *files(LOSS))
    assert ran.code == 2
    assert ran.out.startswith("SIDE ONLY")
    assert "side:source@tor.pcap" in ran.out.split("\n")[0]
    assert ran.err == ""


def test_a_healthy_capture_ends_with_0(badhop: Badhop) -> None:
    ran = badhop("diagnose", "roce-loss", *files(HEALTHY))
    assert (ran.code, ran.out.split(" ")[0]) == (0, "HEALTHY")


def test_a_capture_without_rdma_cannot_tell_and_ends_with_3(badhop: Badhop, tmp_path: Path) -> None:
    ran = badhop("diagnose", "roce-loss", str(pcap(tmp_path / "dns.pcap", [ipv4_udp(b"x", 53, 53)])))
    assert (ran.code, ran.out.split("\n")[0]) == (3, "CANNOT TELL")


def test_auto_takes_the_playbooks_that_fit(badhop: Badhop) -> None:
    ran = badhop("diagnose", "auto", *files(LOSS), "--json")
    assert (ran.code, json.loads(ran.out)["playbook"]) == (2, "roce-loss")


def test_json_is_one_object_on_stdout(badhop: Badhop) -> None:
    got = json.loads(badhop("diagnose", "roce-loss", *files(LOSS), "--json").out)
    assert got["schema"] == 1
    assert got["hops"][0]["id"] == "side:source@tor.pcap"
    assert got["evidence"][0]["frames"]


@pytest.mark.parametrize(
    ("ending", "begins"), [("md", "# RoCE loss"), ("html", "<!DOCTYPE html>"), ("json", "{"), ("txt", "SIDE ONLY")]
)
def test_the_report_is_written_in_the_format_of_its_ending(
    badhop: Badhop, tmp_path: Path, ending: str, begins: str
) -> None:
    path = tmp_path / f"report.{ending}"
    assert badhop("diagnose", "roce-loss", *files(LOSS), "--report", str(path)).code == 2
    assert path.read_text().startswith(begins)


@pytest.mark.parametrize("name", ["report.pdf", "none/report.md"])
def test_a_report_that_cannot_be_written_is_refused_before_the_work(badhop: Badhop, tmp_path: Path, name: str) -> None:
    ran = badhop("diagnose", "roce-loss", "missing.pcap", "--report", str(tmp_path / name))
    assert (ran.code, ran.out) == (64, "")
    assert "report" in ran.err


def test_a_topology_is_checked_and_what_of_it_is_used_is_said(badhop: Badhop, tmp_path: Path) -> None:
    path = tmp_path / "topology.yaml"
    path.write_text("hosts: {h12: {leaf: leaf4}}\n")
    ran = badhop("diagnose", "roce-loss", *files(LOSS), "--topology", str(path), "--json")
    assert any("of it is used: speeds of links" in line for line in json.loads(ran.out)["missing"])


@pytest.mark.parametrize("content", ["hosts: [", "just text", None])
def test_a_topology_that_is_none_is_unreadable_input(badhop: Badhop, tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "topology.yaml"
    if content is not None:
        path.write_text(content)
    assert badhop("diagnose", "roce-loss", *files(LOSS), "--topology", str(path)).code == 66


def test_a_playbook_of_the_user_is_found_by_name_path_and_folder(badhop: Badhop, home: Path, tmp_path: Path) -> None:
    home.mkdir(parents=True)
    for folder in (home, tmp_path):
        (folder / "mine.md").write_text(
            "---\ntitle: Mine\n---\n\n## Any?\n\n```sql any\nSELECT * FROM packets LIMIT 1\n```\n\n"
            "- found → yes\n- clear → no\n- no data → none\n"
        )
    for arguments in (["mine"], [str(tmp_path / "mine.md")], ["mine", "--playbooks", str(tmp_path)]):
        name, *options = arguments
        got = json.loads(badhop("diagnose", name, *files(HEALTHY), "--json", *options).out)
        assert got["steps"] == [{"playbook": "mine", "step": "any", "outcome": "found", "rows": 1}]


def test_a_broken_playbook_is_unreadable_input_told_with_its_place(badhop: Badhop, tmp_path: Path) -> None:
    path = tmp_path / "broken.md"
    path.write_text("---\ntitle: [\n---\n")
    ran = badhop("diagnose", str(path), *files(HEALTHY))
    assert ran.code == 66
    assert f"{path}:2:9: the front matter" in ran.err


# Wrong use, unreadable input, defects


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["frobnicate"],
        ["diagnose"],
        ["diagnose", "roce-loss"],
        ["diagnose", "no-such-playbook", "x.pcap"],
        ["diagnose", "roce-loss", "x.pcap", "--frob"],
        ["query", "SELECT 1"],
        ["query", "SELECT 1 FROM packets", "x.pcap", "--format", "xml"],
        ["query", "SELECT 1 FROM packets", "x.pcap", "--format", "parquet"],
        ["query", "DROP TABLE packets", "x.pcap"],
        ["query", "SELECT * FROM read_csv('/etc/passwd')", "x.pcap"],
        ["query", "SELECT * FROM packet", "x.pcap"],
        ["tables", "--json", "--markdown"],
        ["playbooks", "show", "no-such-playbook"],
        ["playbooks", "list", "--playbooks", "no-such-folder"],
        ["diagnose", "roce-loss", "x.pcap", "--playbooks", "no-such-folder"],
        ["demo", "no-such-sample"],
        ["open", "x.pcap"],
    ],
    ids=" ".join,
)
def test_wrong_use_ends_with_64_and_says_what_to_do_on_stderr(badhop: Badhop, arguments: list[str]) -> None:
    ran = badhop(*arguments)
    assert (ran.code, ran.out) == (64, "")
    assert ran.err.strip()
    assert "Traceback" not in ran.err


def test_a_bare_call_says_what_can_be_done_now(badhop: Badhop) -> None:
    said = badhop().err
    assert all(command in said for command in ("badhop demo", "badhop open", "badhop diagnose"))


def test_an_unknown_sample_lists_the_samples(badhop: Badhop) -> None:
    said = badhop("demo", "no-such-sample").err
    assert all(name in said for name in SAMPLES)


def test_a_missing_file_ends_with_66_and_is_named(badhop: Badhop, tmp_path: Path) -> None:
    ran = badhop("diagnose", "roce-loss", str(tmp_path / "none.pcap"))
    assert (ran.code, ran.out) == (66, "")
    assert "none.pcap" in ran.err


def test_of_a_wrong_playbook_and_a_missing_file_the_playbook_is_told(badhop: Badhop, tmp_path: Path) -> None:
    ran = badhop("diagnose", "roce-los", str(tmp_path / "gone.pcap"))
    assert (ran.code, ran.out, "roce-los" in ran.err, "gone.pcap" in ran.err) == (64, "", True, False)


def test_a_file_that_is_no_capture_ends_with_66(badhop: Badhop, tmp_path: Path) -> None:
    (tmp_path / "x.pcap").write_text("not a capture")
    assert badhop("query", "SELECT 1 AS one FROM packets", str(tmp_path / "x.pcap")).code == 66


def test_a_hostile_file_name_cannot_command_the_terminal(badhop: Badhop, tmp_path: Path) -> None:
    name = "\x1b[2J\u202e\nevil.pcap"
    for arguments in (["diagnose", "roce-loss"], ["tables"], ["query", "SELECT 1 AS one FROM packets"]):
        ran = badhop(*arguments, str(tmp_path / name))
        assert ran.code == 66
        assert "\x1b" not in ran.err
        assert "\u202e" not in ran.err


def test_a_capture_with_a_hostile_name_is_reported_safely(badhop: Badhop, tmp_path: Path) -> None:
    path = tmp_path / "\x1b[31m\u202e.pcap"
    path.write_bytes(LOSS.evidence[0].read_bytes())
    ran = badhop("diagnose", "roce-loss", str(path))
    assert ran.code == 2
    assert all(char.isprintable() or char == "\n" for char in ran.out)
    assert r"side:source@\x1b[31m\u202e.pcap" in ran.out


def test_a_defect_ends_with_70_without_a_traceback(badhop: Badhop, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("boom \x1b[31m")

    monkeypatch.setattr("badhop.sources.read", broken)
    ran = badhop("tables", "x.pcap")
    assert ran.code == 70
    assert "ZeroDivisionError: boom" in ran.err
    assert "report it" in ran.err
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err
    assert "Traceback" in badhop("--debug", "tables", "x.pcap").err


def test_ctrl_c_ends_with_130_and_no_traceback(badhop: Badhop, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("badhop.sources.read", interrupted)
    ran = badhop("tables", "x.pcap")
    assert (ran.code, ran.err) == (130, "stopped\n")


def test_a_capture_in_the_place_of_a_command_is_answered_with_the_command(
    badhop: Badhop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = pcap(tmp_path / "a b.pcap", [ack(18, 5)])
    assert f"Try: badhop open '{path}'\n" in badhop(str(path)).err
    assert f"Try: badhop diagnose auto '{path}'\n" in badhop("diagnose", str(path)).err
    monkeypatch.chdir(path.parent)
    (path.parent / "tables").mkdir()
    assert "Try: badhop tables --help\n" in badhop("tables", "--frob").err
    assert f"badhop diagnose auto '{path}'\n" in badhop("open", str(path)).err


# query


def test_query_prints_a_table(badhop: Badhop) -> None:
    ran = badhop("query", "SELECT side, COUNT(*) AS n FROM loss_episodes GROUP BY side", *files(LOSS))
    assert ran.code == 0
    assert ran.out.split("\n")[0].split() == ["side", "n"]
    assert ran.out.split("\n")[2].split()[0] == "source"


def test_query_gives_json_csv_and_parquet(badhop: Badhop, tmp_path: Path) -> None:
    sql = "SELECT frame, ts, src FROM packets ORDER BY frame LIMIT 3"
    as_json = json.loads(badhop("query", sql, *files(LOSS), "--format", "json").out)
    as_csv = list(csv.DictReader(io.StringIO(badhop("query", sql, *files(LOSS), "--format", "csv").out)))
    out = tmp_path / "rows.parquet"
    ran = badhop("query", sql, *files(LOSS), "--format", "parquet", "-o", str(out))
    assert (ran.code, ran.out) == (0, "")
    assert "3 rows" in ran.err
    assert [row["frame"] for row in as_json] == [1, 2, 3]
    assert [row["ts"] for row in as_csv] == [row["ts"] for row in as_json]
    assert pl.read_parquet(out)["src"].to_list() == [row["src"] for row in as_json]


@pytest.mark.parametrize(
    ("name", "options", "begins"),
    [
        ("rows.csv", [], b"frame\n1\n"),
        ("rows.JSON", [], b"[\n"),
        ("rows.parquet", [], b"PAR1"),
        ("rows.txt", [], b"frame\n-----\n"),
        ("rows.txt", ["--format", "csv"], b"frame\n1\n"),
    ],
)
def test_a_file_of_rows_is_in_the_format_of_its_ending_unless_another_is_named(
    badhop: Badhop, tmp_path: Path, name: str, options: list[str], begins: bytes
) -> None:
    ran = badhop("query", "SELECT frame FROM packets LIMIT 1", *files(LOSS), "-o", str(tmp_path / name), *options)
    assert ran.err.startswith("1 row written to ")
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_every_question_in_the_help_of_query_is_answered(badhop: Badhop) -> None:
    questions = re.findall(r"^    (SELECT .*(?:\n      .*)*)", badhop("query", "--help").out, re.MULTILINE)
    assert len(questions) == 4
    for question in questions:
        ran = badhop("query", question, *files(LOSS))
        assert (ran.code, ran.err) == (0, "")


def test_query_counts_every_packet_of_the_file(badhop: Badhop, tmp_path: Path) -> None:
    path = pcap(tmp_path / "few.pcap", [roce(0x0A, 17, 5), ack(18, 5), ipv4_udp(b"", 1, 2)])
    ran = badhop("query", "SELECT COUNT(*) AS n FROM packets", str(path), "--format", "json")
    assert json.loads(ran.out) == [{"n": 3}]


def test_query_reads_derived_tables(badhop: Badhop) -> None:
    ran = badhop("query", "SELECT hop FROM resend_causes", *files(LOSS), "--format", "json")
    assert {row["hop"] for row in json.loads(ran.out)} == {"side:source@tor.pcap"}


def test_query_tells_the_place_of_a_mistake(badhop: Badhop) -> None:
    ran = badhop("query", "SELECT frame,\n sauce FROM packets", *files(LOSS))
    assert ran.code == 64
    assert "line 2, column 2: " in ran.err


def test_a_string_in_a_query_is_printed_safely(badhop: Badhop) -> None:
    for form in ("table", "csv", "json"):
        sql = "SELECT '\x1b[2J\u202e' AS text FROM capture_health"
        ran = badhop("query", sql, *files(LOSS), "--format", form)
        assert ran.code == 0
        assert "\x1b" not in ran.out
        assert "\u202e" not in ran.out


def test_query_never_writes_over_the_evidence(badhop: Badhop, tmp_path: Path) -> None:
    path = tmp_path / "tor.pcap"
    path.write_bytes(LOSS.evidence[0].read_bytes())
    ran = badhop("query", "SELECT 1 AS one FROM packets", str(path), "--format", "csv", "-o", str(path))
    assert (ran.code, "one of the sources" in ran.err) == (64, True)
    assert path.read_bytes() == LOSS.evidence[0].read_bytes()


def test_an_output_that_cannot_be_written_is_told(badhop: Badhop, tmp_path: Path) -> None:
    ran = badhop("query", "SELECT 1 AS one FROM packets", *files(LOSS), "-o", str(tmp_path / "none" / "x"))
    assert (ran.code, "cannot write" in ran.err) == (64, True)


# tables, playbooks, demo, help


def test_tables_lists_all_and_counts_what_sources_fill(badhop: Badhop) -> None:
    listed = badhop("tables").out
    assert "loss_episodes\n" in listed
    assert "resend_causes\n" in listed
    counted = badhop("tables", *files(HEALTHY)).out
    assert counted.startswith("tor.pcap  pcap: ")
    assert "loss_episodes  no rows" in counted
    assert "capture_health  1 row\n" in counted


def test_tables_as_json_carry_types_units_and_rows(badhop: Badhop) -> None:
    got = {table["name"]: table for table in json.loads(badhop("tables", *files(LOSS), "--json").out)["tables"]}
    assert got["loss_episodes"]["rows"] > 0
    wait = {column["name"]: column for column in got["loss_episodes"]["columns"]}["wait"]
    assert (wait["type"], wait["unit"]) == ("duration", "ns")
    assert json.loads(badhop("tables", "--json").out)["tables"][0]["rows"] is None


def test_the_reference_page_is_not_stale(badhop: Badhop) -> None:
    page = Path(__file__).parent.parent / "playbooks" / "TABLES.md"
    assert page.read_text(encoding="utf-8") == badhop("tables", "--markdown").out, (
        "run: badhop tables --markdown > playbooks/TABLES.md"
    )


def test_playbooks_are_listed_shown_and_checked(badhop: Badhop) -> None:
    assert "roce-loss: RoCE loss" in badhop("playbooks").out
    assert badhop("playbooks", "list").out == badhop("playbooks").out
    shown = badhop("playbooks", "show", "roce-loss").out
    assert "## May this capture testify?" in shown
    page = Path(__file__).parent.parent / "playbooks" / "roce-loss.md"
    ran = badhop("playbooks", "check", str(page))
    assert (ran.code, "no mistake" in ran.out) == (0, True)


def test_check_prints_each_mistake_with_its_place(badhop: Badhop, tmp_path: Path) -> None:
    text = (Path(__file__).parent.parent / "playbooks" / "roce-loss.md").read_text(encoding="utf-8")
    path = tmp_path / "mine.md"
    path.write_text(text.replace("FROM capture_audit", "FROM capture_audits").replace("FROM refusals", "FROM refusal"))
    ran = badhop("playbooks", "check", str(path))
    assert ran.code == 1
    assert [line.split(":")[0] for line in ran.out.splitlines()] == [str(path)] * 2
    assert "did you mean `capture_audit`" in ran.out


def test_a_broken_playbook_does_not_hide_the_others(badhop: Badhop, home: Path) -> None:
    home.mkdir(parents=True)
    (home / "broken.md").write_text("x")
    ran = badhop("playbooks")
    assert "roce-loss" in ran.out
    assert "broken.md" in ran.err


def test_a_hostile_playbook_is_listed_and_shown_safely(badhop: Badhop, home: Path) -> None:
    home.mkdir(parents=True)
    (home / "evil.md").write_text(
        '---\ntitle: "\\e[31mevil"\nsymptom: "\\u202e"\n---\n\x1b[2J\n## A?\n\n'
        "```sql a\nSELECT 1 AS x FROM packets\n```\n\n"
        "- found → a\n- clear → b\n- no data → c\n"
    )
    for arguments in (["playbooks"], ["playbooks", "show", "evil"]):
        out = badhop(*arguments).out
        assert "evil" in out
        assert all(char.isprintable() or char == "\n" for char in out)


def test_demo_without_a_terminal_prints_the_verdict_and_the_truth(badhop: Badhop) -> None:
    ran = badhop("demo", "roce-loss-before-tap")
    assert ran.code == 0
    assert "side:source@tor.pcap" in ran.out
    assert LOSS.says in " ".join(ran.out.split())


def test_demo_alone_takes_a_sample_with_a_fault(badhop: Badhop) -> None:
    assert "SIDE ONLY" in badhop("demo", "--headless").out


@pytest.mark.parametrize("command", ["open", "diagnose", "query", "tables", "playbooks", "demo"])
def test_each_command_explains_itself_with_an_example(badhop: Badhop, command: str) -> None:
    ran = badhop(command, "--help")
    assert ran.code == 0
    assert f"Example: badhop {command}" in ran.out


def test_help_lists_the_commands_and_no_others(badhop: Badhop) -> None:
    out = badhop("--help").out
    commands = out.partition("Commands:")[2]
    assert [line.split()[0] for line in commands.splitlines() if line.startswith("  ")] == [
        "open",
        "diagnose",
        "query",
        "tables",
        "demo",
        "playbooks",
    ]


def test_the_installed_command_and_the_module_are_the_same_program() -> None:
    ran = process(["--version"])
    assert (ran.returncode, ran.stdout.split()[0], ran.stderr) == (0, "badhop", "")
