import asyncio

import pytest

from genint.selftest import Check, Outcome, all_checks, run_checks, run_selftest
from genint.selftest.check import CheckFailed, NotInstalled
from tests.selftest.conftest import check_named


def ending(found: str | Exception, name: str = "any") -> Check:
    """A check that ends as it should."""

    def look(places):
        if isinstance(found, Exception):
            raise found
        return found

    return Check(name, "try harder", look)


async def test_a_failing_check_does_not_stop_the_others(places):
    checks = [
        ending(CheckFailed("broken")),
        ending(RuntimeError("in two\nlines")),
        ending("fine"),
    ]
    results = await run_checks(checks, places)
    assert [result.outcome for result in results] == [Outcome.FAILED, Outcome.FAILED, Outcome.OK]
    assert results[1].text == "RuntimeError: in two lines"


@pytest.mark.parametrize(
    ("found", "cure"),
    [
        ("fine", ""),
        (CheckFailed("broken"), "try harder"),
        (CheckFailed("broken", "mend it"), "mend it"),
        (NotInstalled("nothing there"), "try harder"),
        (OSError("gone"), "try harder"),
        (ExceptionGroup("both", [OSError("gone"), ValueError("odd")]), "try harder"),
    ],
)
async def test_whatever_is_not_well_has_a_cure(places, found, cure):
    (result,) = await run_checks([ending(found)], places)
    assert result.cure == cure


async def test_each_result_is_reported_as_soon_as_it_is_there(places):
    reported = []
    results = await run_checks([ending("1"), ending("2")], places, on_result=reported.append)
    assert tuple(reported) == results


def test_every_check_has_a_name_of_its_own_and_a_cure():
    checks = all_checks()
    assert len({check.name for check in checks}) == len(checks)
    assert all(check.cure for check in checks)


async def test_a_sound_installation_passes_every_check(places):
    results = await run_selftest(places)
    assert [result for result in results if result.outcome is Outcome.FAILED] == []
    missing = {result.name for result in results if result.outcome is Outcome.NOT_INSTALLED}
    assert missing == {
        *(
            f"database {name}"
            for name in ("pfam", "swissprot", "cog", "go", "rfam", "padloc", "amr")
        ),
        "local mode",
    }


async def test_a_databases_folder_that_is_a_file_is_a_failure(places):
    places.databases_folder.write_text("no folder")
    (found,) = await run_checks([check_named("databases folder")], places)
    assert found.outcome is Outcome.FAILED
    assert "Not a directory" in found.text


async def test_of_several_failures_at_once_the_first_is_reported(places):
    problem = ExceptionGroup(
        "both", [ExceptionGroup("inner", [OSError("gone")]), ValueError("odd")]
    )
    (result,) = await run_checks([ending(problem)], places)
    assert result.text == "OSError: gone"


async def test_a_check_that_hangs_fails_and_the_next_one_is_made(places):
    async def hang(places):
        await asyncio.Event().wait()

    checks = [Check("hanging", "wait longer", hang), ending("fine")]
    hanging, fine = await run_checks(checks, places, limit_s=1.0)
    assert hanging.outcome is Outcome.FAILED
    assert hanging.text == "no answer in 1 s"
    assert hanging.cure == "the machine may be busy: try again when it is quiet; else wait longer"
    assert fine.outcome is Outcome.OK


async def test_a_check_that_ends_in_a_timeout_of_its_own_says_which(places):
    (result,) = await run_checks([ending(TimeoutError("the disk"))], places)
    assert result.text == "the disk"
