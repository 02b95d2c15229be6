"""The service as its users start it: a process, killed, restarted, stopped."""

from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path

import pytest
from aiohttp import ClientSession

from .processes import SECRET, Running, environment, is_alive, refused, running, signed_up, start

SERVE = ("serve", "--port", "0", "--workers", "2")


@pytest.fixture
async def session():
    async with ClientSession() as opened:
        yield opened


@pytest.fixture(scope="module")
def ecoli(shared_data: Path) -> bytes:
    """A genome that takes a while."""
    return (shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz").read_bytes()


@pytest.fixture
def phix(examples: Path) -> bytes:
    """A genome that takes no time."""
    return (examples / "phiX174.gbk").read_bytes()


async def online(session: ClientSession, service: Running) -> bool:
    async with asyncio.timeout(1.5):
        async with session.get(f"{service.address}/api/v1/worker/status") as answer:
            return (await answer.json())["online"]


async def until_online_is(expected: bool, session: ClientSession, service: Running) -> None:
    async with asyncio.timeout(15):
        while await online(session, service) is not expected:
            await asyncio.sleep(0.2)


async def until_gone(processes: set[int]) -> None:
    """The processes end by themselves, soon."""
    async with asyncio.timeout(5):
        while any(map(is_alive, processes)):
            await asyncio.sleep(0.05)


async def test_an_empty_machine_is_enough(session, tmp_path, phix):
    env = environment(tmp_path / "data")
    del env["JWT_SECRET"]
    async with running(*SERVE, env=env, log=tmp_path / "log") as service:
        ada = await signed_up(session, service, "ada@example.org")
        assert await online(session, service)
        job = await ada.until(await ada.submit(phix, "phix.gbk"), "COMPLETED", "FAILED")
        assert job["total_genes"] == 11
        assert await service.end() == 0
    assert {path.name for path in (tmp_path / "data").iterdir()} >= {"uploads", "reports"}


async def test_nothing_is_lost_when_it_is_told_to_stop(session, tmp_path, ecoli, phix):
    env = environment(tmp_path / "data")
    async with running(*SERVE, env=env, log=tmp_path / "log") as service:
        ada = await signed_up(session, service, "ada@example.org")
        done = await ada.until(await ada.submit(phix, "done.gbk"), "COMPLETED")
        big = [await ada.submit(ecoli, f"{number}.gbk.gz") for number in range(3)]
        await ada.until(big[0], "RUNNING")
        children = service.children
        assert children
        assert await service.end() == 0
        await until_gone(children)
    async with running(*SERVE, env=env, log=tmp_path / "log") as service:
        ada = ada.at(service)
        assert (await ada.get(f"/api/v1/jobs/{done['job_id']}"))["genes"] == done["genes"]
        await ada.until_attempt(big[0], 2)
        states = [(await ada.get(f"/api/v1/jobs/{job_id}"))["status"] for job_id in big]
        assert set(states) <= {"PENDING", "RUNNING"}
        for job_id in big:
            assert await ada.post(f"/api/v1/jobs/{job_id}/cancel") == 200


async def test_nothing_is_lost_when_it_is_killed(session, tmp_path, ecoli, phix):
    env = environment(tmp_path / "data")
    async with running(*SERVE, env=env, log=tmp_path / "log") as service:
        ada = await signed_up(session, service, "ada@example.org")
        big = await ada.submit(ecoli, "big.gbk.gz")
        await ada.until(big, "RUNNING")
        small = [await ada.submit(phix, f"{number}.gbk") for number in range(6)]
        children = service.children
        assert await service.end(signal.SIGKILL) == -signal.SIGKILL
    await until_gone(children)
    async with running(*SERVE, env=env, log=tmp_path / "log") as service:
        ada = ada.at(service)
        await ada.until_attempt(big, 2)
        assert await ada.post(f"/api/v1/jobs/{big}/cancel") == 200
        for job_id in small:
            assert (await ada.until(job_id, "COMPLETED", "FAILED"))["status"] == "COMPLETED"


async def test_a_cancelled_job_stops_computing(session, tmp_path, ecoli):
    env = environment(tmp_path / "data")
    async with running(*SERVE, env=env, log=tmp_path / "log") as service:
        ada = await signed_up(session, service, "ada@example.org")
        await until_logged(service, "profiles_prepared")
        before = {pid: cpu_seconds(pid) for pid in service.children}
        job_id = await ada.submit(ecoli, "big.gbk.gz")
        await ada.until(job_id, "RUNNING")

        def computing_now() -> set[int]:
            return {pid for pid in service.children if cpu_seconds(pid) > before.get(pid, 0) + 0.2}

        async with asyncio.timeout(20):
            while not (computing := computing_now()):
                await asyncio.sleep(0.05)
        assert await ada.post(f"/api/v1/jobs/{job_id}/cancel") == 200
        async with asyncio.timeout(3):
            while any(map(is_alive, computing & service.children)):
                await asyncio.sleep(0.05)
        assert (await ada.get(f"/api/v1/jobs/{job_id}"))["status"] == "CANCELLED"


async def until_logged(service: Running, event: str) -> None:
    async with asyncio.timeout(60):
        while not any(line.get("event") == event for line in service.log_lines()):
            await asyncio.sleep(0.05)


def cpu_seconds(pid: int) -> float:
    """What a process has computed; processes that only keep books are below 0.2 s."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    ticks = int(fields[11]) + int(fields[12])
    return ticks / 100 if ticks >= 20 else 0.0


async def test_two_services_do_not_share_a_data_folder(tmp_path):
    env = environment(tmp_path / "data")
    async with running(*SERVE, env=env, log=tmp_path / "log"):
        status, told = await refused(*SERVE, env=env)
        assert status == 2
        assert told.count("\n") == 1
        assert "another genint" in told


async def test_a_taken_port_is_named(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, told = await refused("serve", "--port", port, env=environment(tmp_path / "data"))
    assert status == 2
    assert told.splitlines()[-1].startswith(f"genint: cannot listen on 127.0.0.1, port {port}: ")


@pytest.mark.parametrize(
    ("arguments", "change", "named"),
    [
        (SERVE, {"JWT_SECRET": "short"}, "JWT_SECRET"),
        (SERVE, {"DATABASE_URL": "mysql://u:hunter2@h/d"}, "DATABASE_URL"),
        (SERVE, {"DATABASE_URL": "postgresql://u:hunter2@127.0.0.1:1/d"}, "127.0.0.1:1/d"),
        (SERVE, {"GENINT_MAX_UPLOAD_MB": "lots"}, "GENINT_MAX_UPLOAD_MB"),
        (SERVE, {"GENINT_DATA_DIR": "/proc/nowhere"}, "GENINT_DATA_DIR"),
        (("serve", "--workers", "5"), {}, "--workers"),
        (("serve", "--workers", "0"), {}, "--workers 0"),
        (("serve", "--host", "no such host"), {}, "no such host"),
        (("worker",), {}, "genint worker"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_start_that_cannot_work_says_why_in_one_line(tmp_path, arguments, change, named):
    status, told = await refused(*arguments, env=environment(tmp_path / "data") | change)
    assert status in {1, 2}
    last = [line for line in told.splitlines() if not line.startswith("Try ")][-1]
    assert last.startswith("genint: ")
    assert named in last
    assert "hunter2" not in told
    assert "Traceback" not in told


async def test_the_log_is_json_lines_without_secrets(session, tmp_path, phix):
    log = tmp_path / "log"
    async with running(*SERVE, env=environment(tmp_path / "data"), log=log) as service:
        ada = await signed_up(session, service, "ada@example.org")
        await ada.until(await ada.submit(phix, "a\u202eb.gbk"), "COMPLETED")
        async with session.get(f"{service.address}/api/v1/x%0a%1b[31m?token=abc") as answer:
            assert answer.status == 404
        port = int(service.address.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GARBAGE \x1b[31m\r\n\r\n")
        told = await reader.read()
        assert b" 400 " in told
        assert b"Server: genint\r\n" in told
        assert told.endswith(b'{"detail": "Bad Request"}')
        writer.close()
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /api/v1/waitlist HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{")
        await writer.drain()
        writer.transport.abort()
        async with asyncio.timeout(5):
            while '"status": 499' not in log.read_text():
                await asyncio.sleep(0.05)
        await service.end()
        requests = [line for line in service.log_lines() if line.get("event") == "request"]
    assert {"time", "level", "method", "path", "status", "ms", "request_id"} <= set(requests[0])
    assert not [line for line in service.log_lines() if line["level"] == "ERROR"]
    text = log.read_text()
    token = ada.headers["Authorization"].split()[1]
    for secret in (SECRET, token, "a long enough password", "token=abc", "\x1b", "GARBAGE"):
        assert secret not in text


async def test_migrate_says_what_it_did(tmp_path, postgresql_url):
    env = environment(tmp_path / "data", DATABASE_URL=postgresql_url)
    first = await start("migrate", env=env, log=tmp_path / "log")
    assert await first.process.wait() == 0
    async with running(
        *("serve", "--port", "0", "--workers", "0"), env=env, log=tmp_path / "log"
    ) as service:
        assert await service.end() == 0


async def test_api_and_worker_can_be_separate_processes(
    session, tmp_path, postgresql_url, redis_url, phix
):
    env = environment(tmp_path / "data", DATABASE_URL=postgresql_url, REDIS_URL=redis_url)
    api = ("serve", "--port", "0", "--workers", "0")
    async with running(*api, env=env, log=tmp_path / "api.log") as service:
        ada = await signed_up(session, service, "ada@example.org")
        waiting = await ada.submit(phix, "phix.gbk")
        assert not await online(session, service)
        worker_log = tmp_path / "worker.log"
        async with running("worker", "--workers", "1", env=env, log=worker_log) as worker:
            assert (await ada.until(waiting, "COMPLETED", "FAILED"))["status"] == "COMPLETED"
            await until_online_is(True, session, service)
            await worker.end(signal.SIGKILL)
            await until_online_is(False, session, service)
        watched, watching = watched_by_systemd(env, tmp_path)
        watched["GENINT_METRICS_LISTEN"] = "127.0.0.1:0"
        health = tmp_path / "health"
        second = ("worker", "--workers", "1", "--health-file", str(health))
        async with running(*second, env=watched, log=tmp_path / "second.log") as worker:
            again = await ada.submit(phix, "again.gbk")
            assert (await ada.until(again, "COMPLETED", "FAILED"))["status"] == "COMPLETED"
            (place,) = [line for line in worker.log_lines() if line.get("event") == "metrics"]
            async with session.get(f"http://127.0.0.1:{place['port']}/metrics") as answer:
                figures = (await answer.text()).splitlines()
            assert 'genint_job_attempts_total{outcome="completed"} 1.0' in figures
            assert "genint_workers_alive 1.0" in figures
            assert health.is_file()
            assert await worker.end() == 0
        assert not health.exists()
        with watching:
            heard = [watching.recv(100) for _ in range(3)]
            assert heard[:2] == [b"READY=1", b"WATCHDOG=1"]
        await until_online_is(False, session, service)


def watched_by_systemd(env: dict[str, str], folder: Path) -> tuple[dict[str, str], socket.socket]:
    """The environment of a process that systemd watches, and the socket where it would listen."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.bind(str(folder / "notify"))
    listening.setblocking(False)
    name = {"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "60000000"}
    return env | name, listening


async def test_worker_status_answers_within_a_second_when_redis_hangs(
    session, tmp_path, postgresql_url, redis_server
):
    env = environment(tmp_path / "data", DATABASE_URL=postgresql_url, REDIS_URL=redis_server.url)
    async with (
        running(
            *("serve", "--port", "0", "--workers", "0"), env=env, log=tmp_path / "api.log"
        ) as service,
        running("worker", "--workers", "1", env=env, log=tmp_path / "worker.log"),
    ):
        await until_online_is(True, session, service)
        redis_server.process.send_signal(signal.SIGSTOP)
        try:
            async with asyncio.timeout(1):
                assert await online(session, service)  # the database knows too
        finally:
            redis_server.process.send_signal(signal.SIGCONT)
