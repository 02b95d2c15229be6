"""An upload while it is received: temporary until it lasts."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from genint.storage import FileStore, UploadFile

SYSTEM_CALLS = "openat,write,fsync,fdatasync,rename,renameat,renameat2"
RECEIVE = """
import asyncio, sys
from pathlib import Path
from genint.storage import FileStore

async def receive(folder):
    upload = FileStore(folder).new_upload("job", ".gb")
    await upload.open()
    await upload.write(b"LOCUS")
    await upload.commit()

asyncio.run(receive(Path(sys.argv[1])))
"""


async def opened(folder: Path) -> UploadFile:
    upload = FileStore(folder).new_upload("job", ".gb")
    await upload.open()
    return upload


async def test_an_upload_is_not_seen_under_its_name_before_it_is_committed(tmp_path):
    upload = await opened(tmp_path)
    await upload.write(b"LOCUS")
    assert not (tmp_path / "uploads" / "job.gb").exists()
    assert await upload.commit() == upload.name == "job.gb"
    assert [file.name for file in (tmp_path / "uploads").iterdir()] == ["job.gb"]


async def test_a_discarded_upload_leaves_nothing(tmp_path):
    upload = await opened(tmp_path)
    await upload.write(b"LOCUS")
    await upload.discard()
    await upload.discard()
    assert list((tmp_path / "uploads").iterdir()) == []


async def test_discarding_after_the_commit_keeps_the_upload(tmp_path):
    upload = await opened(tmp_path)
    await upload.commit()
    await upload.discard()
    assert (tmp_path / "uploads" / "job.gb").exists()


@pytest.mark.parametrize("end", ["commit", "discard"])
async def test_a_closed_upload_takes_nothing_more(tmp_path, end):
    upload = await opened(tmp_path)
    await getattr(upload, end)()
    for use in (lambda: upload.write(b"more"), upload.commit):
        with pytest.raises(ValueError, match="closed"):
            await use()


async def test_two_uploads_of_one_name_do_not_mix(tmp_path):
    first = await opened(tmp_path)
    with pytest.raises(FileExistsError):
        await opened(tmp_path)
    await first.discard()


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
def test_content_and_name_are_on_the_disk_in_this_order(tmp_path):
    log = tmp_path / "log"
    folder = tmp_path / "uploads"
    subprocess.run(
        [
            *("strace", "-f", "-y", "-o", log, "-e", f"trace={SYSTEM_CALLS}"),
            *(sys.executable, "-c", RECEIVE, tmp_path),
        ],
        check=True,
        timeout=60,
    )
    lines = [line for line in log.read_text().splitlines() if str(folder) in line]
    calls = [line.split()[1].partition("(")[0] for line in lines]
    assert calls == ["openat", "write", "openat", "fsync", "rename", "openat", "fsync"]
    assert "job.gb.tmp" in lines[3]
    assert f"<{folder}>" in lines[6]
