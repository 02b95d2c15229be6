r"""Text and tables of Markdown: what comes from the input is escaped.

For CommonMark itself and for what forges add to it: tables, strike-through, mathematics between
``$``, links made of bare addresses, mentions of people (``@name``) and pictures for ``:names:``.
Most of it is switched off by a backslash. Mentions and pictures are looked for in the finished
page, where no backslash is left, so an empty comment cuts those. What forges link in comments
beyond that (numbers of issues, commits) is left alone: it changes no text and runs no script.

Source: CommonMark 0.31; GitHub Flavored Markdown 0.29, section 6.9 (autolinks).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from genint.report.wording import shown_text

_CUT: Final = "<!-- -->"
_MARKS: Final = re.compile(
    r"""[\\`*\[\]<>|\#~&${}]
    | (?<![A-Za-z0-9])_ | _(?![A-Za-z0-9])   # one inside a word means nothing
    | (?<=[A-Za-z]):(?=//)                   # https://
    | (?<=[Ww]{3})\.                         # www.
    """,
    re.VERBOSE,
)
_LOOKED_FOR_LATER: Final = re.compile(r"@(?=[A-Za-z0-9])|:(?=[A-Za-z0-9_+-]+:)")
_OPENS_A_BLOCK: Final = re.compile(r"^(?=[-+=])|^\d{1,9}(?=[.)](?:\s|$))")
_PLAIN_WORD: Final = re.compile(r"[A-Za-z0-9]+(?:[-_.'][A-Za-z0-9]+)*'?", re.ASCII)
_PADDED_TO: Final = 28
"""Columns are lined up for readers of the plain text, but long cells push no others away."""
_LINED_UP_ROWS: Final = 200
"""Longer tables are not lined up: nobody reads them as plain text, and blanks were a third."""


def escaped(text: str) -> str:
    """A text on one line that reads as it is and means nothing to Markdown.

    Control and direction characters, which could drive a terminal or hide text, are shown
    as a replacement character.
    """
    line = " ".join(shown_text(text).split())
    line = _MARKS.sub(lambda mark: f"\\{mark[0]}", line)
    line = _LOOKED_FOR_LATER.sub(lambda mark: f"{mark[0]}{_CUT}", line)
    return _OPENS_A_BLOCK.sub(r"\g<0>\\", line)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells must be escaped already. Short ones line up as plain text."""
    lines = [tuple(header), *(tuple(row) for row in rows)]
    if len(lines) > _LINED_UP_ROWS:
        rule = ("---",) * len(header)
        return "\n".join(f"| {' | '.join(line)} |" for line in (lines[0], rule, *lines[1:]))
    widths = [
        min(max(3, *(len(line[at]) for line in lines)), _PADDED_TO) for at in range(len(header))
    ]
    rule = tuple("-" * width for width in widths)
    return "\n".join(_row(line, widths) for line in (lines[0], rule, *lines[1:]))


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"


def heading_text(name: str) -> str | None:
    """A name as it may appear in a heading that is linked to, None where it may not.

    Forges make the anchor of a heading from its text, each by rules of its own. They
    agree on letters, digits and what joins them in one word.
    """
    if _PLAIN_WORD.fullmatch(name) is None or name.lower().startswith("www."):
        return None
    return name


def anchor(heading: str) -> str:
    """The anchor that GitHub, GitLab and Gitea make of a heading of plain words."""
    kept = re.sub(r"[^a-z0-9_ -]", "", heading.lower())
    return kept.replace(" ", "-")
