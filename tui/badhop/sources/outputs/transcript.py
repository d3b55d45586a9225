"""Splits a file into passages: at shell and switch prompts, `date` lines, headers of `watch` and `tail`, and at lines
with which a known output begins.

A separator belongs to no passage. Where none is found, the file is one passage.
"""

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath

from badhop.sources.outputs import clock, place
from badhop.sources.outputs.commands import COMMANDS
from badhop.sources.outputs.lines import Lines
from badhop.sources.outputs.passage import Moment, Passage

_SHELL = re.compile(r"\[?[\w.-]+@([\w.-]+)[ :]?[^\s#$%>\]]*\]?\s?[#$%>]\s?(\S.*)")
"""root@h12:~# ethtool -S eth2, [root@h12 tmp]# …, admin@leaf4:~$ show pfc counters"""

_SWITCH = re.compile(r"([A-Za-z][\w.-]*)(?:\([\w/-]+\))?[#>]\s?(\S.*)")
"""leaf4# show …, leaf4>show …; believed only before a known command."""

_BARE = re.compile(r"[$#+%]\s+(?:\$ )?(\S.*)")
"""$ ethtool …, # ethtool …, # $ ethtool …, + ethtool … (of `set -x`); believed only before a known command."""

_PATHED = re.compile(r"/(?:usr/)?(?:local/)?s?bin/(\S.*)")
"""/usr/bin/lspci -t, below a rule: the sections of an nvidia-bug-report; believed only of a known command."""

_WATCH = re.compile(r"Every (\d+(?:[.,]\d+)?)s: (.*?)(?:\s{2,}([\w.-]+): (.*))?")
_TAIL = re.compile(r"==> (.+) <==")
_REPORTED = re.compile(r"\*\*\* (?:(/\S+)|ls: .*)")
"""nvidia-bug-report writes the name of a file, and what `ls` says of it, before its content."""

_HEADED = re.compile(r"# (\S+(?: \d\S+)?)(?: ([\w.:/-]+))?")
"""What scripts write before each sample: `# 1764547200000000 eth0`, `# 2026-11-30T12:00:00Z`."""

_RULED = re.compile(r"[-=#*_ ]{3,}\s*(.*?)\s*[-=#*_ ]{3,}")
"""A time, a command or a device between rules: `===== 2026-11-30T12:00:00Z =====`, `--- ethtool -S eth2 ---`."""


@dataclass(frozen=True)
class _Separator:
    """What a line says that stands between two passages; `keep` where it also belongs to the one after it."""

    command: str | None = None
    host: str | None = None
    taken: Moment | None = None
    path: PurePath | None = None
    device: str | None = None
    keep: bool = False


def passages(lines: Lines, around: Passage, begins: Callable[[str], bool]) -> Iterator[Passage]:
    """The passages of a file in order; `around` has what is known of the file as a whole.

    A time holds until the next one: what a `date` line says is true of all commands after it.
    """
    start, now = 0, around
    for index, text in enumerate(lines.texts):
        if not (found := _separator(text, lines, index, begins)):
            continue
        yield from _passage(lines, start, index, now)
        start = index if found.keep else index + 1
        now = _after(found, now, around)
    yield from _passage(lines, start, len(lines.texts), now)


def _after(found: _Separator, now: Passage, around: Passage) -> Passage:
    if found.path is not None:
        inside = around.path.parent / found.path.relative_to(found.path.anchor)
        host, device = place.host_of(inside) or around.host, place.device_of(inside) or around.device
        return replace(now, path=inside, host=host, device=device, command=None)
    taken, host = found.taken or now.taken, found.host or now.host
    if found.command is None:
        return replace(now, taken=taken, host=host, device=found.device or now.device)
    return replace(now, taken=taken, host=host, command=found.command, device=_device(found.command) or around.device)


def _passage(lines: Lines, start: int, end: int, now: Passage) -> Iterator[Passage]:
    if any(text and not text.isspace() for text in lines.texts[start:end]):
        yield replace(now, lines=lines.cut(start, end))


