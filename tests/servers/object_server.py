"""A server of the tests' own that speaks S3 and keeps everything in its memory (moto)."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from itertools import count
from typing import Self

from tests.servers.private_servers import START_LIMIT_S, end_guard, free_port, guard


class ObjectServer:
    """Started and ended with a test run; anybody's credentials are taken."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._buckets = count(1)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._guard = guard(f"kill -KILL {self._process.pid}")

    @classmethod
    def started(cls) -> Self:
        """A new server that answers."""
        server = cls(free_port())
        until = time.monotonic() + START_LIMIT_S
        while time.monotonic() < until and server._process.poll() is None:
            with suppress(OSError), urllib.request.urlopen(server.url, timeout=START_LIMIT_S):  # noqa: S310
                return server
            time.sleep(0.05)
        server.close()
        raise RuntimeError("the object server does not start")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """Variables by which clients find it."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": "tests",
            "AWS_SECRET_ACCESS_KEY": "tests",
            "AWS_REGION": "us-east-1",
        }

    def create_bucket(self) -> str:
        """Make an empty bucket; its name."""
        name = f"bucket-{next(self._buckets)}"
        request = urllib.request.Request(f"{self.url}/{name}", data=b"", method="PUT")  # noqa: S310
        with urllib.request.urlopen(request, timeout=START_LIMIT_S):  # noqa: S310
            return name

    def close(self) -> None:
        """End it and forget everything."""
        self._process.kill()
        self._process.wait(START_LIMIT_S)
        end_guard(self._guard)
