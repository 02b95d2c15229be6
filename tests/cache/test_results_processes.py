"""The cache of results among processes: at once, killed, out of disk, without rights."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from genint.cache.info import clear_cache
from genint.cache.search_results import RESULTS, ResultCache, protein_key

FILE = RESULTS.file_name
LOCK = RESULTS.lock_name
START = """
import os, random, resource, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from genint.cache.search_results import ResultCache, protein_key
from genint.cache import sqlite_file
from genint.cache.info import cache_info, clear_cache

# A cache that others hold for too long is left alone for a minute, which a loaded machine
# brings about by itself; what is tested here is what holds until then.
sqlite_file._BUSY_S = sqlite_file._WAIT_S = 100.0

def answer(key):
    return random.Random(key.hex()).randbytes(200).hex()

keys = [protein_key(f"M{at}") for at in range(2_000)]
folder = Path(sys.argv[1])
"""
KEYS = [protein_key(f"M{at}") for at in range(2_000)]
LIMIT_S = 120


def start(script, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", START + script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def finish(*processes):
    """What they printed; fails if one of them failed."""
    said = [process.communicate(timeout=LIMIT_S)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes)
    return said


def sound(folder, source="source"):
    """Keys that are known, after a look at every answer."""
    found = ResultCache(folder).known(source, KEYS)
    said = finish(start("print([answer(key) for key in keys])", folder))[0]
    expected = dict(zip(KEYS, eval(said), strict=True))  # noqa: S307 - a list of texts
    assert found.items() <= expected.items()
    return set(found)


READ_AND_WRITE = """
cache = ResultCache(folder)
def work(thread):
    chance = random.Random(f"{sys.argv[2]} {thread}")
    for _ in range(25):
        some = chance.sample(keys, 60)
        cache.keep("source", {key: answer(key) for key in some})
        found = cache.known("source", keys)
        assert set(some) <= set(found), "what was kept is known at once"
        assert all(text == answer(key) for key, text in found.items())
with ThreadPoolExecutor(4) as executor:
    list(executor.map(work, range(4)))
"""


def test_two_processes_of_four_threads_write_and_read_at_once(tmp_path):
    finish(start(READ_AND_WRITE, tmp_path, 1), start(READ_AND_WRITE, tmp_path, 2))
    assert len(sound(tmp_path)) > 1_900
    assert {path.name for path in tmp_path.iterdir()} == {FILE, LOCK}


WRITE_FOREVER = """
cache = ResultCache(folder, limit_bytes=500_000)
for at in range(1_000_000):
    cache.keep("source", {key: answer(key) for key in random.sample(keys, 300)})
    if not at:
        print("ready", flush=True)
"""


def test_a_writer_killed_at_any_moment_leaves_only_sound_answers(tmp_path):
    for _ in range(6):
        writers = [start(WRITE_FOREVER, tmp_path) for _ in range(2)]
        for writer in writers:
            assert writer.stdout.readline() == "ready\n"
        while not (tmp_path / f"{FILE}-journal").exists():
            pass  # in mid-transaction, as well as can be hit
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            writer.communicate()
        assert sound(tmp_path)
        ResultCache(tmp_path).keep("another", {KEYS[0]: "found"})
        assert ResultCache(tmp_path).known("another", KEYS[:1]) == {KEYS[0]: "found"}


def test_several_that_drop_and_write_stay_within_the_bound(tmp_path):
    script = """
cache = ResultCache(folder, limit_bytes=300_000)
for at in range(40):
    cache.keep(f"source {at} {sys.argv[2]}", {key: answer(key) for key in keys[at * 40:][:200]})
    assert (folder / "results-1.sqlite3").stat().st_size < 500_000  # others have just written
