"""The report of an example genome, for those who want to see one before they sign up."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Final

from genint.errors import BusyError, UnavailableError, WorkLostError
from genint.files import write_whole
from genint.pipeline.resources import Folders
from genint.version import __version__
from genint.worker.rendering import Renderer

PACKAGE: Final = Path(__file__).parents[1]
EXAMPLE: Final = "lambda.fasta"
_PATIENCE_S: Final = 2.0
"""How long a request waits for the report before it is told that it is not there yet."""
_NAME: Final = f"example-{__version__}.html"
_END: Final = b"</html>"


def find_example(package: Path = PACKAGE) -> Path:
    """The genome: inside an installed package, beside one in a checkout.

    Raises:
        UnavailableError: it is in neither place.
    """
    for folder in (package / "_examples", package.parent / "examples"):
        if (folder / EXAMPLE).is_file():
            return folder / EXAMPLE
    raise UnavailableError("the example genome is missing: install genint again")


class ExampleReport:
    """The report, made once by each version: kept in memory, and in a file of the cache folder.

    Args:
        renderer: Makes it in a worker process.
        folders: Where caches lie; installed databases are not used.
    """

    def __init__(self, renderer: Renderer, folders: Folders) -> None:
        self._renderer = renderer
        self._folders = folders
        self._work: asyncio.Task[bytes] | None = None

    def begin(self) -> None:
        """Have the report made ready, unless it is or that is under way."""
        if self._work is None:
            self._work = asyncio.create_task(self._make())

    async def html(self) -> bytes | None:
        """The report; None where it is not there yet, and so being made.

        Raises:
            UnavailableError: the genome is missing.
            BusyError: it could not be made now; the next call begins anew.
        """
        self.begin()
        work = self._work
        if work is None:
            raise AssertionError("the work has begun")
        await asyncio.wait((work,), timeout=_PATIENCE_S)
        if not work.done():
            return None
        try:
            return work.result()
        except BaseException as problem:
            self._work = None
            if isinstance(problem, OSError | TimeoutError | MemoryError | WorkLostError):
                raise BusyError("the example report could not be made") from problem
            raise

    async def close(self) -> None:
        """End the work, if it is under way."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _make(self) -> bytes:
        kept = await asyncio.to_thread(_read, self._folders.cache)
        if kept is not None:
            return kept
        genome = await asyncio.to_thread(find_example)
        html = await self._renderer.example(genome, self._folders)
        await asyncio.to_thread(_keep, self._folders.cache, html)
        return html


def _read(cache_folder: Path | None) -> bytes | None:
    """The report that a start before this one kept; None without one, or where it is not whole."""
    if cache_folder is None:
        return None
    with suppress(OSError):
        html = (cache_folder / _NAME).read_bytes()
        return html if html.rstrip().endswith(_END) else None
    return None


def _keep(cache_folder: Path | None, html: bytes) -> None:
    """Keep the report for the next start, in place of those of other versions, if that can be."""
    if cache_folder is None:
        return
    with suppress(OSError):
        write_whole(cache_folder / _NAME, html)
        for file in cache_folder.glob("example-*.html"):
            if file.name != _NAME:
                file.unlink()
