"""The cache of online answers among processes: at once, killed, out of disk, without rights."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from genint.cache.info import clear_cache
from genint.cache.online import ONLINE, OnlineCache
from genint.model import AnswerState

FILE, LOCK = ONLINE.file_name, ONLINE.lock_name
START = """
import os, random, resource, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from genint.cache.online import OnlineCache
from genint.cache.info import cache_info, clear_cache
from genint.model.online import AnswerState

STATES = [state for state in AnswerState if state.is_answer]
def said(key):
    chance = random.Random(key)
    return chance.choice(STATES), chance.randbytes(200).hex()

keys = [f"KEY{at}" for at in range(1_000)]
rows = {key: said(key) for key in keys}
folder = Path(sys.argv[1])
question = ("uniprot", "md5", keys, "2026_03")
def found_in(cache, question=question):
    found = {key: (kept.state, kept.payload) for key, kept in cache.find(*question).items()}
    assert all(rows[key] == each for key, each in found.items())
    return found
"""
KEYS = [f"KEY{at}" for at in range(1_000)]
HIT = (AnswerState.HIT, "{}")
LIMIT_S = 60


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


def number_sound(folder):
    """How many answers are there, after a look at every one of them."""
    return int(finish(start("print(len(found_in(OnlineCache(folder))))", folder))[0])


def test_a_second_process_sees_what_the_first_kept(tmp_path):
    script = """
cache = OnlineCache(folder)
cache.keep("uniprot", "md5", "2026_03", rows)
"""
    finish(start(script, tmp_path))
    second = """
cache = OnlineCache(folder)
assert found_in(cache) == found_in(cache, (*question[:3], None)) == rows
"""
    finish(start(second, tmp_path))


READ_AND_WRITE = """
cache = OnlineCache(folder, wait_s=50)  # SQLite lets others pass by: on a busy machine, for seconds
def work(thread):
    chance = random.Random(f"{sys.argv[2]} {thread}")
    for at in range(10):
        some = chance.sample(keys, 60)
        cache.keep("uniprot", "md5", "2026_03", {key: rows[key] for key in some})
        assert set(some) <= set(found_in(cache)), "what was kept is known at once"
        text = f"{at % 4}"
        cache.keep("interpro", "interpro2go-1", text, {"file": (AnswerState.HIT, text * 5_000)})
        newest = cache.find("interpro", "interpro2go-1", ["file"], None)["file"]
        assert newest.payload == newest.release * 5_000
with ThreadPoolExecutor(4) as executor:
    list(executor.map(work, range(4)))
"""


def test_two_processes_of_four_threads_write_and_read_at_once(tmp_path):
    finish(start(READ_AND_WRITE, tmp_path, 1), start(READ_AND_WRITE, tmp_path, 2))
    assert number_sound(tmp_path) > 900
    assert {path.name for path in tmp_path.iterdir()} == {FILE, LOCK}


READ_FOREVER = """
from itertools import count
cache = OnlineCache(folder)
for at in count():
    if not at:
        print("ready", flush=True)
    cache.find(*question)
"""


def test_who_reads_while_the_file_is_begun_costs_no_answer(tmp_path):
    readers = [start(READ_FOREVER, tmp_path) for _ in range(2)]
    for reader in readers:
        assert reader.stdout.readline() == "ready\n"
    for _ in range(200):
        OnlineCache(tmp_path).keep("interpro", "md5", "108.0", {"A": HIT})
        assert OnlineCache(tmp_path).find("interpro", "md5", "A", "108.0")
        assert ONLINE.remove(tmp_path)
    for reader in readers:
        reader.kill()
        reader.communicate()


WRITE_FOREVER = """
cache = OnlineCache(folder, limit_bytes=200_000)
for at in range(1_000_000):
    cache.keep("uniprot", "md5", "2026_03", {key: rows[key] for key in random.sample(keys, 300)})
    cache.keep("interpro", "interpro2go-1", str(at), {"file": (AnswerState.HIT, "x" * 5_000)})
    if not at:
        print("ready", flush=True)
