"""What connections of all sorts come to: certificates, proxies, stored credentials."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from genint.databases.download.http import Mirror
from genint.databases.download.manager import Downloader
from genint.databases.download.retry import RetryPolicy
from genint.databases.recipes import Place, RemoteFile
from genint.errors import InstallError
from tests.databases.faulty_server import FILE, PLACE, Behaviour, FaultyServer, content_of

OPENSSL = shutil.which("openssl")
ONE_DOWNLOAD = Path(__file__).with_name("one_download.py")
CONTENT = content_of(5_000)
MD5 = hashlib.md5(CONTENT, usedforsecurity=False).hexdigest()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with a certificate that nobody trusts, and its key."""
    if OPENSSL is None:
        if os.environ.get("CI"):
            pytest.fail("openssl is not installed, and CI has to test with it")
        pytest.skip("openssl is not installed (tests/install_servers.sh installs it)")
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(
        [
            *(OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", folder / "key.pem", "-out", folder / "certificate.pem"),
        ],
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture
def tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "certificate.pem", certificate / "key.pem")
    return context


async def download_trusting(certificate: Path, folder: Path, url: str) -> tuple[int | None, str]:
    """Status and last line of a download that trusts the certificate."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, ONE_DOWNLOAD, folder, url, *PLACE, MD5),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "SSL_CERT_FILE": str(certificate / "certificate.pem")},
    )
    told, _ = await process.communicate()
    return process.returncode, told.decode().splitlines()[-1]


async def test_a_server_whose_certificate_is_not_trusted_is_not_asked_twice(tls, tmp_path, hasty):
    async with FaultyServer(tls=tls) as server:
        server.put(CONTENT)
        async with Downloader(tmp_path, (server.mirror,), hasty) as client:
            with pytest.raises(InstallError, match="its certificate is not trusted"):
                await client.fetch(FILE)
        assert not server.asked


async def test_redirects_from_https_to_http_are_refused_and_to_https_followed(
    tls, certificate, tmp_path, server
):
    server.files["/x"] = CONTENT
    async with FaultyServer({"/x": CONTENT}, tls=tls) as secure:
        for target in (server, secure):
            secure.behave(Behaviour(status=302, headers={"Location": f"{target.url}/x"}))
        status, told = await download_trusting(certificate, tmp_path, secure.url)
        assert status == 1
        assert "redirects from https to http, which is not safe" in told
        assert not server.asked
        assert await download_trusting(certificate, tmp_path, secure.url) == (0, "5000")


async def test_a_proxy_of_the_environment_is_used(server, tmp_path, hasty, monkeypatch):
    url = f"http://mirror.invalid/x/{PLACE}"
    server.files[url] = CONTENT
    monkeypatch.setenv("http_proxy", server.url)
    async with Downloader(tmp_path, (Mirror.parse("http://mirror.invalid/x"),), hasty) as client:
        assert (await client.fetch(FILE)).path.read_bytes() == CONTENT
        assert await client.size_of(FILE) == len(CONTENT)


async def test_a_proxy_that_is_away_is_told_without_its_credentials(tmp_path, hasty, monkeypatch):
    async with FaultyServer() as gone:
        monkeypatch.setenv("http_proxy", gone.url.replace("//", "//anna:secret@"))
    async with Downloader(tmp_path, (Mirror.parse("http://mirror.invalid/x"),), hasty) as client:
        with pytest.raises(InstallError, match="no connection to the proxy") as caught:
            await client.fetch(FILE)
    assert "secret" not in str(caught.value)


async def test_credentials_of_a_mirror_go_before_those_of_the_netrc_file(
    server, tmp_path, hasty, monkeypatch
):
    server.put(CONTENT)
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password else\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    mirror = Mirror.parse(server.url.replace("//", "//anna:secret@"))
    async with Downloader(tmp_path / "work", (mirror,), hasty) as client:
        await client.fetch(FILE)
    assert server.asked[0].headers["authorization"] == "Basic YW5uYTpzZWNyZXQ="


async def test_a_host_that_does_not_exist_is_told_as_such(tmp_path, hasty, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    file = RemoteFile("x", (Place("nowhere.invalid", "x"),))
    async with Downloader(tmp_path, (), RetryPolicy(attempts=1)) as client:
        with pytest.raises(InstallError, match=r"nowhere\.invalid/x: its name was not found"):
            await client.fetch(file)
        assert await client.size_of(file) is None
