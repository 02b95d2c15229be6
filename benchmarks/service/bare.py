"""aiohttp with nothing behind it: what the framework alone can do on this machine.

    python -m benchmarks.service.bare FOLDER

Prints its address. ``/hello`` answers a few bytes of JSON, ``/sized/N`` JSON of N
bytes, ``/upload`` reads a multipart form and writes its file to FOLDER, unsynced.
"""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import count
from pathlib import Path

from aiohttp import web

_NUMBERS = count()


async def hello(request: web.Request) -> web.Response:
    """A few bytes of JSON."""
    return web.json_response({"status": "ok"})


async def sized(request: web.Request) -> web.Response:
    """JSON of a given size, made before."""
    size = int(request.match_info["size"])
    bodies = request.app[BODIES]
    if size not in bodies:
        bodies[size] = json.dumps("x" * (size - 2)).encode()
    return web.Response(body=bodies[size], content_type="application/json")


async def upload(request: web.Request) -> web.Response:
    """Read a form and write its file."""
    form = await request.post()
    part = form["file"]
    assert isinstance(part, web.FileField)  # noqa: S101 - the benchmark sends one
    file = request.app[FOLDER] / f"{next(_NUMBERS)}.fasta"
    await asyncio.to_thread(file.write_bytes, part.file.read())
    return web.json_response({"status": "PENDING"})


BODIES = web.AppKey("bodies", dict[int, bytes])
FOLDER = web.AppKey("folder", Path)


async def main() -> None:
    """Serve until killed."""
    app = web.Application()
    app[BODIES], app[FOLDER] = {}, Path(sys.argv[1])
    app.router.add_get("/hello", hello)
    app.router.add_get("/sized/{size}", sized)
    app.router.add_post("/upload", upload)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    print(f"bare aiohttp serves http://{host}:{port}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
