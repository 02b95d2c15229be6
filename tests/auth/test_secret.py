from __future__ import annotations

import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from genint.auth import FILE_NAME, TokenSigner, load_or_create_secret
from genint.errors import UsageError

PROGRAM = """
import sys
from pathlib import Path
from genint.auth.tokens import load_or_create_secret
sys.stdin.readline()
print(*load_or_create_secret(Path(sys.argv[1])))
"""


def test_the_first_call_makes_a_secret_and_later_ones_read_it(tmp_path):
    folder = tmp_path / "not" / "there"
    secret, is_new = load_or_create_secret(folder)
    assert is_new
    assert load_or_create_secret(folder) == (secret, False)
    assert len(secret) >= 64
    assert TokenSigner(secret, lifetime_s=60)


def test_two_folders_have_two_secrets(tmp_path):
    assert load_or_create_secret(tmp_path / "a") != load_or_create_secret(tmp_path / "b")


def test_only_its_owner_may_read_it_and_nothing_else_is_left(tmp_path):
    folder = tmp_path / "data"
    load_or_create_secret(folder)
    assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [file.name for file in folder.iterdir()] == [FILE_NAME]


def test_permissions_that_were_lost_are_put_right(tmp_path):
    secret, _ = load_or_create_secret(tmp_path)
    (tmp_path / FILE_NAME).chmod(0o644)
    assert load_or_create_secret(tmp_path) == (secret, False)
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


def test_processes_that_start_at_once_get_the_same_secret(tmp_path):
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:  # all are at the line when the first may go
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    told = [process.communicate(timeout=60)[0].split() for process in processes]
    assert len({secret for secret, _ in told}) == 1
    assert sorted(is_new for _, is_new in told) == ["False", "False", "False", "True"]


def test_threads_that_start_at_once_get_the_same_secret(tmp_path):
    for turn in range(20):
        folder = tmp_path / str(turn)
        with ThreadPoolExecutor(8) as threads:
            told = list(threads.map(load_or_create_secret, [folder] * 8))
        assert len({secret for secret, _ in told}) == 1
        assert sum(is_new for _, is_new in told) == 1
        assert [file.name for file in folder.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize("content", [b"", b"\n", b"short", b"x" * 31 + b"\n", b"\xff" * 64])
def test_a_damaged_file_is_named_and_kept_out_of_the_message(tmp_path, content):
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(UsageError, match=r"^GENINT_DATA_DIR: jwt_secret is damaged") as caught:
        load_or_create_secret(tmp_path)
    assert "xxx" not in str(caught.value)


def test_a_folder_that_cannot_be_used_is_one_clear_line(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"^GENINT_DATA_DIR: jwt_secret: "):
        load_or_create_secret(tmp_path / "file" / "below")
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(UsageError, match=r"^GENINT_DATA_DIR: jwt_secret: Is a directory"):
        load_or_create_secret(tmp_path)
