"""Through which proxy a server is reached, as the environment says."""

from __future__ import annotations

from urllib.request import getproxies, proxy_bypass

from yarl import URL

from genint.errors import UsageError


def proxy_for(base: str) -> URL | None:
    """The proxy for a server (``https_proxy``, ``http_proxy``, ``no_proxy``); None for none.

    The HTTP library could do so itself, but would then also look into ``~/.netrc`` for each
    request, and send what it finds there to whom it does not concern.

    Raises:
        UsageError: what the environment names is no HTTP proxy.
    """
    url = URL(base)
    proxy = getproxies().get(url.scheme, "").strip()
    if not proxy or proxy_bypass(url.authority):
        return None
    try:
        address = URL(proxy if "://" in proxy else f"http://{proxy}")
        if address.scheme not in ("http", "https") or not address.host:
            raise ValueError("no HTTP proxy")
    except ValueError:
        # The value is left out: it may hold a password.
        raise UsageError(f"{url.scheme}_proxy: must be http://host:port") from None
    return address
