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


def test_packets_of_the_capture_behind_are_named_as_its_own() -> None:
    row = {"source": "a.pcap", "frames": [7], "frames_b": [7, 8], "tap_b": "b.pcap"}
    spots = [(spot.source, spot.frame) for spot in spots_of(row)]
    assert spots == [("a.pcap", 7), ("b.pcap", 7), ("b.pcap", 8)]


def test_half_of_a_mirror_is_its_capture() -> None:
    assert spots_of({"frames_b": [3], "tap_b": "a.pcap#after"})[0].source == "a.pcap"
