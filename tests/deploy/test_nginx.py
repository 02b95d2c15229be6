"""The reverse proxy: its configuration, and, where nginx is installed, its behaviour."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest
from aiohttp import ClientResponse, ClientSession, FormData, TCPConnector

from tests.servers.private_servers import free_port

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
OPENSSL = shutil.which("openssl")
STARTS_S = 30
PASSWORD = "a long enough password"

needs_nginx = pytest.mark.skipif(
    (not NGINX or not OPENSSL) and not os.environ.get("CI"),  # where it has to be there
    reason="nginx or openssl is not installed (tests/install_servers.sh installs them)",
)


@pytest.fixture(scope="module")
def configuration(deploy) -> str:
    return (deploy / "nginx" / "genint.conf").read_text("utf-8")


def value(configuration: str, directive: str) -> str:
    """The first value of a directive."""
    return re.search(rf"^\s*{directive}\s+([^;]+);", configuration, re.MULTILINE)[1]


def test_the_service_itself_refuses_what_is_a_little_too_large(configuration, default_upload_bytes):
    allowed = int(value(configuration, "client_max_body_size").removesuffix("m")) * 2**20
    assert default_upload_bytes + 1_000_000 < allowed < 1.1 * default_upload_bytes


def test_uploads_are_not_kept_by_the_proxy(configuration):
    location = re.search(r"location = /api/v1/jobs \{(.*?)\n    \}", configuration, re.DOTALL)[1]
    assert value(location, "proxy_request_buffering") == "off"


def test_keys_of_links_to_reports_are_not_logged(configuration):
    location = re.search(r"location /reports/ \{(.*?)\n    \}", configuration, re.DOTALL)[1]
    assert value(location, "access_log") == "off"


def test_idle_connections_are_closed_by_the_proxy_first(configuration, root):
    sources = "".join(file.read_text("utf-8") for file in (root / "genint/service").glob("*.py"))
    service_s = float(re.search(r'"?keepalive_timeout"?\s*[:=]\s*([\d.]+)', sources)[1])
    upstream = re.search(r"upstream genint \{(.*?)\n\}", configuration, re.DOTALL)[1]
    assert float(value(upstream, "keepalive_timeout").removesuffix("s")) < service_s


def test_what_clients_say_about_themselves_is_not_passed_on(configuration):
    assert "proxy_add_x_forwarded_for" not in configuration
    for header in ("X-Real-IP", "X-Forwarded-For"):
        assert value(configuration, f"proxy_set_header {header}") == "$remote_addr"


def test_rates_are_limited_where_passwords_are_tried(configuration):
    pattern = re.search(r"location ~ (\S+) \{\s+client_max_body_size 64k", configuration)[1]
    for path in (
        *("auth/login", "auth/signup", "auth/register", "waitlist"),
        *("auth/password", "auth/forgot-password", "auth/reset-password"),
    ):
        assert re.match(pattern, f"/api/v1/{path}")
    for path in ("auth/me", "jobs", "auth/login/x"):
        assert not re.match(pattern, f"/api/v1/{path}")


class Proxy(NamedTuple):
    """A proxy in front of a service, and somebody to ask it."""

    url: str
    session: ClientSession

    async def ask(self, method: str, path: str, **more: object) -> ClientResponse:
        async with self.session.request(method, self.url + path, **more) as answer:
            await answer.read()  # kept; the connection is free for the next request
        return answer

    async def sign_up(self, email: str) -> dict[str, str]:
        """Headers of somebody new."""
        body = {"email": email, "password": PASSWORD}
        answer = await self.ask("POST", "/api/v1/auth/signup", json=body)
        assert answer.status == 201, await answer.text()
        return {"Authorization": f"Bearer {(await answer.json())['access_token']}"}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> Path:
    """Folder with a certificate of the tests' own and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(
        [
            *(OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-keyout", folder / "privkey.pem"),
            *("-out", folder / "fullchain.pem"),
        ],
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture
def placed(configuration, certificate, tmp_path) -> Callable[..., Path]:
    """Puts the configuration into a folder, for given ports."""

    def place(*, port: int = 8443, service: int = 8000, gate: bool = False) -> Path:
        text = configuration.replace("/etc/ssl/genint", str(certificate))
        text = text.replace("127.0.0.1:8000", f"127.0.0.1:{service}")
        text = re.sub(r"listen \[::\].*", "", text)
        text = text.replace("listen 443", f"listen 127.0.0.1:{port}")
        text = re.sub(r"server \{\s+listen 80;.*?\n\}", "", text, flags=re.DOTALL)
        if gate:
            text = text.replace("#gate ", "")
        folders = "".join(
            f"{name}_temp_path {tmp_path / name};\n"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        file = tmp_path / "nginx.conf"
        file.write_text(
            f"daemon off;\nmaster_process off;\npid {tmp_path / 'pid'};\n"
            f"error_log {tmp_path / 'error.log'};\nevents {{}}\n"
            f"http {{\naccess_log off;\n{folders}{text}\n}}\n"
        )
        return file

    return place


@needs_nginx
@pytest.mark.parametrize("gate", [False, True])
def test_nginx_finds_no_fault(placed, tmp_path, gate):
    command = [NGINX, "-t", "-p", tmp_path, "-c", placed(gate=gate)]
    tested = subprocess.run(command, capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    assert "warn" not in tested.stderr


@asynccontextmanager
async def process(*command: str | Path, **environment: str) -> AsyncIterator[asyncio.StreamReader]:
    """A running program and what it prints; ended afterwards."""
    started = await asyncio.create_subprocess_exec(
        *command,
        env={**os.environ, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield started.stdout
    finally:
        started.terminate()
        async with asyncio.timeout(STARTS_S):
            await started.wait()


@pytest.fixture
def open_proxy(placed, tmp_path) -> Callable[..., AbstractAsyncContextManager[Proxy]]:
    """Opens nginx with the configuration in front of a real service."""

    @asynccontextmanager
    async def start(*, gate: bool = False) -> AsyncIterator[Proxy]:
        serve = (sys.executable, "-m", "genint", "serve", "--port", "0", "--workers", "1")
        variables = {"GENINT_DATA_DIR": str(tmp_path / "data"), "JWT_SECRET": "x" * 64}
        async with asyncio.timeout(4 * STARTS_S), process(*serve, **variables) as printed:
            ready = (await printed.readline()).decode()
            service, port = int(re.search(r"http://\S+:(\d+)", ready)[1]), free_port()
            file = placed(port=port, service=service, gate=gate)
            trusting = ssl.create_default_context()
            trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
            async with (
                process(NGINX, "-p", tmp_path, "-c", file),
                ClientSession(connector=TCPConnector(ssl=trusting, limit=40)) as session,
            ):
                await accepting(port)
                yield Proxy(f"https://127.0.0.1:{port}", session)

    return start


async def accepting(port: int) -> None:
    """Wait until somebody listens on a port."""
    async with asyncio.timeout(STARTS_S):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.02)  # there is no event to wait for
            else:
                writer.close()
                await writer.wait_closed()
                return


def form(content: bytes) -> FormData:
    data = FormData()
    data.add_field("file", BytesIO(content), filename="a.fasta")
    return data


@needs_nginx
async def test_an_upload_and_its_answers_pass(open_proxy, examples):
    async with open_proxy() as proxy:
        headers = await proxy.sign_up("ada@example.org")
        content = (examples / "lambda.fasta").read_bytes()
        answer = await proxy.ask("POST", "/api/v1/jobs", data=form(content), headers=headers)
        assert answer.status == 200, await answer.text()
        job_id = (await answer.json())["job_id"]
        assert answer.headers["X-Request-ID"]
        async with asyncio.timeout(60):
            while True:
                answer = await proxy.ask("GET", f"/api/v1/jobs/{job_id}", headers=headers)
                if (job := await answer.json())["status"] == "COMPLETED":
                    break
                await asyncio.sleep(0.1)  # clients poll
        report = await proxy.ask("GET", job["report_url"])
        assert report.status == 200
        assert "default-src" in report.headers["Content-Security-Policy"]
        assert "Strict-Transport-Security" in report.headers


@needs_nginx
async def test_a_body_that_is_too_large_is_refused_by_the_service_and_far_too_large_by_the_proxy(
    open_proxy, default_upload_bytes
):
    async with open_proxy() as proxy:
        headers = await proxy.sign_up("ada@example.org")
        for size in (default_upload_bytes + 1, int(1.2 * default_upload_bytes)):
            content = b">" + b"A" * size  # a long title: it has no base that could be too many
            answer = await proxy.ask("POST", "/api/v1/jobs", data=form(content), headers=headers)
            assert answer.status == 413
            assert "detail" in await answer.json()


@needs_nginx
async def test_trying_passwords_is_slowed_down(open_proxy):
    async with open_proxy() as proxy:
        body = {"email": "ada@example.org", "password": PASSWORD}
        answers = [await proxy.ask("POST", "/api/v1/auth/login", json=body) for _ in range(13)]
        assert [answer.status for answer in answers[:11]] == [401] * 11
        assert {answer.status for answer in answers[11:]} == {429}
        assert await answers[-1].json() == {"detail": "Too many requests; try again later"}
        assert int(answers[-1].headers["Retry-After"]) > 0
        assert (await proxy.ask("GET", "/api/v1/health")).status == 200


@needs_nginx
async def test_a_flood_of_requests_is_cut(open_proxy):
    async with open_proxy() as proxy:
        answers = await asyncio.gather(*(proxy.ask("GET", "/api/v1/health") for _ in range(400)))
        statuses = [answer.status for answer in answers]
        assert set(statuses) == {200, 429}
        assert statuses.count(200) >= 100


@needs_nginx
async def test_closed_reports_open_for_a_valid_login_only(open_proxy):
    path = "/reports/00000000-0000-4000-8000-000000000000.html"
    async with open_proxy(gate=True) as proxy:
        answer = await proxy.ask("GET", path)
        assert answer.status == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert await answer.json() == {"detail": "Not authenticated"}
        wrong = await proxy.ask("GET", path, headers={"Authorization": "Bearer x.y.z"})
        assert wrong.status == 401
        headers = await proxy.sign_up("ada@example.org")
        # Past the gate, the service says that there is no such report.
        assert (await proxy.ask("GET", path, headers=headers)).status == 404


@needs_nginx
async def test_reports_are_public_unless_closed(open_proxy):
    path = "/reports/00000000-0000-4000-8000-000000000000.html"
    async with open_proxy() as proxy:
        assert (await proxy.ask("GET", path)).status == 404


@needs_nginx
async def test_a_service_that_is_away_is_told_as_json(placed, tmp_path):
    port = free_port()
    file = placed(port=port, service=free_port())
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    async with (
        process(NGINX, "-p", tmp_path, "-c", file),
        ClientSession(connector=TCPConnector(ssl=trusting)) as session,
    ):
        await accepting(port)
        allowed = {"Origin": "https://app.genint.example"}
        proxy = Proxy(f"https://127.0.0.1:{port}", session)
        answer = await proxy.ask("GET", "/api/v1/health", headers=allowed)
        assert answer.status == 503
        assert (await answer.json())["detail"]
        assert answer.headers["Retry-After"] == "5"
        assert answer.headers["Access-Control-Allow-Origin"] == allowed["Origin"]
