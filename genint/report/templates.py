"""What all pages that stand alone have in common: how templates are read, and hashes of content."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from genint.report.wording import shown_text


def template_environment(folder: Path) -> Environment:
    """Templates of a folder: whatever they print is escaped, and :func:`shown`."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=shown,
    )


def shown(value: object) -> object:
    """A value as a page may show it: on one line, without control or direction characters.

    Applied to whatever a template prints, so that nothing has to remember it.
    """
    if type(value) is not str:  # not: Markup, which is a template's own
        return value
    return shown_text(value)


def content_hash(text: str) -> str:
    """The source expression of a content security policy that allows an inline style or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
