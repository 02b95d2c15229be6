"""How connections are opened, and what is answered below the application."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final
from uuid import uuid4

from aiohttp import web

CONNECTION: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "access_log": None,  # the middleware writes the log
        "auto_decompress": False,  # an encoded body is refused, not unpacked
        "keepalive_timeout": 15.0,
    }
)
"""How connections are handled."""
_BACKLOG: Final = 512
_LOG = logging.getLogger("genint.service")


class Connection(web.RequestHandler):
    """A connection whose errors have the form of all others.

    A request that cannot be parsed never reaches the middleware. The framework would
    answer with its bytes and its own version, and log a traceback.
    """

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = HTTPStatus.INTERNAL_SERVER_ERROR,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to what cannot be parsed; closes the connection."""
        del message  # it repeats what was sent
        request_id = uuid4().hex
        _LOG.warning(
            "a request could not be handled",
            extra={
                "event": "bad_request",
                "request_id": request_id,
                "status": status,
                "remote": request.remote,
                "reason": type(exc).__name__,
            },
        )
        if request.writer.output_size > 0:
            raise ConnectionError("part of an answer was sent already")
        response = web.Response(
            body=json.dumps({"detail": HTTPStatus(status).phrase}).encode(),
            status=status,
            content_type="application/json",
            headers={
                "Server": "genint",
                "Vary": "Origin",
                "X-Content-Type-Options": "nosniff",
                "X-Request-ID": request_id,
            },
        )
        response.force_close()
        return response


class Site(web.BaseSite):
    """A place to listen at, whose connections are :class:`Connection`.

    Args:
        runner: Of the application, set up.
        host: Address or name.
        port: 0 takes any that is free.
    """

    def __init__(self, runner: web.AppRunner, host: str, port: int) -> None:
        super().__init__(runner, backlog=_BACKLOG)
        self._host, self._port = host, port

    @property
    def name(self) -> str:
        """For people."""
        return f"http://{self._host}:{self._port}"

    async def start(self) -> None:
        """Listen; OSError where that cannot be."""
        await super().start()
        loop, server = asyncio.get_running_loop(), self._runner.server
        if server is None:
            raise RuntimeError("the runner is not set up")
        self._server = await loop.create_server(
            lambda: Connection(server, loop=loop, **CONNECTION),
            self._host,
            self._port,
            backlog=self._backlog,
        )
