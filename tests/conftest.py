"""Fixtures that all tests share: where real genomes lie, and database servers."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import settings

from tests.builders.names_at_hand import all_names
from tests.builders.names_at_hand import bacterial_names as names_of_bacteria
from tests.servers.object_server import ObjectServer
from tests.servers.private_servers import PostgresServer, RedisServer

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT.parent / "shared" / "data"

# A test that is slow on a loaded machine found nothing wrong; benchmarks measure speed.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: many tests wait for servers, browsers and children."""
    return min(4, (os.cpu_count() or 1) + 1)


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """One process of the test run at a time."""
    with file.open("a") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session", autouse=True)
def _nothing_known_before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Every run of a test computes: no results of others, no databases of the developer.

    Nor does any ask a server on the network. Tests of the cache, of installed databases and
    of online services say where theirs are.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENINT_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "cache"))
        patch.setenv("GENINT_CACHE_MB", "0")
        patch.setenv("GENINT_DATABASES_DIR", str(tmp_path_factory.mktemp("no_databases")))
        for server in ("UNIPROT", "INTERPRO", "INTERPRO_GO"):
            patch.setenv(f"GENINT_{server}_URL", "http://127.0.0.1:9")  # where nobody listens
        yield


@pytest.fixture(scope="session")
def examples() -> Path:
    """The example genomes that the project carries."""
    return ROOT / "examples"


def once_per_run(
    tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]
) -> Path:
    """A folder that one process of the test run makes for all; none of them may change it."""
    own = tmp_path_factory.getbasetemp()
    run_folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    made, done = run_folder / name, run_folder / f"{name}.done"
    with _locked(run_folder / f"{name}.lock"):
        if not done.exists():
            make(made)
            done.touch()
    return made


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation, as `make docs` builds it: strictly, so that a broken link is an error."""

    def make(folder: Path) -> None:
        done = subprocess.run(
            ["make", "docs", f"PYTHON={sys.executable}"],
            check=False,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        shutil.copytree(ROOT / "build" / "site", folder)

    return once_per_run(tmp_path_factory, "site", make)


@pytest.fixture(scope="session")
def pressed(tmp_path_factory: pytest.TempPathFactory, examples: Path) -> Path:
    """The cache folder of this process, with all shipped profiles pressed.

    Pressing takes longer than most tests, so one process of the test run does it for all. The
    files are hard links: a test that damages them has to copy them.
    """
    from genint import interpret_genome  # noqa: PLC0415 - loads HMMER

    made = once_per_run(
        tmp_path_factory,
        "pressed",
        lambda folder: interpret_genome(examples / "phiX174.gbk", cache_folder=folder),
    )
    return linked(made, tmp_path_factory.getbasetemp() / "cache")


@pytest.fixture(scope="module")
def searched(pressed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder with what was found for proteins in this test run, by whichever process.

    For tests of what is made of hits in whole genomes: each protein is searched once. Tests of
    the search itself use ``pressed``, where every run searches.
    """
    folder = once_per_run(tmp_path_factory, "searched", lambda made: linked(pressed, made))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENINT_CACHE_MB", "1000")
        patch.setenv("GENINT_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture
def cache_of_its_own(pressed: Path, tmp_path: Path) -> Path:
    """A new cache folder in which profiles are pressed already."""
    return linked(pressed, tmp_path / "cache")


def linked(cache: Path, folder: Path) -> Path:
    """A cache folder with the indexed profiles of another one."""
    for made in cache.glob("pressed-*"):
        if not (folder / made.name).exists():
            shutil.copytree(made, folder / made.name, copy_function=os.link)
    return folder


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real genomes and reference data beside the project.

    Not part of the project: skipped visibly where it is absent, never under CI.
    """
    if SHARED_DATA.is_dir():
        return SHARED_DATA
    if os.environ.get("CI"):
        pytest.fail(f"the shared data folder is missing under CI: {SHARED_DATA.name}")
    pytest.skip("needs the folder of real genomes beside the project (shared/data)")


@pytest.fixture(scope="session")
def family_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three families of made-up proteins (``made_families``)."""
    from tests.builders.made_families import write_build  # noqa: PLC0415 - loads HMMER

    return write_build(tmp_path_factory.mktemp("families"))


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server of this test run; may be restarted, must be left running."""
    server = PostgresServer.started() or missing("PostgreSQL")
    yield server
    server.close()


@pytest.fixture
def postgresql_url(postgresql_server: PostgresServer) -> Iterator[str]:
    """Address of a new, empty PostgreSQL database; dropped afterwards."""
    url = postgresql_server.create_database()
    yield url
    postgresql_server.drop_database(url)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """A Redis server of this test run; may be halted, must be left running."""
    server = RedisServer.started() or missing("Redis")
    yield server
    server.close()


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """Address of an empty Redis database."""
    redis_server.flush()
    return redis_server.url


@pytest.fixture(scope="session")
def object_server() -> Iterator[ObjectServer]:
    """A server of this test run that speaks S3."""
    server = ObjectServer.started()
    yield server
    server.close()


@pytest.fixture
def bucket_url(object_server: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """Address of a new, empty bucket and a prefix in it, with the variables that reach it."""
    for name, value in object_server.environment.items():
        monkeypatch.setenv(name, value)
    return f"s3://{object_server.create_bucket()}/genint"


def missing(program: str) -> NoReturn:
    """Skip visibly for want of a program, but fail under CI."""
    if os.environ.get("CI"):
        pytest.fail(f"{program} is not installed, and CI has to test with it")
    pytest.skip(f"{program} is not installed (tests/install_servers.sh installs it)")


@pytest.fixture(scope="session")
def names_at_hand(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """Distinct products of all training proteins and all annotated genomes."""
    return _names("all_names", lambda: all_names(shared_data), tmp_path_factory)


@pytest.fixture(scope="session")
def bacterial_names(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """Distinct products of whole bacterial genomes and proteomes."""
    return _names("bacterial_names", lambda: names_of_bacteria(shared_data), tmp_path_factory)


def _names(
    name: str, read: Callable[[], frozenset[str]], tmp_path_factory: pytest.TempPathFactory
) -> frozenset[str]:
    """Names that one process of the test run reads for all; none has a line break."""
    made = once_per_run(
        tmp_path_factory, name, lambda file: file.write_text("\n".join(read()), encoding="utf-8")
    )
    return frozenset(made.read_text(encoding="utf-8").split("\n"))
