import asyncio
from dataclasses import dataclass

import pytest

from genint.selftest import Outcome, all_checks, run_selftest
from genint.selftest.check import Finding
from genint.selftest.installation import DatabasesFolder


@dataclass(frozen=True)
class Told:
    """A check that finds what it was told to."""

    finding: Finding | Exception
    name: str = "told"
    cure: str = "try harder"

    async def run(self, places, near):
        if isinstance(self.finding, Exception):
            raise self.finding
        return self.finding


async def test_a_failing_check_does_not_stop_the_others(places):
    checks = [
        Told(Finding.failed("broken")),
        Told(RuntimeError("in two\nlines")),
        Told(Finding.ok("fine")),
    ]
    results = await run_selftest(places, checks=checks)
    assert [result.outcome for result in results] == [Outcome.FAILED, Outcome.FAILED, Outcome.OK]
    assert results[1].said == "RuntimeError: in two lines"


@pytest.mark.parametrize(
    ("finding", "cure"),
    [
        (Finding.ok("fine"), ""),
        (Finding.failed("broken"), "try harder"),
        (Finding.failed("broken", "mend it"), "mend it"),
        (Finding.not_installed("nothing there"), "try harder"),
        (OSError("gone"), "try harder"),
        (ExceptionGroup("both", [OSError("gone"), ValueError("odd")]), "try harder"),
    ],
)
async def test_whatever_is_not_well_has_a_cure(places, finding, cure):
    (result,) = await run_selftest(places, checks=[Told(finding)])
    assert result.cure == cure


async def test_each_result_is_told_as_soon_as_it_is_there(places):
    told = []
    results = await run_selftest(
        places, checks=[Told(Finding.ok("1")), Told(Finding.ok("2"))], on_result=told.append
    )
    assert tuple(told) == results


def test_every_check_has_a_name_of_its_own_and_a_cure():
    checks = all_checks()
    assert len({check.name for check in checks}) == len(checks)
    assert all(check.cure for check in checks)


async def test_a_sound_installation_passes_every_check(places):
    results = await run_selftest(places)
    assert [result for result in results if result.outcome is Outcome.FAILED] == []
    missing = {result.name for result in results if result.outcome is Outcome.NOT_INSTALLED}
    assert missing == {
        *(f"database {name}" for name in ("pfam", "swissprot", "cog", "go", "rfam")),
        "local mode",
    }


async def test_a_databases_folder_that_is_a_file_is_a_failure(places, near):
    places.databases_folder.write_text("no folder")
    found = await DatabasesFolder().run(places, near)
    assert found.outcome is Outcome.FAILED
    assert "Not a directory" in found.said


async def test_of_several_failures_at_once_the_first_is_told(places):
    problem = ExceptionGroup(
        "both", [ExceptionGroup("inner", [OSError("gone")]), ValueError("odd")]
    )
    (result,) = await run_selftest(places, checks=[Told(problem)])
    assert result.said == "OSError: gone"


@dataclass(frozen=True)
class Hanging:
    """A check that never ends."""

    name: str = "hanging"
    cure: str = "wait longer"

    async def run(self, places, near):
        await asyncio.Event().wait()


async def test_a_check_that_hangs_fails_and_the_next_one_is_made(places):
    checks = [Hanging(), Told(Finding.ok("fine"))]
    hanging, fine = await run_selftest(places, checks=checks, limit_s=0.01)
    assert hanging.outcome is Outcome.FAILED
    assert hanging.said == "no answer in 0.01 s"
    assert fine.outcome is Outcome.OK


async def test_a_check_that_is_told_of_a_timeout_says_which(places):
    (result,) = await run_selftest(places, checks=[Told(TimeoutError("the disk"))])
    assert result.said == "the disk"
