import os
import shutil
from dataclasses import replace

import pytest

from genint.selftest import Outcome, run_checks
from tests.selftest.conftest import check_named

FOLDER = check_named("cache folder")
PRESSED = check_named("profiles")
RESULTS = check_named("cache of results")
CHECKS = (FOLDER, PRESSED, RESULTS)


async def test_a_cache_folder_that_can_be_used_passes(places):
    results = await run_checks(CHECKS, places)
    assert [result.outcome for result in results] == [Outcome.OK] * 3


async def test_a_file_in_place_of_the_cache_folder_fails_every_check(places, tmp_path):
    closed = tmp_path / "cache"
    closed.write_text("no folder")
    closed_places = replace(places, cache_folder=closed)
    results = await run_checks(CHECKS, closed_places)
    assert [result.outcome for result in results] == [Outcome.FAILED] * 3
    assert all("GENINT_CACHE_DIR" in result.cure for result in results)


@pytest.mark.parametrize("file", ["payload.u8", "columns.u8"])
async def test_damage_that_everyday_runs_do_not_look_for_is_found(places, tmp_path, file):
    cache = tmp_path / "cache"
    shutil.copytree(places.cache_folder, cache)
    await run_checks([PRESSED], replace(places, cache_folder=cache))
    path = max(cache.glob(f"pressed-*/{file}"))
    times = path.stat()
    with path.open("r+b") as stream:  # behind the sample at its beginning
        stream.seek(100_000)
        stream.write(b"\xff" * 200_000)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    results = await run_checks([PRESSED], replace(places, cache_folder=cache))
    assert results[0].outcome is Outcome.FAILED
    assert "genint cache clear" in results[0].cure


async def test_without_a_cache_of_results_there_is_nothing_to_fail(places, tmp_path):
    (tmp_path / "cache").write_text("no folder")
    places = replace(places, cache_folder=tmp_path / "cache", cache_limit_bytes=0)
    (result,) = await run_checks([RESULTS], places)
    assert result.outcome is Outcome.OK
    assert "switched off" in result.text


async def test_a_damaged_cache_of_results_is_made_anew_and_works(places, tmp_path):
    places = replace(places, cache_folder=tmp_path / "cache")
    await run_checks([RESULTS], places)
    (file,) = places.cache_folder.glob("results-*.sqlite3")
    file.write_bytes(b"no database at all" * 1000)
    (result,) = await run_checks([RESULTS], places)
    assert result.outcome is Outcome.OK
