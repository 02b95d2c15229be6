"""Where the intermediate results of a run live: in memory, or in a scratch folder.

The order of the steps is the same for both; see :mod:`genint.pipeline.run`. The library
keeps results in memory. The service keeps them on disk: they go from one worker process to
the next as files, and the process that serves requests sees paths only, so that it never
packs or unpacks a genome, nor loads what worker processes compute with.
"""

from __future__ import annotations

import os
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar
from uuid import uuid4

from genint.compute import Backend, bound, run_with_retry

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Handle(Generic[T_co]):
    """An intermediate result, wherever it is.

    Attributes:
        load: The result itself; OSError where its file cannot be read.
    """

    load: Callable[[], T_co]


class Workspace(ABC):
    """Runs steps and keeps their results.

    A step is a function of the top level of a module. Arguments that are handles are loaded
    for it where it runs; all others can be pickled. Errors are those of
    :meth:`genint.compute.Backend.run`.
    """

    @abstractmethod
    async def run(
        self,
        step: Callable[..., T],
        *arguments: object,
        is_long: Callable[..., bool] | None = None,
    ) -> Handle[T]:
        """Run a step.

        Args:
            step: What to run.
            arguments: Its arguments.
            is_long: Says from the loaded arguments whether the step justifies the start of a
                worker process; None: it is not. Ignored where such processes run anyway.
        """

    @abstractmethod
    async def run_split(
        self,
        step: Callable[..., tuple[T, Sequence[Part]]],
        *arguments: object,
        is_long: Callable[..., bool] | None = None,
    ) -> tuple[Handle[T], tuple[Handle[Part], ...]]:
        """Run a step that makes something and parts of work; each part is kept by itself.

        ``is_long`` is that of :meth:`run`.
        """

    async def derive(self, step: Callable[..., T], *arguments: object) -> Handle[T]:
        """Run a step whose result is quicker made than written and read again.

        On disk it is made where it is needed, so it should be needed once.
        """
        return await self.run(step, *arguments)

    @abstractmethod
    def keep(self, value: T) -> Handle[T]:
        """Keep a result that is there already; may write a file."""


@dataclass(frozen=True, slots=True)
class MemoryWorkspace(Workspace):
    """Keeps results in memory. What a worker process died over is tried again.

    Attributes:
        thread: For short steps: no start-up, no copying.
        pool: For long ones; the thread again where one worker was chosen.
    """

    thread: Backend
    pool: Backend

    async def run(
        self,
        step: Callable[..., T],
        *arguments: object,
        is_long: Callable[..., bool] | None = None,
    ) -> Handle[T]:
        """See :meth:`Workspace.run`."""
        loaded = _loaded(arguments)
        backend = self.pool if is_long is not None and is_long(*loaded) else self.thread
        return self.keep(await run_with_retry(backend, step, *loaded))

    async def run_split(
        self,
        step: Callable[..., tuple[T, Sequence[Part]]],
        *arguments: object,
        is_long: Callable[..., bool] | None = None,
    ) -> tuple[Handle[T], tuple[Handle[Part], ...]]:
        """See :meth:`Workspace.run_split`."""
        made, parts = (await self.run(step, *arguments, is_long=is_long)).load()
        return self.keep(made), tuple(map(self.keep, parts))

    def keep(self, value: T) -> Handle[T]:
        """See :meth:`Workspace.keep`."""
        return Handle(lambda: value)


class ScratchWorkspace(Workspace):
    """Keeps results in files of a folder. A worker process that dies ends the run.

    The files are pickles that name modules of this program, so the folder must be new and
    belong to one run: another version must never read them.

    Args:
        backend: Worker processes.
        folder: An empty folder; it is the owner's to remove.
    """

    def __init__(self, backend: Backend, folder: Path) -> None:
        self._backend = backend
        self._folder = folder
        self._numbers = count()

    async def run(
        self,
        step: Callable[..., T],
        *arguments: object,
        is_long: Callable[..., bool] | None = None,
    ) -> Handle[T]:
        """See :meth:`Workspace.run`; OSError where the disk is full or broken."""
        del is_long
        file = self._new_file()
        await self._backend.run(_run_into_file, file, step, arguments)
        return _in_file(file)

    async def run_split(
        self,
        step: Callable[..., tuple[T, Sequence[Part]]],
        *arguments: object,
        is_long: Callable[..., bool] | None = None,
    ) -> tuple[Handle[T], tuple[Handle[Part], ...]]:
        """See :meth:`Workspace.run_split`; OSError where the disk is full or broken."""
        del is_long
        file = self._new_file()
        parts = await self._backend.run(_run_into_files, file, step, arguments)
        return _in_file(file), tuple(_in_file(_part_of(file, number)) for number in range(parts))

    async def derive(self, step: Callable[..., T], *arguments: object) -> Handle[T]:
        """See :meth:`Workspace.derive`."""
        return Handle(partial(_run, step, arguments))

    def keep(self, value: T) -> Handle[T]:
        """See :meth:`Workspace.keep`."""
        file = self._new_file()
        _write(file, value)
        return _in_file(file)

    def _new_file(self) -> Path:
        return self._folder / f"{next(self._numbers)}.pickle"


def _loaded(arguments: Iterable[object]) -> tuple[Any, ...]:
    return tuple(one.load() if isinstance(one, Handle) else one for one in arguments)


def _run(step: Callable[..., T], arguments: Sequence[object]) -> T:
    return step(*_loaded(arguments))


def _in_file(file: Path) -> Handle[Any]:
    return Handle(partial(_read, file))


def _read(file: Path) -> object:
    return pickle.loads(file.read_bytes())  # noqa: S301 - written by this attempt


def _run_into_file(
    file: Path,
    step: Callable[..., object],
    arguments: Sequence[object],
    *,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """On a worker: run a step and write what it makes; see :meth:`Backend.run`."""
    _write(file, bound(step, _loaded(arguments), is_cancelled)())


def _run_into_files(
    file: Path, step: Callable[..., tuple[object, Sequence[object]]], arguments: Sequence[object]
) -> int:
    """In a worker process: the same with every part in a file of its own; how many there are."""
    made, parts = _run(step, arguments)
    _write(file, made)
    for number, part in enumerate(parts):
        _write(_part_of(file, number), part)
    return len(parts)


def _part_of(file: Path, number: int) -> Path:
    return file.with_name(f"{file.stem}-{number}.pickle")


def _write(file: Path, value: object) -> None:
    with open_new_file(file) as stream:
        pickle.dump(value, stream, pickle.HIGHEST_PROTOCOL)


@contextmanager
def open_new_file(file: Path) -> Iterator[BinaryIO]:
    """A file that no other user can read; it is there once it is whole.

    A cluster does a step again whose worker was lost: it replaces what that one wrote.
    """
    part = file.with_name(f".{uuid4().hex}.{file.name}")
    try:
        with open(part, "xb", opener=partial(os.open, mode=0o600)) as stream:
            yield stream
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
