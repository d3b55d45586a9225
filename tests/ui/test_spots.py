"""The packets that a row points to."""

from badhop.ui.spots import Spot, spots_of


def test_a_row_names_each_of_its_packets_once() -> None:
    row = {"source": "tor.pcap", "frame": 7, "frames": [9, 7], "sent_frame": None, "nak_frame": 12, "psn": 99}
    assert spots_of(row) == (
        Spot("tor.pcap", 7, ""),
        Spot("tor.pcap", 9, "evidence"),
        Spot("tor.pcap", 12, "the NAK"),
    )


def test_a_row_without_frames_names_none() -> None:
    assert spots_of({"side": "source", "episodes": 3, "frame": 0, "frames": None, "nak_frame": True}) == ()
