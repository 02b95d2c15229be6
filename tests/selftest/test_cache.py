import os
import shutil
from dataclasses import replace

import pytest

from genint.selftest import Outcome, run_selftest
from genint.selftest.installation import CacheFolder, PressedProfiles, Results

CHECKS = (CacheFolder(), PressedProfiles(), Results())


async def test_a_cache_folder_that_can_be_used_passes(places):
    results = await run_selftest(places, checks=CHECKS)
    assert [result.outcome for result in results] == [Outcome.OK] * 3


async def test_a_file_in_place_of_the_cache_folder_fails_every_check(places, tmp_path):
    closed = tmp_path / "cache"
    closed.write_text("no folder")
    closed_places = replace(places, cache_folder=closed)
    results = await run_selftest(closed_places, checks=CHECKS)
    assert [result.outcome for result in results] == [Outcome.FAILED] * 3
    assert "GENINT_CACHE_DIR" in results[0].cure


@pytest.mark.parametrize("suffix", [".h3f", ".h3p"])
async def test_damage_that_everyday_runs_do_not_look_for_is_found(places, tmp_path, suffix):
    cache = tmp_path / "cache"
    shutil.copytree(places.cache_folder, cache)
    await run_selftest(replace(places, cache_folder=cache), checks=[PressedProfiles()])
    path = max(cache.glob(f"pressed-*/profiles{suffix}"))
    times = path.stat()
    with path.open("r+b") as stream:  # behind the sample at its beginning
        stream.seek(100_000)
        stream.write(b"\xff" * 200_000)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    results = await run_selftest(replace(places, cache_folder=cache), checks=[PressedProfiles()])
    assert results[0].outcome is Outcome.FAILED
    assert "genint cache clear" in results[0].cure


async def test_without_a_cache_of_results_there_is_nothing_to_fail(places, tmp_path):
    (tmp_path / "cache").write_text("no folder")
    places = replace(places, cache_folder=tmp_path / "cache", cache_limit_bytes=0)
    (result,) = await run_selftest(places, checks=[Results()])
    assert result.outcome is Outcome.OK
    assert "switched off" in result.said


async def test_a_damaged_cache_of_results_is_made_anew_and_works(places, tmp_path):
    places = replace(places, cache_folder=tmp_path / "cache")
    await run_selftest(places, checks=[Results()])
    (file,) = places.cache_folder.glob("results-*.sqlite3")
    file.write_bytes(b"no database at all" * 1000)
    (result,) = await run_selftest(places, checks=[Results()])
    assert result.outcome is Outcome.OK
