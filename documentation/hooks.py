"""What mkdocs calls while it builds the site; it runs without genint."""

from __future__ import annotations

import re

_ROLE = re.compile(r":(?:class|func|meth|mod|data|attr|exc):<code>~?(?:[\w.]+\.)?(\w+)</code>")


def on_page_content(html: str, **_: object) -> str:
    """Cross-references of docstrings, in the notation of Sphinx, become plain names."""
    return _ROLE.sub(r"<code>\1</code>", html)
