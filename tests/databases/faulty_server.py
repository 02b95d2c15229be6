"""A web server that misbehaves as it is told, and counts what it sends."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import ssl
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import NamedTuple, Self

from genint.databases.download.http import Mirror
from genint.databases.recipes import Place, RemoteFile

PLACE = Place("ftp.example.org", "pub/current/data.gz")
FILE = RemoteFile("data.gz", (PLACE,))
_LAST_MODIFIED = "Wed, 11 Nov 2026 10:00:00 GMT"
_PIECE_BYTES = 1 << 15


def content_of(size: int, seed: int = 0) -> bytes:
    """Made-up bytes that begin like a gzip file."""
    blocks = [b"\x1f\x8b\x08\x00"]
    blocks += [hashlib.sha256(b"%d %d" % (seed, each)).digest() for each in range(size // 32 + 1)]
    return b"".join(blocks)[:size]


class Asked(NamedTuple):
    """A request that came."""

    method: str
    path: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Behaviour:
    """How one request is answered; as a good server does where nothing is said.

    Attributes:
        status: Answered without a file.
        headers: Sent besides, or in place of, the usual ones; None leaves one out.
        body: Sent in place of the file.
        ends_after: Body bytes after which the connection is closed.
        resets: Whether it is reset instead.
        stalls_after: Body bytes after which nothing more comes.
        announced: ``Content-Length`` that is claimed.
        is_chunked: Whether it is sent in chunks, without a length.
        has_ranges: Whether ranges are understood.
        shifts: By how much a range begins elsewhere than was asked for, and says so.
        drips: Bytes that are sent at a time.
        drips_every_s: How long is waited after each.
        head_every_s: How long is waited after each byte of a head that never ends.
        raw: Sent in place of everything.
    """

    status: int | None = None
    headers: Mapping[str, str | None] = field(default_factory=dict)
    body: bytes | None = None
    ends_after: int | None = None
    resets: bool = False
    stalls_after: int | None = None
    announced: int | None = None
    is_chunked: bool = False
    has_ranges: bool = True
    shifts: int = 0
    drips: int = _PIECE_BYTES
    drips_every_s: float = 0.0
    head_every_s: float | None = None
    raw: bytes | None = None


GOOD = Behaviour()


class FaultyServer:
    """Serves files from memory under paths; an asynchronous context manager.

    Attributes:
        files: What is served.
        behaviours: For the requests to come, one each; good ones when they are used up.
        always: How requests for a path are answered, whatever ``behaviours`` has.
        asked: Requests that came.
        sent_bytes: Bytes of bodies that were sent.
    """

    def __init__(
        self, files: Mapping[str, bytes] | None = None, *, tls: ssl.SSLContext | None = None
    ) -> None:
        self._tls = tls
        self.files = dict(files or {})
        self.behaviours: deque[Behaviour] = deque()
        self.always: dict[str, Behaviour] = {}
        self.asked: list[Asked] = []
        self.sent_bytes: dict[str, int] = defaultdict(int)
        self._end = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._tasks: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end.set()
        self._server.close()
        await asyncio.gather(*self._tasks)

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    @property
    def mirror(self) -> Mirror:
        return Mirror.parse(self.url)

    def put(self, content: bytes, place: Place = PLACE) -> bytes:
        """Serve a file in the layout of a mirror."""
        self.files[f"/{place}"] = content
        return content

    def behave(self, *behaviours: Behaviour) -> None:
        self.behaviours.extend(behaviours)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await self._answer(reader, writer)
        finally:
            writer.close()
            self._tasks.discard(task)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = _read_request(await reader.readuntil(b"\r\n\r\n"))
        self.asked.append(asked)
        behaviour = self.always.get(asked.path)
        if behaviour is None:
            behaviour = self.behaviours.popleft() if self.behaviours else GOOD
        if behaviour.raw is not None:
            writer.write(behaviour.raw)
            await writer.drain()
            return
        head = [b"HTTP/1.1 200 OK\r\nX-Long: "]
        while behaviour.head_every_s is not None:
            writer.write(head.pop() if head else b"x")
            await writer.drain()
            await asyncio.sleep(behaviour.head_every_s)
        status, headers, body = self._prepared(asked, behaviour)
        if behaviour.is_chunked:
            headers["Transfer-Encoding"] = "chunked"
        else:
            announced = len(body) if behaviour.announced is None else behaviour.announced
            headers["Content-Length"] = str(announced)
        told = {**headers, "Connection": "close", **behaviour.headers}
        lines = [f"HTTP/1.1 {status} Whatever"]
        lines += [f"{name}: {value}" for name, value in told.items() if value is not None]
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        if asked.method != "HEAD":
            await self._send(writer, asked.path, body, behaviour)
        await writer.drain()

    def _prepared(self, asked: Asked, behaviour: Behaviour) -> tuple[int, dict[str, str], bytes]:
        if behaviour.status is not None:
            return behaviour.status, {}, behaviour.body or b""
        content = self.files.get(asked.path) if behaviour.body is None else behaviour.body
        if content is None:
            return 404, {}, b"no such file"
        etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        headers = {"ETag": etag, "Last-Modified": _LAST_MODIFIED}
        wanted = re.fullmatch(r"bytes=(\d+)-", asked.headers.get("range", ""))
        is_same = asked.headers.get("if-range", etag) in {etag, _LAST_MODIFIED}
        if wanted is None or not behaviour.has_ranges or not is_same:
            return 200, headers, content
        first = int(wanted[1]) + behaviour.shifts
        if first >= len(content):
            return 416, {"Content-Range": f"bytes */{len(content)}"}, b""
        headers["Content-Range"] = f"bytes {first}-{len(content) - 1}/{len(content)}"
        return 206, headers, content[first:]

    async def _send(
        self, writer: asyncio.StreamWriter, path: str, body: bytes, behaviour: Behaviour
    ) -> None:
        stop = min(
            len(body) if each is None else each
            for each in (behaviour.ends_after, behaviour.stalls_after, len(body))
        )
        for start in range(0, stop, behaviour.drips):
            piece = body[start : min(start + behaviour.drips, stop)]
            writer.write(b"%x\r\n%s\r\n" % (len(piece), piece) if behaviour.is_chunked else piece)
            self.sent_bytes[path] += len(piece)
            await writer.drain()
            await asyncio.sleep(behaviour.drips_every_s)
        if behaviour.stalls_after is not None:
            await self._end.wait()
        elif behaviour.resets:
            writer.transport.abort()
        elif behaviour.is_chunked and behaviour.ends_after is None:
            writer.write(b"0\r\n\r\n")


def _read_request(head: bytes) -> Asked:
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ")
    named = (line.partition(":") for line in lines if line)
    return Asked(method, path, {name.lower(): value.strip() for name, _, value in named})
