"""What a version says about itself."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from genint.databases.manifest import (
    MANIFEST,
    BuiltFile,
    Manifest,
    SourceFile,
    UnreadableManifest,
    read_manifest,
    write_manifest,
)

WHOLE = Manifest(
    name="cog",
    release="2024",
    released="",
    licence="public domain",
    citation="Somebody 2025",
    entries=3,
    facts=(("colour", "blue"),),
    sources=(SourceFile("a.tab", "https://example.org/a.tab", 5, "0" * 32, "1" * 64),),
    built=(BuiltFile("x/b.tsv", 7, "2" * 64), BuiltFile("c.tsv", 0, "3" * 64)),
    genint="1.0",
    installed_at="2026-06-15T10:00:00+00:00",
)


def test_what_is_written_is_read(tmp_path):
    write_manifest(tmp_path, WHOLE)
    assert read_manifest(tmp_path) == WHOLE


def test_nothing_but_the_manifest_is_left_behind(tmp_path):
    write_manifest(tmp_path, WHOLE)
    assert [path.name for path in tmp_path.iterdir()] == [MANIFEST]


def test_the_digest_is_that_of_the_content_alone():
    other = replace(WHOLE, installed_at="later", release="2025", built=WHOLE.built[::-1])
    assert other.digest == WHOLE.digest
    changed = (WHOLE.built[0], BuiltFile("c.tsv", 0, "4" * 64))
    assert replace(WHOLE, built=changed).digest != WHOLE.digest
    renamed = (WHOLE.built[0], BuiltFile("d.tsv", 0, "3" * 64))
    assert replace(WHOLE, built=renamed).digest != WHOLE.digest


@pytest.mark.parametrize(("found", "age"), [(0, "an older"), (1, "an older"), (3, "a newer")])
def test_another_format_is_refused_by_name(tmp_path, found, age):
    write_manifest(tmp_path, replace(WHOLE, format=found))
    with pytest.raises(UnreadableManifest, match=f"built by {age} genint"):
        read_manifest(tmp_path)


def test_a_missing_manifest_is_said(tmp_path):
    with pytest.raises(UnreadableManifest, match="cannot be read"):
        read_manifest(tmp_path)


def test_a_manifest_that_is_cut_anywhere_is_refused(tmp_path):
    write_manifest(tmp_path, WHOLE)
    whole = (tmp_path / MANIFEST).read_bytes()
    for length in range(len(whole) - 1):
        (tmp_path / MANIFEST).write_bytes(whole[:length])
        with pytest.raises(UnreadableManifest):
            read_manifest(tmp_path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "1"),
        ("format", None),
        ("entries", "3"),
        ("entries", 3.5),
        ("entries", True),
        ("release", 2024),
        ("facts", ["colour"]),
        ("facts", {"colour": 1}),
        ("built", {"path": "x"}),
        ("built", [{"path": "x"}]),
        ("built", [{"path": "../x", "size_bytes": 1, "sha256": "2" * 64}]),
        ("built", [{"path": "/etc/passwd", "size_bytes": 1, "sha256": "2" * 64}]),
        ("built", [{"path": "a\0b", "size_bytes": 1, "sha256": "2" * 64}]),
        ("built", [{"path": "", "size_bytes": 1, "sha256": "2" * 64}]),
        ("built", [{"path": "x", "size_bytes": -1, "sha256": "2" * 64}]),
        ("built", [{"path": "x", "size_bytes": 1, "sha256": "2"}]),
        ("sources", [None]),
        ("entries", 0),
    ],
)
def test_a_wrong_value_is_refused(tmp_path, key, value):
    write_manifest(tmp_path, WHOLE)
    content = json.loads((tmp_path / MANIFEST).read_bytes()) | {key: value}
    put_sealed(tmp_path, content)
    with pytest.raises(UnreadableManifest, match="damaged"):
        read_manifest(tmp_path)


def put_sealed(folder, content) -> None:
    """Write what fits its seal, so that nothing but a value is wrong."""
    content.pop("seal")
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    seal = hashlib.sha256(canonical.encode()).hexdigest()
    (folder / MANIFEST).write_text(json.dumps(content | {"seal": seal}))


def test_a_manifest_that_is_laid_out_otherwise_is_the_same(tmp_path):
    write_manifest(tmp_path, WHOLE)
    put_sealed(tmp_path, json.loads((tmp_path / MANIFEST).read_bytes()))
    assert read_manifest(tmp_path) == WHOLE


def test_no_flipped_bit_goes_unseen(tmp_path):
    write_manifest(tmp_path, WHOLE)
    whole = (tmp_path / MANIFEST).read_bytes()
    for bit in range(8 * len(whole)):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        (tmp_path / MANIFEST).write_bytes(changed)
        with pytest.raises(UnreadableManifest):
            read_manifest(tmp_path)


def test_a_manifest_without_its_seal_is_refused(tmp_path):
    write_manifest(tmp_path, WHOLE)
    content = json.loads((tmp_path / MANIFEST).read_bytes())
    del content["seal"]
    (tmp_path / MANIFEST).write_text(json.dumps(content))
    with pytest.raises(UnreadableManifest, match="damaged"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("content", [b"[]", b"1", b"\xff\xfe", b"[" * 100_000, b"null"])
def test_what_is_no_manifest_is_refused(tmp_path, content):
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(UnreadableManifest, match="damaged"):
        read_manifest(tmp_path)
