"""The report as one HTML page that needs and loads nothing else. No byte of a file becomes markup."""

import html as htmllib

from badhop.playbook import Walk
from badhop.printable import printable
from badhop.report.sections import apart, sections, verdict_line


def html(walk: Walk) -> str:
    """The report as one HTML page that needs and loads nothing else."""
    title = _html(f"{walk.playbook.title}: {verdict_line(walk.verdict)}")
    body = [
        f"<h1>{_html(walk.playbook.title)}</h1>",
        f'<p class="verdict {_html(walk.verdict.verdict)}">{_html(verdict_line(walk.verdict))}</p>',
        f"<p>{_html(walk.verdict.headline)}</p>",
    ]
    for section in sections(walk):
        items = "\n".join(_html_item(item) for item in section.items)
        body.append(f"<h2>{_html(section.title)}</h2>\n<ul>\n{items}\n</ul>")
    return _PAGE.format(title=title, body="\n".join(body))


def _html(line: str) -> str:
    return htmllib.escape(printable(line.strip()))


def _html_item(item: tuple[str, ...]) -> str:
    first, *rest = item
    mark, sentence = apart(first)
    parts = [f"<strong>{_html(mark)}</strong> {_html(sentence)}" if mark else _html(first)]
    for line in rest:
        parts.append(f"<pre>{_html(line[2:])}</pre>" if line.startswith("$ ") else f"<p>{_html(line)}</p>")
    return f"<li>{''.join(parts)}</li>"


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ max-width: 48em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; color: #222; background: #fff }}
.verdict {{ font-weight: bold; padding: .5em .8em; border-left: .4em solid #888; background: #f3f3f3 }}
.proven, .likely, .side-only {{ border-color: #b00020 }}
.suspect {{ border-color: #b26a00 }}
.healthy, .workload {{ border-color: #1b6e35 }}
li {{ margin: .4em 0; overflow-wrap: anywhere }}
li p {{ margin: .2em 0 }}
pre {{ background: #f3f3f3; padding: .5em; overflow-x: auto }}
@media print {{ body {{ margin: 0 }} }}
</style>
</head>
<body>
{body}
</body>
</html>
"""
