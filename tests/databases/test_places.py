"""Names of versions, and content put in place whole."""

from __future__ import annotations

import pytest

from genint.databases.layout import CURRENT, current_version, tree_size, version_name, versions
from genint.files import write_whole

DIGEST = "0123456789abcdef"


@pytest.mark.parametrize(
    ("release", "name"),
    [
        ("38.0", "38.0-01234567"),
        ("2026_03", "2026_03-01234567"),
        ("releases/2026-06-15", "releases_2026-06-15-01234567"),
        ("../../etc", "etc-01234567"),
        ("a b\nc", "a_b_c-01234567"),
        ("", "unknown-01234567"),
        ("..", "unknown-01234567"),
        ("x" * 300, "x" * 60 + "-01234567"),
    ],
)
def test_whatever_a_release_is_called_its_folder_stays_in_its_place(tmp_path, release, name):
    assert version_name(release, DIGEST) == name
    (tmp_path / "pfam" / name).mkdir(parents=True)
    (tmp_path / "pfam" / CURRENT).write_text(f"{name}\n")
    assert current_version(tmp_path, "pfam") == tmp_path / "pfam" / name
    assert versions(tmp_path, "pfam") == (tmp_path / "pfam" / name,)


def test_work_and_strangers_are_no_versions(tmp_path):
    for name in (".work", "notes", "38.0-0123456"):
        (tmp_path / "pfam" / name).mkdir(parents=True)
    (tmp_path / "pfam" / "38.0-01234567").write_text("a file")
    assert versions(tmp_path, "pfam") == ()


def test_content_takes_the_place_of_older_content_and_leaves_nothing_beside(tmp_path):
    write_whole(tmp_path / "file", b"old")
    write_whole(tmp_path / "file", b"new one")
    assert (tmp_path / "file").read_bytes() == b"new one"
    assert tree_size(tmp_path) == 7
    assert tree_size(tmp_path / "missing") == 0