def _separator(text: str, lines: Lines, index: int, begins: Callable[[str], bool]) -> _Separator | None:
    """Cheap tests first: nearly every line is none."""
    stripped = text.strip()
    if not stripped:
        return None
    if len(stripped) <= _LONGEST_DATE and (taken := _date(stripped, lines, index)) is not None:
        return _Separator(taken=Moment(taken, "date"))
    if stripped.startswith("# ") and (found := _HEADED.fullmatch(stripped)):
        moment = clock.epoch(found[1]) or clock.rfc3339(found[1])
        if moment is not None:
            return _Separator(taken=Moment(moment, "date"), device=found[2])
    if stripped.startswith("Every ") and (found := _WATCH.fullmatch(stripped)):
        taken = clock.date_line(found[4]) if found[4] else None
        return _Separator(found[2].strip(), found[3], Moment(taken, "watch") if taken is not None else None)
    if stripped.startswith("*** ") and (found := _REPORTED.fullmatch(stripped)):
        return _Separator(path=PurePath(found[1])) if found[1] else _Separator()
    if stripped.startswith("==> ") and (found := _TAIL.fullmatch(stripped)):
        return _Separator(path=PurePath(found[1]))
    if prompt := _prompt(stripped):
        return prompt
    if len(stripped) <= _LONGEST_DATE and (banner := _banner(stripped, lines, index, begins)):
        return banner
    if stripped[0] == "/" and (section := _section(stripped, lines, index)):
        return section
    return _Separator(keep=True) if index and begins(text) else None


_LONGEST_DATE = 80


def _date(text: str, lines: Lines, index: int) -> int | None:
    if found := _RULED.fullmatch(text):
        text = found[1]
    if not text or not (text[0].isdigit() or text[0].isupper()) or not text[-1].isalnum():
        return None
    ts = clock.date_line(text)
    if ts is None:
        ts = clock.rfc3339(text)
    if ts is None and text[0] == "1":
        # A number alone is a time only before something that is no number: counters are printed like this, too.
        after = next((line.strip() for line in lines.texts[index + 1 : index + 3] if line.strip()), "")
        ts = clock.epoch(text) if after and not after[0].isdigit() else None
    return ts


def _banner(text: str, lines: Lines, index: int, begins: Callable[[str], bool]) -> _Separator | None:
    """What a script's `echo` says before an output: its command between rules, or the device that it loops over."""
    ruled = _RULED.fullmatch(text)
    inside = ruled[1] if ruled else text
    if ruled and inside and _known(inside):
        return _Separator(inside)
    name = inside.rstrip(":")
    if not name or " " in name or place.device_of(PurePath(name.split("/")[0])) != name.split("/")[0]:
        return None
    after = next((line for line in lines.texts[index + 1 : index + 3] if line.strip()), "")
    return _Separator(device=name) if begins(after) else None


def _prompt(text: str) -> _Separator | None:
    if text[0] in "$#+%":
        found = _BARE.fullmatch(text)
        return _Separator(found[1]) if found and _known(found[1]) else None
    if "#" not in text and "$" not in text and ">" not in text:
        return None
    if "@" in text and (found := _SHELL.fullmatch(text)):
        return _Separator(found[2], found[1])
    if (found := _SWITCH.fullmatch(text)) and _known(found[2]):
        return _Separator(found[2], found[1])
    return None


def _section(text: str, lines: Lines, index: int) -> _Separator | None:
    found = _PATHED.fullmatch(text)
    above = "".join(lines.texts[max(0, index - 2) : index]).strip()
    return _Separator(found[1]) if found and len(above) > 9 and not above.strip("_") and _known(found[1]) else None


def _known(command: str) -> bool:
    return command.split(None, 1)[0].rsplit("/", 1)[-1] in COMMANDS


def words(command: str) -> tuple[str, ...]:
    """The words of a command line without `sudo` and what follows a pipe; as they stand where quotes do not match."""
    try:
        found = shlex.split(command, comments=False)
    except ValueError:
        found = command.split()
    for index, word in enumerate(found):
        if word in ("|", ";", "&&", "||", ">"):
            found = found[:index]
            break
    return tuple(found[1:] if found and found[0] == "sudo" else found)


def _device(command: str) -> str | None:
    """The one NIC or port among the words of a command."""
    found = {word.split("/")[0] for word in words(command) if place.device_of(PurePath(word))}
    return found.pop() if len(found) == 1 else None
