"""From a capture on disk to the verdict and its packets, with the real engine and the shipped playbook."""

import struct
from pathlib import Path

import pytest

from badhop.playbook import Playbook
from badhop.ui.opened import Request
from badhop.ui.screens.failure import FailureScreen
from badhop.ui.screens.home import HomeScreen
from badhop.ui.screens.packet import PacketScreen
from badhop.ui.screens.steps import StepsScreen
from badhop.ui.screens.verdict import VerdictScreen
from badhop.ui.screens.walk import WalkScreen
from badhop.ui.widgets.frame_table import FrameTable
from badhop.ui.widgets.menu import Menu
from raw_capture import ipv4_udp, pcap
from ui.session import LARGE, SMALL, running

SAMPLES = Path(__file__).parent.parent.parent / "captures"


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_sample_incident_is_walked_from_start_to_the_packet_of_its_evidence(size: tuple[int, int]) -> None:
    async with running(Request((SAMPLES / "roce-loss-before-tap",), "roce-loss"), size) as session:
        assert isinstance(session.screen, WalkScreen)
        seen = [session.screen.step.slug]
        while isinstance(session.screen, WalkScreen):
            assert session.says("#answer").startswith(("[!] FOUND", "[ok] CLEAR", "[?] NO DATA"))
            await session.press("n")
            if isinstance(session.screen, WalkScreen):
                seen.append(session.screen.step.slug)
            assert len(seen) < 100, "the suggestions go round in circles"
        assert len(seen) >= 6
        assert len(seen) == len(set(seen))
        assert isinstance(session.screen, VerdictScreen)
        assert "SIDE ONLY" in session.says("#headline")
        assert "side:source@tor.pcap" in session.sees()
        await session.press("enter")
        assert isinstance(session.screen, PacketScreen)
        assert "BTH" in session.sees() or "dest_qp" in session.sees()
        await session.press("escape", "escape", "s")
        assert isinstance(session.screen, StepsScreen)
        await session.press("escape", "escape")
        assert isinstance(session.screen, HomeScreen)


async def test_a_capture_without_roce_is_walked_without_a_claim(tmp_path: Path) -> None:
    path = pcap(tmp_path / "dns.pcap", [ipv4_udp(struct.pack(">6H", 1, 0, 0, 0, 0, 0), 5353, 53)] * 3)
    async with running(Request((path,), "roce-loss")) as session:
        await session.press("v")
        assert isinstance(session.screen, VerdictScreen)
        assert "CANNOT TELL" in session.says("#headline")


async def test_a_capture_of_no_packets_opens_and_every_table_of_it_too(tmp_path: Path) -> None:
    async with running(Request((pcap(tmp_path / "empty.pcap", []),))) as session:
        menu = session.screen.query_one(Menu)
        tables = [option.id for option in menu.options if option.id and option.id.startswith("table:")]
        assert len(tables) >= 8
        for table in tables:
            menu.highlighted = menu.get_option_index(table)
            await session.press("enter")
            shown = session.screen.query_one(FrameTable).frame
            assert shown.width > 0
            await session.press("escape")
            assert isinstance(session.screen, HomeScreen)


async def test_an_own_playbook_is_listed_and_a_broken_one_is_told(
    tmp_path: Path, capture: Path, playbook: Playbook
) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "mine.md").write_text(playbook.path.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "broken.md").write_text("no playbook\n", encoding="utf-8")
    async with running(Request((capture,), None, (folder,)), LARGE) as session:
        assert "Lost packets" in session.sees()
        assert "[!] playbook left out:" in session.sees()
        assert "broken.md" in session.sees()


@pytest.mark.each_file("path", "corpus/files/roce_ib/*", "corpus/files/pfc_lldp_lacp/*")
async def test_every_real_capture_of_roce_and_pauses_opens_or_says_why_not(path: Path) -> None:
    async with running(Request((path,), "roce-loss")) as session:
        if isinstance(session.screen, FailureScreen):
            assert len(session.says("#what")) > len("[!] ")
            return
        await session.press("v")
        assert isinstance(session.screen, VerdictScreen)
        assert session.sees().replace("\n", "").isprintable()
