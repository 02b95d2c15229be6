"""What a version of a database consists of: ``manifest.json``, written last.

A folder without a readable manifest is no database, whatever else is in it. A checksum,
the SHA-256 of its content, shows that it was not changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeVar, get_type_hints

from genint.errors import InstallError
from genint.files import write_whole

MANIFEST = "manifest.json"
MANIFEST_FORMAT = 2
SOURCE_FOLDER = "source"
"""Where a version keeps the files that were downloaded, so that it can be built anew."""

_LIMIT_BYTES = 4_000_000
_DIGEST_HEX = 64
_CHECKSUM = "seal"
_Record = TypeVar("_Record", "SourceFile", "BuiltFile")


class SourceFile(NamedTuple):
    """A file that was downloaded.

    Attributes:
        name: As published, without folder.
        url: Where it was had from, without credentials.
        size_bytes: Its size.
        md5: Of its content, hex; empty where it is not known.
        sha256: Of its content, hex.
    """

    name: str
    url: str
    size_bytes: int
    md5: str
    sha256: str


class BuiltFile(NamedTuple):
    """A file that was made of the downloads.

    Attributes:
        path: Below the folder of the version, with ``/``.
        size_bytes: Its size.
        sha256: Of its content, hex.
    """

    path: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that is known of an installed version.

    Attributes:
        name: Of the database: ``pfam``.
        release: As its makers call it.
        released: Its date as published; empty where unknown.
        licence: Under which it may be used.
        citation: What to cite.
        entries: Families, proteins or terms.
        facts: What else the build found, sorted by name.
        sources: What was downloaded.
        built: What was made of it.
        genint: Version that built it.
        installed_at: UTC, ISO 8601.
        format: Of this file and of what is built.
    """

    name: str
    release: str
    released: str
    licence: str
    citation: str
    entries: int
    facts: tuple[tuple[str, str], ...]
    sources: tuple[SourceFile, ...]
    built: tuple[BuiltFile, ...]
    genint: str
    installed_at: str
    format: int = MANIFEST_FORMAT

    @property
    def digest(self) -> str:
        """SHA-256 over what was built, hex: equal if and only if the content is."""
        lines = sorted(f"{file.sha256} {file.path}\n" for file in self.built)
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def size_bytes(self) -> int:
        """Of everything built and downloaded."""
        built = sum(file.size_bytes for file in self.built)
        return built + sum(file.size_bytes for file in self.sources)


class UnreadableManifest(InstallError):
    """A manifest is missing, damaged or of another format.

    Attributes:
        reason: In words that follow the name of a database.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write it whole and have it on the disk."""
    content: dict[str, object] = {"format": manifest.format, **asdict(manifest)}
    content["facts"] = dict(manifest.facts)
    content["sources"] = [file._asdict() for file in manifest.sources]
    content["built"] = [file._asdict() for file in manifest.built]
    content[_CHECKSUM] = _checksum(content)
    write_whole(folder / MANIFEST, (json.dumps(content, indent=1) + "\n").encode())


def read_manifest(folder: Path) -> Manifest:
    """Read and check it.

    Raises:
        UnreadableManifest: it is missing, damaged, or of another format.
    """
    try:
        with (folder / MANIFEST).open("rb") as stream:
            content = stream.read(_LIMIT_BYTES)
    except OSError as problem:
        raise UnreadableManifest(f"its {MANIFEST} cannot be read") from problem
    try:
        return _parsed(json.loads(content))
    except (ValueError, KeyError, TypeError, RecursionError) as problem:
        raise UnreadableManifest(f"its {MANIFEST} is damaged") from problem


def _checksum(content: Mapping[str, object]) -> str:
    """SHA-256 of what a manifest says, hex, whatever its formatting."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _parsed(content: Any) -> Manifest:
    found = content["format"]
    if not isinstance(found, int):
        raise TypeError("format")
    if found != MANIFEST_FORMAT:
        age = "an older" if found < MANIFEST_FORMAT else "a newer"
        raise UnreadableManifest(f"it was built by {age} genint, in a format that is not read here")
    if content.pop(_CHECKSUM) != _checksum(content):
        raise ValueError("a checksum that does not fit")
    facts = {name: _text(value) for name, value in _of_type(content["facts"], dict).items()}
    values = {
        name: _of_type(content[name], kind)
        for name, kind in get_type_hints(Manifest).items()
        if kind in {int, str}
    }
    manifest = Manifest(
        **values,
        facts=tuple(sorted(facts.items())),
        sources=tuple(record(SourceFile, item) for item in content["sources"]),
        built=tuple(record(BuiltFile, item) for item in content["built"]),
    )
    if manifest.entries < 1:
        raise ValueError("no entries")
    for file in manifest.built:
        _check_inside(file.path)
    for source in manifest.sources:
        _check_inside(source.name)
    return manifest


def record(kind: type[_Record], item: Mapping[str, object]) -> _Record:
    """A record of a JSON file.

    Raises:
        KeyError, TypeError, ValueError: it is not one.
    """
    values = {name: _of_type(item[name], of) for name, of in get_type_hints(kind).items()}
    if len(values["sha256"]) != _DIGEST_HEX or values["size_bytes"] < 0:
        raise ValueError("a checksum or size that cannot be")
    return kind(**values)


def _of_type(value: object, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{kind.__name__} expected")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("text expected")
    return value


def _check_inside(path: str) -> None:
    """Refuse what would lead out of the folder."""
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or not parts.parts or "\0" in path:
        raise ValueError("a path that leads elsewhere")
