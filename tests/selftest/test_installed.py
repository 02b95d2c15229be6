import os
import shutil
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from genint.databases.installed import PLAN
from genint.databases.layout import changing, work_folder
from genint.databases.recipes import RECIPES
from genint.selftest import Outcome, run_checks
from tests.selftest.conftest import check_named

PFAM = check_named("database pfam")
LOCAL_MODE = check_named("local mode")


@pytest.fixture
def with_pfam(installed_pfam, places, tmp_path):
    """Places with a copy of the installed database, which may be damaged."""
    shutil.copytree(installed_pfam, tmp_path / "databases")
    return replace(places, databases_folder=tmp_path / "databases")


def largest(databases: Path, suffix: str) -> Path:
    return max(databases.rglob(f"*{suffix}"), key=lambda path: path.stat().st_size)


@pytest.mark.parametrize("name", RECIPES)
async def test_a_database_that_is_not_installed_is_no_failure(places, name):
    (result,) = await run_checks([check_named(f"database {name}")], places)
    assert result.outcome is Outcome.NOT_INSTALLED
    assert result.cure == f"run `genint db install {name}`"


async def test_an_installation_that_was_interrupted_is_reported(places):
    plan = work_folder(places.databases_folder, "pfam") / PLAN
    plan.parent.mkdir(parents=True)
    plan.write_text("{}")
    (result,) = await run_checks([PFAM], places)
    assert result.outcome is Outcome.NOT_INSTALLED
    assert "interrupted" in result.text


async def test_an_installed_database_passes_and_is_searched(with_pfam):
    results = await run_checks([PFAM, LOCAL_MODE], with_pfam)
    assert [result.outcome for result in results] == [Outcome.OK, Outcome.OK], results
    assert "40 entries" in results[0].text
    assert "with pfam" in results[1].text


async def test_a_database_whose_file_was_cut_off_fails_with_its_cure(with_pfam):
    path = largest(with_pfam.databases_folder, ".h3p")
    path.write_bytes(path.read_bytes()[:-1])
    results = await run_checks([PFAM, LOCAL_MODE], with_pfam)
    assert [result.outcome for result in results] == [Outcome.FAILED, Outcome.NOT_INSTALLED]
    assert "genint db install pfam" in results[0].cure


async def test_a_database_without_its_manifest_fails_with_its_cure(with_pfam):
    next(with_pfam.databases_folder.rglob("manifest.json")).unlink()
    (result,) = await run_checks([PFAM], with_pfam)
    assert result.outcome is Outcome.FAILED
    assert "genint db install pfam" in result.cure


async def test_a_database_that_was_written_since_fails_with_its_cure(with_pfam):
    path = largest(with_pfam.databases_folder, ".h3p")
    path.write_bytes(bytes(path.stat().st_size))
    (result,) = await run_checks([PFAM], with_pfam)
    assert result.outcome is Outcome.FAILED
    assert "changed after" in result.text
    assert result.cure == "run `genint db verify pfam`"


async def test_a_database_whose_manifest_was_edited_fails_with_its_cure(with_pfam):
    path = next(with_pfam.databases_folder.rglob("manifest.json"))
    path.write_text(path.read_text().replace('"entries": 40', '"entries": 41'))
    (result,) = await run_checks([PFAM], with_pfam)
    assert result.outcome is Outcome.FAILED
    assert "manifest.json is damaged" in result.text
    assert result.cure == "run `genint db install pfam`"


async def test_a_file_in_place_of_the_folder_fails_with_its_cure(places, tmp_path):
    (tmp_path / "file").write_text("")
    places = replace(places, databases_folder=tmp_path / "file")
    results = await run_checks([check_named("databases folder"), PFAM], places)
    assert {result.outcome for result in results} == {Outcome.FAILED}
    assert all("GENINT_DATABASES_DIR" in result.cure for result in results)


@pytest.mark.parametrize("is_installing", [False, True])
async def test_an_update_that_is_not_finished_is_reported(with_pfam, is_installing):
    databases = with_pfam.databases_folder
    plan = work_folder(databases, "pfam") / PLAN
    plan.parent.mkdir(parents=True)
    plan.write_text("{}")
    with changing(databases, "pfam") if is_installing else nullcontext():
        (result,) = await run_checks([PFAM], with_pfam)
    assert result.outcome is Outcome.OK
    assert ("now" if is_installing else "`genint db install pfam` resumes it") in result.text


@pytest.mark.parametrize("suffix", [".h3f", ".h3p"])
async def test_damage_that_sizes_and_times_do_not_show_is_found_by_searching(with_pfam, suffix):
    path = largest(with_pfam.databases_folder, suffix)
    before = path.stat()
    path.write_bytes(bytes(before.st_size))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    (result,) = await run_checks([LOCAL_MODE], with_pfam)
    assert result.outcome is Outcome.FAILED
    assert "genint db verify" in result.cure
