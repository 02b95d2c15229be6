"""How the client introduces itself."""

from __future__ import annotations

import re

_VERSION = re.compile(r"[0-9A-Za-z.+!-]{1,40}")
_CONTACT = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+")


def user_agent(version: str, contact: str | None) -> str:
    """The User-Agent that servers see: program, version, and whom to write to.

    Args:
        version: Of genint.
        contact: E-mail address of who runs it; None for none.

    Raises:
        ValueError: a value has signs that have no place in a header.
    """
    if not _VERSION.fullmatch(version):
        raise ValueError("not a version")
    if contact is None:
        return f"genint/{version}"
    if not _CONTACT.fullmatch(contact):
        raise ValueError("not an e-mail address")
    return f"genint/{version} (mailto:{contact})"
