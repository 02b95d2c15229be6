from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from genint.databases.download.partial import Origin, PartialFile
from genint.errors import InstallError

MD5 = "0" * 32
ORIGIN = Origin("https://h/x", '"1"', "Wed, 11 Nov 2026 10:00:00 GMT")


def begin(folder: Path, content: bytes, origin: Origin = ORIGIN, md5: str | None = MD5) -> None:
    with PartialFile(folder, "x", md5) as part:
        part.come_from(origin)
        part.append(content)


@pytest.mark.parametrize("md5", [MD5, None])
def test_what_is_there_is_taken_up_with_its_checksums(tmp_path, md5):
    begin(tmp_path, b"one ", md5=md5)
    with PartialFile(tmp_path, "x", md5) as part:
        assert (part.size, part.origin, part.first, part.is_joined) == (4, ORIGIN, b"one ", True)
        part.append(b"two")
        assert part.digests.sha256 == hashlib.sha256(b"one two").hexdigest()
        assert part.digests.md5 == hashlib.md5(b"one two", usedforsecurity=False).hexdigest()
        assert part.finish().read_bytes() == b"one two"
    assert not (tmp_path / "x.part").exists()


def test_a_whole_file_is_taken_up_as_well(tmp_path):
    with PartialFile(tmp_path, "x", MD5) as part:
        part.come_from(ORIGIN)
        part.append(b"all")
        part.finish()
    with PartialFile(tmp_path, "x", MD5) as part:
        assert (part.size, part.origin) == (3, ORIGIN)


@pytest.mark.parametrize("other", ["1" * 32, None])
def test_what_was_begun_for_another_release_is_forgotten(tmp_path, other):
    begin(tmp_path, b"old")
    with PartialFile(tmp_path, "x", other) as part:
        assert (part.size, part.origin) == (0, None)
    assert (tmp_path / "x.part").stat().st_size == 0


def test_without_checksum_only_what_can_be_recognised_is_gone_on_with(tmp_path):
    begin(tmp_path, b"old", Origin("https://h/x"), md5=None)
    with PartialFile(tmp_path, "x", None) as part:
        assert part.size == 0


@pytest.mark.parametrize(
    "state",
    [
        None,
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b"[]",
        b'{"layout": 1}',
        json.dumps({"layout": 2, "expected_md5": MD5, "url": "", "etag": "x"}).encode(),
        json.dumps(
            {"layout": 1, "expected_md5": MD5, "url": 5, "etag": None, "last_modified": None}
        ).encode(),
    ],
)
def test_bytes_of_which_nothing_is_known_are_forgotten(tmp_path, state):
    begin(tmp_path, b"old")
    path = tmp_path / "x.part.json"
    if state is None:
        path.unlink()
    else:
        path.write_bytes(state)
    with PartialFile(tmp_path, "x", MD5) as part:
        assert (part.size, part.origin) == (0, None)


def test_the_origin_is_on_disk_before_the_first_byte(tmp_path):
    with PartialFile(tmp_path, "x", MD5) as part:
        part.come_from(ORIGIN)
        state = json.loads((tmp_path / "x.part.json").read_bytes())
        assert state["url"] == ORIGIN.url
        part.append(b"1")
        assert (tmp_path / "x.part").read_bytes() == b"1"


def test_starting_over_forgets_bytes_and_origin(tmp_path):
    begin(tmp_path, b"old")
    with PartialFile(tmp_path, "x", MD5) as part:
        part.restart()
        assert (part.size, part.origin, part.first, part.is_joined) == (0, None, b"", False)
        part.come_from(ORIGIN)
        part.append(b"new")
        assert not part.is_joined
        assert part.finish().read_bytes() == b"new"


def test_only_strong_etags_and_dates_vouch_for_a_file():
    assert ORIGIN.validator == '"1"'
    assert Origin("u", 'W/"1"', "then").validator == "then"
    assert Origin("u", 'W/"1"').validator is None


@pytest.mark.parametrize("obstacle", ["x.part", "x.part.json", ".x.part.json.new"])
def test_a_folder_that_cannot_be_used_is_one_line(tmp_path, obstacle):
    (tmp_path / obstacle).mkdir()
    with (
        pytest.raises(InstallError, match=r"x cannot be written: [^\n]+$"),
        PartialFile(tmp_path, "x", MD5) as part,
    ):
        part.come_from(ORIGIN)


def test_a_folder_that_is_a_file_is_one_line(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InstallError, match="cannot be written"):
        PartialFile(tmp_path / "file", "x", MD5)
