"""The sample incidents: made by their script byte for byte, small, and found by badhop as their truth.json says."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from badhop import playbook
from badhop.localise.verdict import EXIT_CODES

ROOT = Path(__file__).parent.parent
CAPTURES = ROOT / "captures"
SAMPLES = sorted(path.parent.name for path in CAPTURES.glob("*/truth.json"))
FAULTY = ["roce-loss-after-tap", "roce-loss-before-tap"]


def truth(name: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((CAPTURES / name / "truth.json").read_text(encoding="utf-8"))
    return told


def files(name: str) -> list[str]:
    return [str(CAPTURES / name / file) for file in truth(name)["files"]]


def badhop(*arguments: str) -> tuple[int, Any]:
    ran = subprocess.run([sys.executable, "-m", "badhop", *arguments], capture_output=True, text=True, check=False)
    assert ran.stdout, ran.stderr
    return ran.returncode, json.loads(ran.stdout)


@cache
def diagnosis(name: str) -> tuple[int, Any]:
    return badhop("diagnose", truth(name)["playbook"], *files(name), "--json")


def episodes(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = badhop(
        *("query", "SELECT dest_qp, psn, kind, side, recovered_by FROM loss_episodes", *files(name)),
        *("--format", "json"),
    )[1]
    return rows


def test_the_three_samples_are_there() -> None:
    assert set(SAMPLES) == {"healthy-ring", *FAULTY}


def test_the_script_makes_the_committed_bytes() -> None:
    command = [sys.executable, str(CAPTURES / "make.py"), "--check"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_the_icrc_of_the_script_is_that_of_known_frames() -> None:
    # Whole Ethernet frames without FCS: a WRITE over IPv4 with an ECN mark, an ACK, a CNP over IPv6.
    frames = (
        "0200000000020200000000010800456a004c12344000401114010a0000010a000002c00112b7003800000a40ffff00001a2b80fffffe"
        "00007f00123400000018123400000010000102030405060708090a0b0c0d0e0fc85e69cb",
        "020000000002020000000001080045680030000140003f1127520a0000020a000001c00112b7001c00001140ffff0000003c00fffffe"
        "1f000007a98491a4",
        "02000000000202000000000186dd6c0123450028114020010db800000000000000000000000120010db8000000000000000000000002"
        "c00212b7002800008100ffff400000770000000000000000000000000000000000000000259979c7",
    )
    code = f"import wire; print([wire.icrc(f[:-4]) == f[-4:] for f in map(bytes.fromhex, {frames!r})])"
    ran = subprocess.run([sys.executable, "-c", code], cwd=CAPTURES, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[True, True, True]"


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_small(name: str) -> None:
    assert sum(path.stat().st_size for path in (CAPTURES / name).iterdir()) < 300_000


@pytest.mark.parametrize("name", SAMPLES)
def test_diagnose_says_what_the_truth_says(name: str) -> None:
    code, said = diagnosis(name)
    known = truth(name)
    assert said["verdict"] == known["verdict"]
    assert [{"id": hop["id"], "mode": hop["mode"]} for hop in said["hops"]] == known["hops"]
    assert code == EXIT_CODES[known["verdict"]]


@pytest.mark.parametrize("name", FAULTY)
def test_the_evidence_names_frames_of_the_capture(name: str) -> None:
    frames = [frame for piece in diagnosis(name)[1]["evidence"] for frame in piece["frames"]]
    assert frames
    assert all(1 <= frame <= truth(name)["packets"] for frame in frames)


@pytest.mark.parametrize("name", FAULTY)
def test_every_episode_names_a_packet_that_was_really_lost(name: str) -> None:
    lost = {(row["qp"], row["psn"]) for row in truth(name)["lost"]}
    found = [(row["dest_qp"], row["psn"]) for row in episodes(name)]
    assert len(found) >= 5
    assert set(found) <= lost


@pytest.mark.parametrize("name", FAULTY)
def test_every_episode_with_a_nak_is_a_loss_on_the_true_side(name: str) -> None:
    side = truth(name)["hops"][0]["id"].partition("@")[0].removeprefix("side:")
    by_nak = [row for row in episodes(name) if row["recovered_by"] == "nak"]
    assert {(row["kind"], row["side"]) for row in by_nak} == {("loss", side)}


@pytest.mark.parametrize("name", FAULTY)
def test_only_the_hurt_queue_pairs_have_episodes(name: str) -> None:
    assert {row["dest_qp"] for row in episodes(name)} == {row["qp"] for row in truth(name)["lost"]}


def test_the_healthy_sample_has_no_episode() -> None:
    assert episodes("healthy-ring") == []


def test_the_playbook_names_the_samples_as_its_test() -> None:
    book = playbook.find("roce-loss")
    assert sorted(book.fires_on) == FAULTY
    assert list(book.quiet_on) == ["healthy-ring"]
