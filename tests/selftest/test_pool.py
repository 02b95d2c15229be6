from genint.selftest import Outcome, run_checks
from tests.selftest.conftest import check_named

# Opens files until only those are left that a thread needs, none for a process.
TOO_FEW_FILES = """
import asyncio, os, resource
from pathlib import Path
from genint.selftest import Places, all_checks, run_checks

async def main():
    places = Places(Path({cache!r}), Path("databases"))
    checks = dict((check.name, check) for check in all_checks())
    alone, pool = checks["built-in genome"], checks["worker processes"]
    await run_checks([alone], places)  # imports all that it needs
    most = max(int(name) for name in os.listdir("/proc/self/fd")) + {spare}
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for found in await run_checks([pool, alone], places):
        print(found.outcome, found.text, found.cure, sep="|")

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_two_processes_give_the_bytes_of_one(places):
    (found,) = await run_checks([check_named("worker processes")], places)
    assert found.outcome is Outcome.OK, found.text


def test_where_no_process_can_start_the_check_fails(installation, pressed_cache):
    script = TOO_FEW_FILES.format(cache=str(pressed_cache), spare=8)
    done = installation.run("-c", script)
    assert "Traceback" not in done.stderr
    pool, alone = (line.split("|") for line in done.stdout.splitlines())
    assert pool[0] == "FAILED"
    assert "--workers 1" in pool[2]
    assert alone[0] == "ok", alone
