"""A walked playbook as a report: plain text for a terminal, Markdown and HTML for a ticket, JSON for a program.

All four say the same, one file each. Whatever came from a file is escaped for where it goes: no control character in
text, no markup in Markdown and HTML.
"""

from badhop.report.as_html import html
from badhop.report.as_json import SCHEMA, json_object, json_text
from badhop.report.as_markdown import markdown
from badhop.report.as_text import WIDTH, paragraph, text

__all__ = ["SCHEMA", "WIDTH", "html", "json_object", "json_text", "markdown", "paragraph", "text"]
