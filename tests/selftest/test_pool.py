from genint.selftest import Outcome
from genint.selftest.installation import WorkerPool

# Opens files until only those are left that a thread needs, none for a process.
TOO_FEW_FILES = """
import asyncio, os, resource
from pathlib import Path
from genint.selftest import Places, run_selftest
from genint.selftest.genome import GenomeAlone, GenomeInPool
from genint.selftest.pool import WorkerPool

async def main():
    places = Places(Path({cache!r}), Path("databases"))
    await run_selftest(places, checks=[GenomeAlone()])  # imports all that it needs
    most = max(int(name) for name in os.listdir("/proc/self/fd")) + {spare}
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for found in await run_selftest(places, checks=[WorkerPool(), GenomeInPool(), GenomeAlone()]):
        print(found.outcome, found.said, found.cure, sep="|")

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_processes_that_start_and_are_replaced_pass(places, near):
    found = await WorkerPool().run(places, near)
    assert found.outcome is Outcome.OK


def test_where_no_process_can_start_the_checks_of_the_pool_fail(installation, pressed_cache):
    script = TOO_FEW_FILES.format(cache=str(pressed_cache), spare=4)
    done = installation.run("-c", script)
    assert "Traceback" not in done.stderr
    pool, shared, alone = (line.split("|") for line in done.stdout.splitlines())
    assert pool[0] == "FAILED"
    assert "--workers 1" in pool[2]
    assert shared[0] == "FAILED"
    assert alone[0] == "ok"
