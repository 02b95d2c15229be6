"""Addresses that may be asked: below a configured base, and nowhere else."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from yarl import URL

from genint.online.ports import Call

_PATH = re.compile(r"(?:/[A-Za-z0-9_~:,.-]+)+")
_LINK = re.compile(r"[\x21-\x7e]{1,8000}")
_REFUSED_IN_LINKS = re.compile(r"[@\\]")
_UP = re.compile(r"(?:\.|%2e){2}", re.IGNORECASE)


class UnusableAddress(ValueError):
    """A path or link that is not asked; says why, without showing it."""


def address_of(base: str, call: Call) -> URL:
    """Where a call is sent.

    Raises:
        UnusableAddress: the path has signs that no identifier has.
    """
    if not _PATH.fullmatch(call.path) or _UP.search(call.path):
        raise UnusableAddress("an address that cannot be asked")
    url = URL(base.rstrip("/") + call.path, encoded=True)
    return url.with_query(list(call.params)) if call.params else url


def address_of_link(base: str, asked: URL, link: str) -> URL:
    """Where a link in an answer leads, if that is below the base.

    Whether it says http or https does not matter: the base decides.

    Raises:
        UnusableAddress: it leads elsewhere, or is no address.
    """
    if not _LINK.fullmatch(link) or _REFUSED_IN_LINKS.search(link):
        raise UnusableAddress("a link that cannot be read")
    try:
        target, home = urlsplit(urljoin(str(asked), link)), urlsplit(base)
        is_home = (target.hostname, _port(target.scheme, target.port)) == (
            home.hostname,
            _port(home.scheme, home.port),
        )
    except ValueError:
        raise UnusableAddress("a link that cannot be read") from None
    raw_path = urlsplit(link).path
    below = home.path.rstrip("/") + "/"
    if target.scheme not in ("http", "https") or not is_home:
        raise UnusableAddress("a link to another server")
    if _UP.search(raw_path) or not target.path.startswith(below):
        raise UnusableAddress("a link to another place of the server")
    query = f"?{target.query}" if target.query else ""
    return URL(f"{home.scheme}://{home.netloc}{target.path}{query}", encoded=True)


def _port(scheme: str, port: int | None) -> int | None:
    """None for the usual port of http and https alike."""
    return None if port == {"http": 80, "https": 443}.get(scheme) else port
