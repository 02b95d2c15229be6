"""nginx before one or more services, as an operator has it who restarts them in turn."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.service.running import Failed, descendants

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
_STARTS_S = 10.0
_DRAINED_S = 60.0
_LOOK_S = 0.02
_CONFIGURATION = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
worker_processes 1;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream genint {{
{servers}
        keepalive 32;
        keepalive_timeout 10s;
    }}
    server {{
        listen 127.0.0.1:{port};
        client_max_body_size 100m;
        client_body_buffer_size 1m;
        proxy_max_temp_file_size 0;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        location / {{ proxy_pass http://genint; }}
    }}
}}
"""


class Proxy:
    """nginx on a port of its own.

    Attributes:
        url: Its address.
    """

    def __init__(self, folder: Path, services: Sequence[str]) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self._port}"
        self._folder = folder
        self._configure(services)
        command = [str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf")]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        self._until(self._listens, _STARTS_S)

    def forward_to(self, services: Sequence[str]) -> None:
        """Send new requests to these services alone; returns when none goes elsewhere any more.

        Requests that are under way come to their end.
        """
        old = set(descendants(self._process.pid))
        self._configure(services)
        self._process.send_signal(signal.SIGHUP)

        def is_done() -> bool:
            now = set(descendants(self._process.pid))
            return bool(now) and not now & old

        self._until(is_done, _DRAINED_S)

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()

    def _configure(self, services: Sequence[str]) -> None:
        servers = "\n".join(f"        server {urlsplit(url).netloc};" for url in services)
        text = _CONFIGURATION.format(folder=self._folder, servers=servers, port=self._port)
        (self._folder / "nginx.conf").write_text(text)

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self._port), timeout=1).close()
        except OSError:
            return False
        return True

    def _until(self, condition: Callable[[], bool], limit_s: float) -> None:
        give_up = time.monotonic() + limit_s
        while not condition():
            if self._process.poll() is not None or time.monotonic() > give_up:
                raise Failed("nginx does not do what it should")
            time.sleep(_LOOK_S)


@contextmanager
def proxied(folder: Path, services: Sequence[str]) -> Iterator[Proxy]:
    """A proxy in front of these services while the block runs."""
    folder.mkdir(exist_ok=True)
    proxy = Proxy(folder, services)
    try:
        yield proxy
    finally:
        proxy.close()
