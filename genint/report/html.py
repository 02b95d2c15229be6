"""HTML rendering: one file that needs nothing else, and under whose policy nothing else runs.

The template prints what can be read without scripts, escaped; the rest are data islands
(:mod:`genint.report.islands`) that the page's one script shows as text. The policy names the
digests of that script and of the one style sheet: whatever a name in the input says, nothing
but these two is ever in force.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from genint.report.found_words import rna_score, spacer_words
from genint.report.islands import islands_of
from genint.report.links import link_to, link_to_record
from genint.report.page_view import view_of
from genint.report.result import GenintResult
from genint.report.texts import shown_text

_HERE: Final = Path(__file__).parent

STYLES: Final = ("colours", "page", "controls", "table", "charts", "drawer", "dark", "map", "print")
"""Style sheets in the order in which they are joined."""

_MAIN: Final = "main"
_IMPORT: Final = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ", re.MULTILINE)


def _joined_styles() -> str:
    return "\n".join((_HERE / "styles" / f"{name}.css").read_text("utf-8") for name in STYLES)


def script_modules() -> tuple[tuple[str, str], ...]:
    """Name and text of the page's modules: each stands behind those that it imports."""
    found: dict[str, str] = {}

    def take(name: str, importing: tuple[str, ...]) -> None:
        text = (_HERE / "scripts" / f"{name}.js").read_text("utf-8")
        for other in _IMPORT.findall(text):
            if other not in found and other not in importing:
                take(other, (*importing, name))
        found[name] = text

    take(_MAIN, ())
    return tuple(found.items())


def _joined_scripts() -> str:
    """The modules as one classic script: their top-level names are unique, a test sees to it."""
    bodies = (_EXPORT.sub("", _IMPORT.sub("", text)) for _, text in script_modules())
    return '(() => {\n"use strict";\n' + "\n".join(bodies) + "})();\n"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


_STYLE: Final = _joined_styles()
_SCRIPT: Final = _joined_scripts()

HTML_POLICY: Final = (
    f"default-src 'none'; script-src '{_digest(_SCRIPT)}'; style-src '{_digest(_STYLE)}'; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)
"""Content-Security-Policy of a report. It stands in the report itself too, for readers who
open it from disk; ``frame-ancestors`` works in a header only and is added there."""


POLICY_WITHIN: Final = 2048
"""Bytes from the start of a page within which its policy stands."""
_POLICY_OF_PAGE: Final = re.compile(
    rb'<meta http-equiv="Content-Security-Policy" '
    rb'content="(default-src &#39;none&#39;;[^"]{0,600})">'
)


def policy_of(start: bytes) -> str:
    """The policy that a page was made with, of this version or another.

    Args:
        start: The first :data:`POLICY_WITHIN` bytes of it; nothing of the input stands
            in front of the policy.

    A page without one gets that of this version, under which none of its scripts would run.
    """
    found = _POLICY_OF_PAGE.search(start)
    return unescape(found[1].decode("ascii", "replace")) if found else HTML_POLICY


def render_html(result: GenintResult) -> str:
    """The whole result as one HTML page; the same result gives the same bytes.

    Cost: about 0.25 ms a gene (1 s and 6 MB for Escherichia coli), once a process 0.1 s
    more for the template.
    """
    islands = islands_of(result)
    return _template().render(
        result=result,
        view=view_of(result),
        policy=HTML_POLICY,
        style=Markup(_STYLE),  # noqa: S704 - our own file, not input
        script=Markup(_SCRIPT),  # noqa: S704 - our own file, not input
        page_data=Markup(islands.page),  # noqa: S704 - JSON without any of < > &
        packed=islands.packed,
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=shown,
    )
    environment.filters |= {
        "thousands": _thousands,
        "rna_score": rna_score,
        "spacer_words": spacer_words,
    }
    environment.globals |= {"link_to": link_to, "link_to_record": link_to_record}
    return environment.get_template("report.html")


def shown(value: object) -> object:
    """A value as a page may show it: on one line, without control or direction characters.

    Applied to whatever the template prints, so that nothing has to remember it.
    """
    if type(value) is not str:  # not: Markup, which is a template's own
        return value
    return shown_text(value)


def _thousands(number: int) -> str:
    return f"{number:,}"