"""
    finish(start(script, tmp_path, 1), start(script, tmp_path, 2))
    ResultCache(tmp_path, limit_bytes=300_000).keep("source", {KEYS[0]: "found"})
    assert (tmp_path / FILE).stat().st_size <= 300_000


def test_clearing_and_damaging_under_those_who_write_costs_answers_and_no_more(tmp_path):
    script = READ_AND_WRITE.replace("assert set(some)", "set(some)")
    # One thread each: eight at once hold the lock without a gap, and nothing could be cleared.
    script = script.replace("ThreadPoolExecutor(4)", "ThreadPoolExecutor(1)")
    writers = [start(script, tmp_path, at) for at in range(2)]
    cleared = rounds = 0
    while any(writer.poll() is None for writer in writers):
        rounds += 1
        cleared += clear_cache(tmp_path).results
        if rounds % 3 == 0:
            with contextlib.suppress(FileNotFoundError):  # a writer may just have removed it
                os.truncate(tmp_path / FILE, 5_000)
    finish(*writers)
    assert cleared
    sound(tmp_path)
    for _ in range(2):  # the first may be the one that finds the last damage
        ResultCache(tmp_path).keep("source 2", {KEYS[0]: "found"})
    assert ResultCache(tmp_path).known("source 2", KEYS[:1]) == {KEYS[0]: "found"}


def test_forked_children_and_their_parent_go_on_with_the_same_object(tmp_path):
    script = """
cache = ResultCache(folder)
cache.keep("source", {keys[0]: answer(keys[0])})
children = []
for at in range(8):
    child = os.fork()
    if not child:
        for _ in range(10):
            cache.keep(f"child {at}", {keys[at]: answer(keys[at])})
        found = cache.known(f"child {at}", keys) == {keys[at]: answer(keys[at])}
        os._exit(0 if found else 1)
    children.append(child)
    cache.keep("source", {key: answer(key) for key in keys[:50]})
ends = [os.waitpid(child, 0)[1] for child in children]
assert ends == [0] * 8, ends
"""
    finish(start(script, tmp_path))
    assert set(KEYS[:50]) <= sound(tmp_path)


def test_a_full_disk_keeps_nothing_more_and_loses_nothing(tmp_path):
    script = """
cache = ResultCache(folder)
cache.keep("source", {key: answer(key) for key in keys[:100]})
size = (folder / "results-1.sqlite3").stat().st_size
for room in range(0, 60_000, 3_000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + room, resource.RLIM_INFINITY))
    cache.keep("source", {key: answer(key) for key in keys[100:]})
    found = cache.known("source", keys)
    assert set(keys[:100]) == set(found)
    assert all(text == answer(key) for key, text in found.items())
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
cache.keep("source", {key: answer(key) for key in keys[100:]})
assert len(cache.known("source", keys)) == len(keys)
"""
    finish(start(script, tmp_path))


@pytest.fixture
def open_folder():
    """A folder that other users can enter."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        (Path(place) / "cache").mkdir()
        yield Path(place) / "cache"


WITHOUT_RIGHTS = """
if os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
cache = ResultCache(folder)
cache.keep("source", {keys[1]: "new"})
clear_cache(folder)
info = cache_info(folder)
print(cache.known("source", keys) == {keys[0]: "found"}, cache.known("source", keys) == {},
      info.results.answers)
"""


@pytest.mark.parametrize("lock", [True, False])
def test_a_folder_that_is_read_only_for_us_is_read_and_nothing_else(open_folder, lock):
    ResultCache(open_folder).keep("source", {KEYS[0]: "found"})
    if not lock:
        (open_folder / LOCK).unlink()
    for path in open_folder.iterdir():
        path.chmod(0o444)
    before = {path.name: path.read_bytes() for path in open_folder.iterdir()}
    open_folder.chmod(0o555)
    assert finish(start(WITHOUT_RIGHTS, open_folder)) == ["True False 1\n"]
    assert {path.name: path.read_bytes() for path in open_folder.iterdir()} == before
    open_folder.chmod(0o755)


def test_a_folder_that_is_closed_to_us_is_no_cache(open_folder):
    ResultCache(open_folder).keep("source", {KEYS[0]: "found"})
    open_folder.chmod(0o000)
    assert finish(start(WITHOUT_RIGHTS, open_folder)) == ["False True 0\n"]
    open_folder.chmod(0o755)
    assert ResultCache(open_folder).known("source", KEYS) == {KEYS[0]: "found"}
