"""Names of servers looked up in threads that nobody has to wait for."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

_Addresses = list[tuple[Any, ...]]


_LONGEST_LOOKUP_S = 30.0
"""After which a look-up is forgotten, so that a later one may fare better. Nobody waits that
long: the time to connect is shorter."""


class ThreadedResolver(AbstractResolver):
    """Asks the system's resolver in a daemon thread.

    A look-up cannot be ended, and may hang for minutes. Threads of asyncio's own pool are
    waited for when a program ends; these are left behind.
    """

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Addresses of a host.

        Raises:
            OSError: there are none, or none came in time.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[_Addresses] = loop.create_future()

        def look_up() -> None:
            try:
                found = socket.getaddrinfo(
                    host, port, family, socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG
                )
            except (OSError, UnicodeError) as problem:
                tell(answer.set_exception, OSError(str(problem)))
            else:
                tell(answer.set_result, found)

        def tell(setter: Callable[[Any], None], value: object) -> None:
            # RuntimeError: the loop is closed, nobody waits any more.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(_set, answer, setter, value)

        threading.Thread(target=look_up, name="genint-resolver", daemon=True).start()
        try:
            async with asyncio.timeout(_LONGEST_LOOKUP_S):
                found = await answer
        except TimeoutError:
            raise OSError("no answer of the resolver in time") from None
        return [_result(host, port, address) for address in found]

    async def close(self) -> None:
        """Nothing is held."""


def _set(answer: asyncio.Future[_Addresses], setter: Callable[[Any], None], value: object) -> None:
    if not answer.done():
        setter(value)


def _result(host: str, port: int, found: tuple[Any, ...]) -> ResolveResult:
    family, _, protocol, _, address = found
    return ResolveResult(
        hostname=host,
        host=str(address[0]),
        port=port,
        family=family,
        proto=protocol,
        flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
    )
