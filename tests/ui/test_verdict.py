"""The verdict screen: its words, for somebody who never learnt the ids."""

from dataclasses import replace
from pathlib import Path

import pytest

from badhop import playbook as engine
from badhop.localise.verdict import Hop, Verdict, Word
from badhop.playbook import Playbook
from badhop.ui.opened import Request
from badhop.ui.screens.verdict import VerdictScreen
from ui.session import LARGE, Session, episodes, evidence, running


async def shown(session: Session, capture: Path, playbook: Playbook, verdict: Verdict) -> str:
    opened = evidence(capture, episodes(capture), playbook)
    walk = replace(engine.walk(playbook, opened.incident), verdict=verdict)
    await session.app.push_screen(VerdictScreen(walk))
    await session.press("home")
    return session.sees()


async def test_each_hop_is_told_in_words_and_so_is_its_mode(capture: Path, playbook: Playbook) -> None:
    hops = tuple(Hop(f"side:source@{name}.pcap", "side", "graydrop", 0.99) for name in ("tor", "spine"))
    verdict = Verdict("side-only", 0.99, "lost", hops)
    async with running(Request((capture,)), LARGE) as session:
        sees = await shown(session, capture, playbook, verdict)
    assert "everything between the sender of the packets and the place where tor.pcap was taken" in sees
    assert "the place where spine.pcap was taken" in sees
    assert sees.count("graydrop: packets are lost") == 1


@pytest.mark.parametrize(("word", "sure"), [("healthy", True), ("cannot-tell", False)])
async def test_where_nothing_is_claimed_no_number_says_how_sure_it_is(
    capture: Path, playbook: Playbook, word: Word, sure: bool
) -> None:
    async with running(Request((capture,)), LARGE) as session:
        sees = await shown(session, capture, playbook, Verdict(word, 0.5, "there is nothing in it"))
    assert ("50%" in sees) is sure
