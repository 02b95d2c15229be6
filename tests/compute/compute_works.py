"""Work for the tests of workers: real, small, importable in a worker process."""

from __future__ import annotations

import asyncio
import collections
import hashlib
import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from genint.compute import ProcessBackend, open_backend
from genint.errors import FormatError

_LOOK_S = 0.005


def announce(place: Path, text: str | None = None) -> None:
    """Write our process id (or a text) where the test looks, all at once."""
    draft = place.with_suffix(f".draft{os.getpid()}")
    draft.write_text(text or str(os.getpid()))
    draft.rename(place)


def until(condition: Callable[[], bool], *, within_s: float = 20.0) -> None:
    """Wait for a real condition; fails when it does not come true in time."""
    give_up = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > give_up:
            raise TimeoutError("the condition did not come true")
        time.sleep(_LOOK_S)


def pid() -> int:
    return os.getpid()


def children() -> list[int]:
    """Worker processes that this one started."""
    main = threading.main_thread().native_id
    listed = Path(f"/proc/self/task/{main}/children").read_text().split()
    return [
        int(pid) for pid in listed if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def lives(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def fill_memory(amount_bytes: int) -> int:
    return len(bytearray(amount_bytes))


def echo(value: object) -> object:
    return value


def note(place: Path, index: int) -> None:
    with place.open("a") as file:
        file.write(f"{index}\n")


def meet(mine: Path, other: Path) -> int:
    """Our process id once another worker is there at the same time."""
    announce(mine)
    until(other.exists)
    return os.getpid()


def announce_and_await(mine: Path, other: Path) -> str:
    announce(mine)
    until(other.exists)
    return other.read_text()


def refuse(line: int) -> None:
    raise FormatError(source="a.gbk", line=line, reason="it is torn", cure="mend it")


def stop_iterating() -> object:
    return next(iter(()))


class Stubborn(Exception):
    """An error that cannot be built again from its arguments."""

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"stubborn: {reason}")


def raise_stubborn() -> None:
    raise Stubborn(reason="by nature")


def make_lambda() -> Callable[[], int]:
    return lambda: 1


def kill_self(tries: Path, deaths: int) -> int:
    """Die by SIGKILL ``deaths`` times, then return how often this was tried."""
    note(tries, os.getpid())
    tried = len(tries.read_text().split())
    if tried <= deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return tried


def die_while_the_answer_is_sent() -> bytes:
    """Die by SIGKILL when the first bytes of a large answer are on their way."""

    def written() -> list[str]:
        lines = Path("/proc/self/io").read_text().splitlines()
        return [line for line in lines if line.startswith("wchar")]

    def watch() -> None:
        while written() == before:
            pass
        os.kill(os.getpid(), signal.SIGKILL)

    before = written()
    threading.Thread(target=watch, daemon=True).start()
    return bytes(100_000_000)


def fail_and_count(tries: Path) -> None:
    note(tries, 0)
    raise ValueError("wrong, and wrong again")


def idle_for_ever(place: Path) -> None:
    announce(place)
    threading.Event().wait()


def hash_for_ever(place: Path) -> None:
    """Busy in C code that releases the interpreter lock."""
    announce(place)
    hashlib.pbkdf2_hmac("sha256", b"lambda", b"phiX", 2**31 - 1)


def hold_the_lock_for_ever(place: Path) -> None:
    """Busy in C code that never releases the interpreter lock."""
    announce(place)
    collections.deque(itertools.repeat(0), maxlen=0)


def poll_until_cancelled(
    begun: Path, ended: Path, *, is_cancelled: Callable[[], bool] = lambda: False
) -> None:
    announce(begun)
    until(is_cancelled)
    announce(ended)


def thread_name() -> str:
    return threading.current_thread().name


def open_workers_in_a_worker() -> None:
    asyncio.run(_open_processes())


async def _open_processes() -> None:
    ProcessBackend(2)


async def print_result() -> None:
    """For scripts: compute something in a worker process and print it."""
    async with open_backend(workers=2) as backend:
        there = await backend.run(pid)
    print("computed", "elsewhere" if there != os.getpid() else "here", flush=True)


async def run_busy_workers(work: Callable[[Path], None], folder: Path) -> None:
    """For scripts: of two workers one is idle and one is busy."""
    async with open_backend(workers=2) as backend:
        mine, other = folder / "idle.meet", folder / "busy.meet"
        pids = await asyncio.gather(backend.run(meet, mine, other), backend.run(meet, other, mine))
        announce(folder / "both.pids", " ".join(map(str, pids)))
        await backend.run(work, folder / "busy.pid")


def main() -> None:
    """``compute_works.py WORK FOLDER``: a program with busy workers."""
    work: Callable[[Path], None] = globals()[sys.argv[1]]
    # Whoever runs the tests in the background may have left interrupts switched off.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    asyncio.run(run_busy_workers(work, Path(sys.argv[2])))


if __name__ == "__main__":
    main()
