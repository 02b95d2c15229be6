"""The image is built and does a job: only in `make test-container`.

The Dockerfile is built as it is, but on a base that is made of Debian's packages, as registries of
images need not be within reach. Containers run in a chroot of this machine and on its network.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

pytestmark = pytest.mark.container

BASE, IMAGE = "localhost/genint-test-base:3.11", "localhost/genint-test:latest"
PACKAGES = "python3,python3-venv,python3-pip,ca-certificates"
OF_THE_HOST = ("/etc/ssl/certs", "/etc/pip.conf", str(Path.home() / ".config/pip/pip.conf"))
"""How pip reaches its index here; bound in while the image is built, and in no layer."""
STARTS_S, JOB_S, ENDS_S = 60, 240, 10


class Buildah:
    """Images and containers in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        places = "--root", str(folder / "root"), "--runroot", str(folder / "run")
        self.command = ("buildah", "--storage-driver", "vfs", *places)

    def __call__(self, *arguments: str) -> str:
        done = subprocess.run(
            [*self.command, *arguments], check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, (arguments, done.stderr[-2000:])
        return done.stdout.strip()


@pytest.fixture(scope="module")
def buildah(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Buildah]:
    for program in ("buildah", "mmdebstrap"):
        if shutil.which(program) is None or os.geteuid() != 0:
            pytest.skip(f"needs root and {program}")
    folder = tmp_path_factory.mktemp("buildah")
    made = Buildah(folder)
    yield made
    made("rm", "--all")
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def container(buildah: Buildah, root: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A container of the image."""
    archive = tmp_path_factory.mktemp("base") / "base.tar"
    debian = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={PACKAGES}"]
    subprocess.run([*debian, "bookworm", str(archive)], check=True)
    made = buildah("from", "scratch")
    buildah("add", "--quiet", made, str(archive), "/")
    archive.unlink()
    named = "ln", "-s", "python3", "/usr/bin/python"
    buildah("run", "--isolation", "chroot", made, "--", *named)
    buildah("commit", "--quiet", "--rm", made, BASE)
    bound = [f"--volume={path}:{path}:ro" for path in OF_THE_HOST if Path(path).exists()]
    buildah(
        *("build", "--isolation", "chroot", "--format", "docker", *bound),
        *("--build-arg", f"PYTHON_IMAGE={BASE}", "--tag", IMAGE),
        *("--file", str(root / "deploy" / "Dockerfile")),
        *("--ignorefile", str(root / "deploy" / "Dockerfile.dockerignore"), str(root)),
    )
    return buildah("from", IMAGE)


@pytest.fixture(scope="module")
def config(buildah: Buildah, container: str) -> dict[str, Any]:
    """How the image says it is to be started."""
    return json.loads(buildah("inspect", "--type", "image", IMAGE))["Docker"]["config"]


@pytest.fixture(scope="module")
def port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(scope="module")
def service(
    buildah: Buildah, container: str, config: dict[str, Any], port: int
) -> Iterator[subprocess.Popen[bytes]]:
    """The image at work, on another port."""
    command = [*config["Entrypoint"], *config["Cmd"]]
    assert command.count("8000") == 1
    command[command.index("8000")] = str(port)
    isolated = ("run", "--isolation", "chroot", container, "--")
    with subprocess.Popen([*buildah.command, *isolated, *command]) as running:
        yield running
        running.kill()


def served_by(port: int) -> int:
    """The process that serves a port, among those that started it and that it started."""
    folders = (folder for folder in Path("/proc").iterdir() if folder.name.isdigit())
    (found,) = (int(folder.name) for folder in folders if is_service(folder, port))
    return found


def is_service(folder: Path, port: int) -> bool:
    try:
        words = (folder / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    programs = [b"/opt/genint/bin/python", b"/opt/genint/bin/genint", b"serve"]
    return words[:3] == programs and str(port).encode() in words


def test_a_genome_is_interpreted_as_an_ordinary_user_and_sigterm_ends_the_service(
    service: subprocess.Popen[bytes], config: dict[str, Any], port: int, examples: Path
) -> None:
    url = f"http://127.0.0.1:{port}/api/v1"
    until = time.monotonic() + STARTS_S
    while not is_ready(url):
        assert service.poll() is None
        assert time.monotonic() < until
        time.sleep(0.2)
    process = served_by(port)
    status = Path(f"/proc/{process}/status").read_text()
    assert "Uid:\t10001\t10001\t10001\t10001" in status
    assert "Gid:\t10001\t10001\t10001\t10001" in status
    account = {"email": "ada@example.org", "password": "a long enough password"}
    token = requests.post(f"{url}/auth/signup", json=account, timeout=10).json()["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    genome = {"file": ("lambda.fasta", (examples / "lambda.fasta").read_bytes())}
    answer = requests.post(f"{url}/jobs", headers=headers, files=genome, timeout=10)
    job, until = answer.json(), time.monotonic() + JOB_S
    while job["status"] in ("PENDING", "RUNNING") and time.monotonic() < until:
        time.sleep(0.5)
        job = requests.get(f"{url}/jobs/{job['job_id']}", headers=headers, timeout=10).json()
    assert (job["status"], job["error_message"]) == ("COMPLETED", None)
    assert job["total_genes"] > 60
    assert config["Healthcheck"]["Test"][0] == "CMD"
    os.kill(process, signal.SIGTERM)
    assert service.wait(ENDS_S) == 0


def is_ready(url: str) -> bool:
    try:
        return requests.get(f"{url}/ready", timeout=5).ok
    except requests.ConnectionError:
        return False


def test_the_environment_of_the_image_holds_what_it_needs_to_run_and_no_more(
    buildah: Buildah, container: str, config: dict[str, Any]
) -> None:
    assert config["User"] == "10001:10001"
    assert set(config["Volumes"]) == {"/data", "/cache"}
    home = Path(buildah("mount", container)) / "opt" / "genint"
    names = {path.name for path in home.rglob("*") if path.is_dir()}
    assert not names & {"tests", "pip", "setuptools", "example_data", "hatchling"}
    assert not (home.parents[1] / "source").exists()
    size = subprocess.run(["du", "-sm", home], capture_output=True, text=True, check=True).stdout
    assert int(size.split()[0]) < 290
