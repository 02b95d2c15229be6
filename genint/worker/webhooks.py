"""Announces the end of jobs to the addresses that their users set.

Announcements wait in the database until they are taken, so they survive a restart, and one may
arrive twice: its id tells. They have the form of https://www.standardwebhooks.com, for which
there are libraries that check the signature.

Users choose the addresses, so none but public ones are connected to: the check is made of each
address at the moment of connecting, after names have been resolved, so that no name can lead into
the network that the service runs in. Redirects are not followed, proxies not used.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

import aiohttp

from genint.online.client import ThreadedResolver
from genint.storage import Delivery, WebhookStore
from genint.version import __version__

_MARK: Final = "whsec_"
"""What the text of a secret begins with; base 64 of its bytes follows."""
_TAKE_S: Final = 10.0
"""How long a receiver may take."""
_FIRST_WAIT_S: Final = 30.0
_LONGEST_WAIT_S: Final = 6 * 3600.0
_GIVE_UP_S: Final = 3 * 86_400.0
_AT_ONCE: Final = 8
_NO_CONNECTION: Final = "no connection to a public address"
"""One text for whatever kept a connection from being made, so that nobody learns from it which
names and ports there are in the network of the service."""
_LOG = logging.getLogger("genint.worker")

Address = IPv4Address | IPv6Address

_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
_NAT64: Final = IPv6Network("64:ff9b::/96")
_NOT_PUBLIC: Final = (
    IPv6Network("2001::/23"),  # special uses, Teredo among them
    IPv6Network("2002::/16"),  # 6to4, which holds an IPv4 address
    IPv6Network("2620:4f:8000::/48"),  # AS112
    IPv6Network("3fff::/20"),  # documentation
)
_NOT_PUBLIC_V4: Final = (
    # The library of Python 3.11 takes these for public in some of its versions.
    IPv4Network("192.0.0.0/24"),  # special uses; metadata of one provider
    IPv4Network("192.31.196.0/24"),  # AS112
    IPv4Network("192.52.193.0/24"),  # AMT
    IPv4Network("192.88.99.0/24"),  # 6to4 relays
    IPv4Network("192.175.48.0/24"),  # AS112
    IPv4Network("168.63.129.16/32"),  # the host of a virtual machine of one provider
)
"""RFC 6890 and its updates, and addresses by which providers of machines serve metadata."""


def is_public(address: Address) -> bool:
    """Whether an address is one of the internet: not of this machine or of a network around it."""
    if isinstance(address, IPv4Address):
        special = address.is_multicast or address.is_reserved
        listed = any(address in network for network in _NOT_PUBLIC_V4)
        return address.is_global and not special and not listed
    if address in _NAT64:
        return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    return (
        address in _GLOBAL_UNICAST
        and address.is_global
        and not any(address in network for network in _NOT_PUBLIC)
    )


def may_be_public(host: str) -> bool:
    """Whether the host of an address is a name, or an address of the internet.

    Names are looked up when they are connected to. Old ways to write an address (``127.1``,
    ``0x7f000001``, ``2130706433``) are read as the system reads them.
    """
    try:
        return is_public(ip_address(host.strip("[]")))
    except ValueError:
        pass
    try:
        return is_public(IPv4Address(socket.inet_aton(host)))
    except OSError:
        return host.rstrip(".").lower() != "localhost"


def signature(secret: str, delivery_id: str, timestamp_s: int, body: bytes) -> str:
    """The signature of an announcement.

    Args:
        secret: As it was shown to its owner.
        delivery_id: Of the announcement.
        timestamp_s: When it is sent, seconds since 1970.
        body: What is sent.

    Returns:
        ``v1,`` and the HMAC-SHA256 of ``<id>.<timestamp>.<body>`` in base 64.
    """
    key = base64.b64decode(secret.removeprefix(_MARK))
    signed = b".".join((delivery_id.encode(), str(timestamp_s).encode(), body))
    return f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"


def body_of(delivery: Delivery) -> bytes:
    """What is sent, the same at each try: which job ended how, and nothing that is not public."""
    ended_at = delivery.ended_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    about = {"job_id": delivery.job_id, "status": delivery.status}
    return json.dumps({"type": "job.ended", "timestamp": ended_at, "data": about}).encode()


def wait_s(tries: int, first_wait_s: float) -> float:
    """Seconds until the next try: twice as long each time, up to six hours."""
    return min(first_wait_s * 2.0 ** min(tries - 1, 20), _LONGEST_WAIT_S)


class WebhookSender:
    """Sends what is due.

    Args:
        store: Where announcements wait.
        session: Connects to none but the addresses that are allowed.
        first_wait_s: Until the second try.
    """

    def __init__(
        self, store: WebhookStore, session: aiohttp.ClientSession, first_wait_s: float
    ) -> None:
        self._store = store
        self._first_wait_s = first_wait_s
        self._session = session

    async def send_due(self) -> None:
        """Send all that is due, of each user one after the other.

        Raises:
            DatabaseAway: what was being sent is sent again.
        """
        while due := await self._store.due(_AT_ONCE):
            sent = await asyncio.gather(*map(self._send, due))
            if not any(sent):
                return

    async def _send(self, delivery_id: str) -> bool:
        """Whether an announcement was taken."""
        delivery = await self._store.claim(delivery_id)
        if delivery is None:
            return False
        reason = await self._refusal(delivery)
        about = {"delivery_id": delivery.id, "job_id": delivery.job_id, "tries": delivery.tries}
        if reason is None:
            await self._store.note_delivered(delivery)
            _LOG.info("webhook delivered", extra={"event": "webhook_delivered", **about})
            return True
        until_next_s = wait_s(delivery.tries, self._first_wait_s)
        given_up = await self._store.note_failed(
            delivery, reason, wait_s=until_next_s, give_up_s=_GIVE_UP_S
        )
        about |= {"reason": reason, "given_up": given_up}
        _LOG.warning("webhook not delivered", extra={"event": "webhook_not_delivered", **about})
        return False

    async def _refusal(self, delivery: Delivery) -> str | None:
        """Why a receiver did not take an announcement; None where it did."""
        now_s, body = int(time.time()), body_of(delivery)
        headers = {
            "Content-Type": "application/json",
            "webhook-id": delivery.id,
            "webhook-timestamp": str(now_s),
            "webhook-signature": signature(delivery.secret, delivery.id, now_s, body),
        }
        try:
            async with self._session.post(
                delivery.url, data=body, headers=headers, allow_redirects=False
            ) as answer:
                is_taken = 200 <= answer.status < 300  # noqa: PLR2004 - RFC 9110, section 15.3
                return None if is_taken else f"answered with {answer.status}"
        except aiohttp.ClientSSLError:
            return "no secure connection"
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
            return _NO_CONNECTION
        except TimeoutError:
            return f"no answer within {_TAKE_S:g} s"
        except (aiohttp.ClientError, OSError, ValueError):
            return "no answer that can be understood"


@asynccontextmanager
async def open_webhooks(
    store: WebhookStore,
    *,
    is_allowed: Callable[[Address], bool] = is_public,
    first_wait_s: float = _FIRST_WAIT_S,
) -> AsyncIterator[WebhookSender]:
    """A sender with connections of its own, which are closed at the end.

    Args:
        store: Where announcements wait.
        is_allowed: Whether an address may be connected to.
        first_wait_s: Until the second try of an announcement.
    """

    def allowed_socket(found: tuple[int, int, int, str, tuple[object, ...]]) -> socket.socket:
        family, kind, protocol, _, place = found
        if not is_allowed(ip_address(str(place[0]))):
            raise OSError("not a public address")
        return socket.socket(family, kind, protocol)

    connector = aiohttp.TCPConnector(
        resolver=ThreadedResolver(),
        socket_factory=allowed_socket,
        use_dns_cache=False,
        force_close=True,
        limit=_AT_ONCE,
    )
    async with aiohttp.ClientSession(
        connector=connector,
        headers={"User-Agent": f"genint/{__version__}"},
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        timeout=aiohttp.ClientTimeout(total=_TAKE_S),
    ) as session:
        yield WebhookSender(store, session, first_wait_s)
