"""The report of an example genome, for those who want to see one before they sign up."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from genint.errors import BusyError, UnavailableError, WorkLostError
from genint.pipeline.resources import Folders
from genint.worker.rendering import Renderer

PACKAGE: Final = Path(__file__).parents[1]
EXAMPLE: Final = "lambda.fasta"


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
    """The report, made when it is wanted for the first time, and kept in memory.

    Args:
        renderer: Makes it in a worker process.
        folders: Where caches lie; installed databases are not used.
    """

    def __init__(self, renderer: Renderer, folders: Folders) -> None:
        self._renderer = renderer
        self._folders = folders
        self._work: asyncio.Task[bytes] | None = None

    async def html(self) -> bytes:
        """The report; all who want it meanwhile wait for the same work.

        Raises:
            UnavailableError: the genome is missing.
            BusyError: it could not be made now.
        """
        if self._work is None or self._has_failed(self._work):
            self._work = asyncio.create_task(self._make())
        try:
            return await asyncio.shield(self._work)
        except (OSError, TimeoutError, MemoryError, WorkLostError) as problem:
            raise BusyError("the example report could not be made") from problem

    async def close(self) -> None:
        """End the work, if it is under way."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _make(self) -> bytes:
        genome = await asyncio.to_thread(find_example)
        return await self._renderer.example(genome, self._folders)

    @staticmethod
    def _has_failed(work: asyncio.Task[bytes]) -> bool:
        return work.done() and (work.cancelled() or work.exception() is not None)
