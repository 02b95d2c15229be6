"""Building in a process of its own.

Building takes minutes of CPU, must end at once when the user says so, and must not
outlive the process that asked for it: a thread can do none of that. The child reads its
order from its standard input, which stays open as long as the parent lives, and answers
on its standard output in messages of a length and a pickle.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import os
import pickle
import struct
import sys
import threading
from collections.abc import Callable
from io import RawIOBase
from pathlib import Path
from typing import NamedTuple

from genint.databases.build import Built, Report, Step
from genint.databases.manifest import BuiltFile, sync_file, sync_tree
from genint.errors import FormatError, GenintError, InstallError

_LENGTH = struct.Struct("<I")
_ROOT = str(Path(__file__).resolve().parents[3])
_CHILD = (
    "import sys; sys.path.insert(0, {root!r}); "
    "from genint.databases.build.process import serve; serve()"
)
"""The child imports the genint of its parent, wherever that was found."""


class Order(NamedTuple):
    """What to build.

    Attributes:
        database: ``pfam``, ``swissprot``, ``cog``, ``go`` or ``rfam``.
        sources: Published name and absolute path of each downloaded file.
        target: Absolute path of an empty folder.
    """

    database: str
    sources: tuple[tuple[str, str], ...]
    target: str


class Finished(NamedTuple):
    """What was built, all of it on the disk."""

    built: Built
    files: tuple[BuiltFile, ...]


class Refused(NamedTuple):
    """Why nothing was built.

    Attributes:
        reason: One line.
        sources_at_fault: Whether what was downloaded cannot be used.
    """

    reason: str
    sources_at_fault: bool


class UnusableSources(InstallError):
    """What was downloaded cannot be built from: it has to be fetched anew."""


_Message = Step | Finished | Refused


async def build_apart(order: Order, report: Report) -> Finished:
    """Build in a child process; cancelling kills it.

    Raises:
        UnusableSources: what was downloaded is malformed.
        InstallError: the build failed for another reason, or its process died.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-P", "-c", _CHILD.format(root=_ROOT)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the parent, which ends the child
    )
    assert process.stdin is not None  # noqa: S101 - it is a pipe
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    try:
        process.stdin.write(_framed(order))
        return await _outcome(process.stdout, report)
    except (asyncio.IncompleteReadError, ConnectionError):
        status = await process.wait()
        how = f"signal {-status}" if status < 0 else f"exit code {status}"
        raise InstallError(
            f"{order.database}: the process that builds it ended before it was done ({how}); "
            "was there enough memory? What was downloaded is kept: "
            f"run `genint db install {order.database}` again"
        ) from None
    finally:
        if process.returncode is None:
            process.kill()
        process.stdin.close()
        await process.wait()


async def _outcome(stream: asyncio.StreamReader, report: Report) -> Finished:
    while True:
        (length,) = _LENGTH.unpack(await stream.readexactly(_LENGTH.size))
        content = await stream.readexactly(length)
        message: _Message = pickle.loads(content)  # noqa: S301 - written by our own child
        match message:
            case Step():
                report(message)
            case Refused(reason, at_fault):
                raise (UnusableSources if at_fault else InstallError)(reason)
            case Finished():
                return message


def _framed(message: object) -> bytes:
    content = pickle.dumps(message)
    return _LENGTH.pack(len(content)) + content


def serve() -> None:
    """What the child does: read an order, build, answer, end."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library may print does not get among the answers
    orders = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115 - as long as we live
    (length,) = _LENGTH.unpack(_exactly(orders, _LENGTH.size))
    order: Order = pickle.loads(_exactly(orders, length))  # noqa: S301 - from our parent
    threading.Thread(target=_end_with_parent, args=(orders,), daemon=True).start()

    def answer(message: _Message) -> None:
        answers.write(_framed(message))
        answers.flush()

    answer(_answer_to(order, answer))


def _exactly(stream: RawIOBase, size: int) -> bytes:
    content = b""
    while len(content) < size:
        piece = stream.read(size - len(content))
        if not piece:
            os._exit(1)
        content += piece
    return content


def _end_with_parent(stream: RawIOBase) -> None:
    """The stream ends when the parent does."""
    stream.read(1)
    os._exit(1)


def _answer_to(order: Order, report: Callable[[Step], None]) -> Finished | Refused:
    try:
        return build_here(order, report)
    except FormatError as problem:
        return Refused(f"{order.database}: {problem}", sources_at_fault=True)
    except GenintError as problem:
        return Refused(f"{order.database}: {problem}", sources_at_fault=False)
    except OSError as problem:
        what = problem.strerror or type(problem).__name__
        reason = (
            f"{order.database}: cannot build it: {what}; make room and run `genint db install "
            f"{order.database}` again: what was downloaded is kept"
        )
        return Refused(reason, sources_at_fault=False)
    except MemoryError:
        return Refused(f"{order.database}: not enough memory to build it", sources_at_fault=False)
    except Exception as problem:  # noqa: BLE001 - a line to the user instead of silence
        text = " ".join(str(problem).split())
        reason = f"{order.database}: internal error while building: {type(problem).__name__}: "
        return Refused(reason + text, sources_at_fault=False)


def build_here(order: Order, report: Report) -> Finished:
    """Build in this process, whose current folder becomes the target.

    (Libraries write the paths that they are given into their files; relative to the
    target these are the same everywhere.)
    """
    os.chdir(order.target)
    build = importlib.import_module(f"genint.databases.build.{order.database}").build
    sources = {name: Path(path) for name, path in order.sources}
    built: Built = build(sources, Path(), report)
    if built.entries < 1:
        names = ", ".join(sources)
        raise FormatError(source=names, line=None, reason="there is not one entry in it")
    paths = sorted(path for path in Path().rglob("*") if path.is_file())
    files = []
    for done, path in enumerate(paths, start=1):
        files.append(BuiltFile(path.as_posix(), path.stat().st_size, _sha256(path)))
        report(Step("checking what was built", done, len(paths)))
    sync_tree(Path())
    for path in sources.values():
        sync_file(path)
    return Finished(built, tuple(files))


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
