"""A program that installs in children which kill themselves; run by the tests.

It reads orders, one a line: ``[databases, name, mirror, n]``; the child kills itself at its
n-th checkpoint (repeats of a step are one). It answers with the names of the checkpoints
and whether it was killed.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from genint.databases.download.http import Mirror
from genint.databases.install import install


def main() -> None:
    for line in sys.stdin:
        databases, name, mirror, kill_at = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            install_until(Path(databases), name, mirror, kill_at, writing)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as told:
            passed = told.read().splitlines()
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        if not killed and status:
            sys.exit(f"the child failed: {status}")
        print(json.dumps([passed, killed]), flush=True)


def install_until(databases: Path, name: str, mirror: str, kill_at: int, told: int) -> None:
    passed = [""]

    def checkpoint(step: str) -> None:
        if step == passed[-1]:
            return
        passed.append(step)
        os.write(told, f"{step}\n".encode())
        if len(passed) - 1 == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(install(databases, [name], mirrors=[Mirror.parse(mirror)], checkpoint=checkpoint))


if __name__ == "__main__":
    main()
