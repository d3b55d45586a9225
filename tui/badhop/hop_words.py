"""What a hop id names, in plain words: nobody should have to learn the ids to read a verdict."""

import re

_WORDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), words)
    for pattern, words in (
        (r"side:source@(.+)", "everything between the sender of the packets and the place where {} was taken"),
        (r"side:destination@(.+)", "everything between the place where {} was taken and the receiver of the packets"),
        (r"between:(.+)#before->\1#after", "the switch whose ports {} mirrors both ways"),
        (
            r"between:(.+)->(.+)",
            "everything on the way of the packets from the place where {} was taken to the place where {} was taken",
        ),
        (r"capture:(.+)", "what made the capture {}: its tool, disk or mirror port, not the network it watched"),
        (r"mac:(.+)", "the port that sends from the Ethernet address {}"),
        (r"config:ack-timeout@(.+)", "the ACK timeout that the program on {} sets for its queue pairs"),
        (
            r"config:multipath@(.+)",
            "a setting on the paths that {} saw: packets of one queue pair take several of them",
        ),
        (r"config:[^@]+@(.+)", "a setting of {}, not a broken part"),
        (r"(.+)/proc", "the program on {} that uses RDMA, not the network"),
    )
)


def in_words(hop: str) -> str | None:
    """The place that `hop` stands for; None when its id already is the name of a part."""
    for pattern, words in _WORDS:
        if match := pattern.fullmatch(hop):
            return words.format(*match.groups())
    return None
