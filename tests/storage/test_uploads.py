"""An upload while it is received: temporary until it lasts."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys

import pytest

from genint.storage import UploadFile

SYSTEM_CALLS = "openat,write,fsync,fdatasync,rename,renameat,renameat2"
RECEIVE = """
import sys
from pathlib import Path
from genint.storage.uploads import UploadFile
upload = UploadFile(Path(sys.argv[1]), "job.gb")
upload.write(b"LOCUS")
upload.commit()
"""


def test_an_upload_is_not_seen_under_its_name_before_it_is_committed(tmp_path):
    upload = UploadFile(tmp_path, "job.gb")
    upload.write(b"LOCUS")
    assert not (tmp_path / "job.gb").exists()
    assert upload.commit() == upload.name == "job.gb"
    assert [file.name for file in tmp_path.iterdir()] == ["job.gb"]


def test_its_digest_is_that_of_all_that_was_written(tmp_path):
    upload = UploadFile(tmp_path, "job.gb")
    for part in (b"LO", b"", b"CUS"):
        upload.write(part)
    assert upload.sha256 == hashlib.sha256(b"LOCUS").hexdigest()
    upload.discard()


def test_a_discarded_upload_leaves_nothing(tmp_path):
    upload = UploadFile(tmp_path, "job.gb")
    upload.write(b"LOCUS")
    upload.discard()
    upload.discard()
    assert list(tmp_path.iterdir()) == []


def test_discarding_after_the_commit_keeps_the_upload(tmp_path):
    upload = UploadFile(tmp_path, "job.gb")
    upload.commit()
    upload.discard()
    assert (tmp_path / "job.gb").exists()


@pytest.mark.parametrize("end", ["commit", "discard"])
def test_a_closed_upload_takes_nothing_more(tmp_path, end):
    upload = UploadFile(tmp_path, "job.gb")
    getattr(upload, end)()
    for use in (lambda: upload.write(b"more"), upload.commit):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_two_uploads_of_one_name_do_not_mix(tmp_path):
    first = UploadFile(tmp_path, "job.gb")
    with pytest.raises(FileExistsError):
        UploadFile(tmp_path, "job.gb")
    first.discard()


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
def test_content_and_name_are_on_the_disk_in_this_order(tmp_path):
    log = tmp_path / "log"
    folder = tmp_path / "uploads"
    folder.mkdir()
    subprocess.run(
        [
            *("strace", "-f", "-y", "-o", log, "-e", f"trace={SYSTEM_CALLS}"),
            *(sys.executable, "-c", RECEIVE, folder),
        ],
        check=True,
        timeout=60,
    )
    lines = [line for line in log.read_text().splitlines() if str(folder) in line]
    calls = [line.split()[1].partition("(")[0] for line in lines]
    assert calls == ["openat", "write", "fsync", "rename", "openat", "fsync"]
    assert "job.gb.tmp" in lines[2]
    assert f"<{folder}>" in lines[5]
