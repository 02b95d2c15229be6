"""Locks: one process at a time, free again however it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from genint.errors import UsageError
from genint.storage import exclusive

HOLD = """
import sys
from pathlib import Path
from genint.storage.files import exclusive
with exclusive(Path(sys.argv[1]), of=Path("/data")):
    print("holds", flush=True)
    sys.stdin.read()
"""


def test_a_lock_is_held_by_one(tmp_path):
    lock = tmp_path / "lock"
    with (
        exclusive(lock, of=tmp_path),
        pytest.raises(UsageError, match=f"process {os.getpid()}.*GENINT_DATA_DIR"),
        exclusive(lock, of=tmp_path),
    ):
        pass
    with exclusive(lock, of=tmp_path):
        pass


def test_a_killed_process_holds_nothing(tmp_path):
    lock = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout.readline() == b"holds\n"
        with (
            pytest.raises(UsageError, match=f"process {holder.pid}"),
            exclusive(lock, of=tmp_path),
        ):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait(20)
        with exclusive(lock, of=tmp_path):
            pass