"""


def test_a_writer_killed_at_any_moment_leaves_only_sound_answers(tmp_path):
    for _ in range(3):
        writers = [start(WRITE_FOREVER, tmp_path) for _ in range(2)]
        for writer in writers:
            assert writer.stdout.readline() == "ready\n"
        while not (tmp_path / f"{FILE}-journal").exists():
            pass  # in mid-transaction, as well as can be hit
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            writer.communicate()
        assert number_sound(tmp_path)
        OnlineCache(tmp_path).keep("interpro", "md5", "108.0", {"A": HIT})
        assert OnlineCache(tmp_path).find("interpro", "md5", "A", "108.0")


def test_clearing_and_damaging_under_those_who_write_costs_answers_and_no_more(tmp_path):
    script = """
cache = OnlineCache(folder)
for at in range(60):
    cache.keep("uniprot", "md5", "2026_03", {key: rows[key] for key in random.sample(keys, 60)})
    found_in(cache)
"""
    folder = tmp_path / "cache"
    writers = [start(script, folder) for _ in range(2)]
    cleared = 0
    while any(writer.poll() is None for writer in writers):
        cleared += clear_cache(folder).online
        if cleared % 3 == 1:
            shutil.rmtree(folder, ignore_errors=True)  # by hand, the lock as well
        elif cleared % 3 == 2:
            with contextlib.suppress(FileNotFoundError):
                os.truncate(folder / FILE, 5_000)
    finish(*writers)
    assert cleared > 1
    OnlineCache(folder).keep("interpro", "md5", "108.0", {"A": HIT})
    assert OnlineCache(folder).find("interpro", "md5", "A", "108.0")


def test_forked_children_and_their_parent_go_on_with_the_same_object(tmp_path):
    script = """
cache = OnlineCache(folder)
cache.keep("uniprot", "md5", "2026_03", {keys[0]: rows[keys[0]]})
children = []
for at in range(8):
    child = os.fork()
    if not child:
        for _ in range(10):
            cache.keep("uniprot", f"child {at}", "1", {keys[at]: rows[keys[at]]})
        found = found_in(cache, ("uniprot", f"child {at}", keys, "1"))
        os._exit(0 if set(found) == {keys[at]} else 1)
    children.append(child)
    cache.keep("uniprot", "md5", "2026_03", {key: rows[key] for key in keys[:50]})
ends = [os.waitpid(child, 0)[1] for child in children]
assert ends == [0] * 8, ends
assert set(found_in(cache)) == set(keys[:50])
"""
    finish(start(script, tmp_path))


def test_a_full_disk_keeps_nothing_more_and_loses_nothing(tmp_path):
    script = """
cache = OnlineCache(folder)
cache.keep("uniprot", "md5", "2026_03", {key: rows[key] for key in keys[:100]})
size = (folder / "online-1.sqlite3").stat().st_size
for room in range(0, 60_000, 3_000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + room, resource.RLIM_INFINITY))
    cache.keep("uniprot", "md5", "2026_03", rows)
    assert set(found_in(cache)) == set(keys[:100])
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
cache.keep("uniprot", "md5", "2026_03", rows)
assert found_in(cache) == rows
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
cache = OnlineCache(folder)
cache.keep("uniprot", "md5", "2026_03", {"KEY1": (AnswerState.HIT, "{}")})
clear_cache(folder)
found = cache.find(*question)
print(list(found),
      [kept.proteins for kept in cache_info(folder).online.services])
"""


def fill(folder):
    """Kept yesterday, so that whoever finds it wants to write the day of use."""
    cache = OnlineCache(folder, clock=lambda: time.time() - 86_400)
    cache.keep("uniprot", "md5", "2026_03", {"KEY0": HIT})


@pytest.mark.parametrize("lock", [True, False])
def test_a_folder_that_is_read_only_for_us_is_read_and_nothing_else(open_folder, lock):
    fill(open_folder)
    if not lock:
        (open_folder / LOCK).unlink()
    for path in open_folder.iterdir():
        path.chmod(0o444)
    before = {path.name: path.read_bytes() for path in open_folder.iterdir()}
    open_folder.chmod(0o555)
    assert finish(start(WITHOUT_RIGHTS, open_folder)) == ["['KEY0'] [1]\n"]
    assert {path.name: path.read_bytes() for path in open_folder.iterdir()} == before
    open_folder.chmod(0o755)


def test_a_folder_that_is_closed_to_us_is_no_cache(open_folder):
    fill(open_folder)
    open_folder.chmod(0o000)
    assert finish(start(WITHOUT_RIGHTS, open_folder)) == ["[] []\n"]
    open_folder.chmod(0o755)
    assert OnlineCache(open_folder).find("uniprot", "md5", KEYS, None)
