"""PADLOC-DB: its profiles pressed, a table of their limits, and the definitions of systems.

The published archive is read as a stream; nothing of it is unpacked to a path that it names.
"""

from __future__ import annotations

import dataclasses
import io
import json
import platform
import re
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

import pyhmmer
import yaml
from pyhmmer.plan7 import HMM, HMMFile

from genint.databases.build import Built, Report, Step, malformed, opened, quoted, write_table
from genint.databases.installed import pressed_kind
from genint.knowledge.defence import (
    PRESSED,
    PROFILE_COLUMNS,
    PROFILE_TABLE,
    SYSTEM_TABLE,
    DefenceProfile,
    DefenceSystem,
    parted,
    profile_row,
)
from genint.knowledge.profile_pack import press

ARCHIVE = "padloc-db.tar.gz"
_PROFILES, _SYSTEMS = "hmm_meta.txt", "sys_meta.txt"
_MOST_BYTES = 20_000_000
"""Of a file in the archive; the largest table has half a megabyte, a profile less."""
_RELEASE = re.compile(r"PADLOC-DB release v(\d+(?:\.\d+)+)")
_NOTHING = frozenset({"", "NA"})
_DEFAULTS = ("1e-05", "0.3", "0.3")
"""Limits of a profile that has none, as PADLOC takes them."""
_STRANGERS_ALLOWED = 0.01
"""Share of profiles that the tables and the archive may differ in."""
_REPORT_EVERY = 100
_TRUTHS = {"TRUE": True, "FALSE": False}


class _Member(NamedTuple):
    """A file of the archive: its path without the outermost folder, and its content."""

    path: PurePosixPath
    stream: IO[bytes]

    def content(self, file: Path) -> bytes:
        content = self.stream.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise malformed(file, None, f"{self.path} is too large")
        return content

    def text(self, file: Path) -> str:
        return self.content(file).decode("utf-8", "replace")


def build(sources: Mapping[str, Path], target: Path, progress: Report) -> Built:
    """Press the profiles into ``profiles``; write ``profiles.tsv`` and ``systems.json``.

    Raises:
        FormatError: the archive cannot be read, lacks a table, or its tables and profiles
            are not of one release.

    Cost: 1.5 ms CPU and 60 kB of disk a profile (5,000: 10 s, 0.4 GB).
    """
    archive = sources[ARCHIVE]
    tables = _read_tables(archive)
    progress(Step("reading systems", len(tables.systems), len(tables.systems)))
    pressed: list[DefenceProfile] = []
    strangers = 0

    def known() -> Iterator[HMM]:
        nonlocal strangers
        seen = set[str]()
        for profile in _profiles(archive):
            described = tables.profiles.get(str(profile.name))
            if described is None:
                strangers += 1  # PADLOC takes no notice of them either
                continue
            if described.name in seen:
                raise malformed(archive, None, f"profile {described.name} appears in it twice")
            seen.add(described.name)
            pressed.append(described)
            if len(pressed) % _REPORT_EVERY == 0:
                progress(Step("pressing profiles", len(pressed), len(tables.profiles)))
            yield profile

    press(known(), target / PRESSED)
    _check_complete(archive, len(pressed), strangers, len(tables.profiles))
    write_table(target / PROFILE_TABLE, (PROFILE_COLUMNS, *map(profile_row, pressed)))
    systems = [dataclasses.asdict(system) for system in tables.systems]
    (target / SYSTEM_TABLE).write_text(json.dumps(systems, indent=0) + "\n", "utf-8")
    progress(Step("pressing profiles", len(pressed), len(pressed)))
    return Built(
        len(pressed),
        release=tables.release,
        facts=(
            ("pressed_by", f"pyhmmer {pyhmmer.__version__} {platform.machine()}"),
            ("pressed_kind", pressed_kind()),
            ("profiles", str(len(pressed))),
            ("systems", str(len(systems))),
        ),
    )


def _check_complete(archive: Path, pressed: int, strangers: int, described: int) -> None:
    if not pressed:
        raise malformed(archive, None, f"no profile in it is described by {_PROFILES}")
    missing = described - pressed
    if max(missing, strangers) > _STRANGERS_ALLOWED * described:
        raise malformed(
            archive,
            None,
            f"it lacks {missing:,} of the {described:,} profiles that {_PROFILES} describes, and "
            f"has {strangers:,} that it does not: they are not of one release",
        )


class _Tables(NamedTuple):
    """Profiles by name, systems that are to be searched, and the release that is stated."""

    profiles: Mapping[str, DefenceProfile]
    systems: tuple[DefenceSystem, ...]
    release: str | None


def _read_tables(archive: Path) -> _Tables:
    texts: dict[str, str] = {}
    definitions: dict[str, str] = {}
    for member in _members(archive):
        path = member.path
        if str(path) in {_PROFILES, _SYSTEMS, "RELEASE.md"}:
            texts[str(path)] = member.text(archive)
        elif path.parent.name == "sys" and path.suffix == ".yaml":
            definitions[path.stem] = member.text(archive)
    for name in (_PROFILES, _SYSTEMS):
        if name not in texts:
            raise malformed(archive, None, f"there is no {name} in it")
    release = _RELEASE.search(texts.get("RELEASE.md", ""))
    profiles = [_profile(row, archive) for row in _rows(texts[_PROFILES], _PROFILES, archive)]
    systems = []
    for row in _rows(texts[_SYSTEMS], _SYSTEMS, archive):
        name = row.get("yaml.name", "")
        if row.get("search", "").upper() != "TRUE":
            continue
        if name not in definitions:
            raise malformed(archive, None, f"there is no definition of the system {quoted(name)}")
        systems.append(_system(name, row, definitions[name], archive))
    return _Tables(
        {profile.name: profile for profile in profiles},
        tuple(systems),
        release[1] if release else None,
    )


def _rows(text: str, name: str, archive: Path) -> Iterator[dict[str, str]]:
    """Rows of a table by the names of its columns; NA is empty."""
    header, *lines = text.split("\n")
    columns = header.strip("\ufeff\r").split("\t")
    for number, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        values = [value.strip().strip('"') for value in line.split("\t")]
        if len(values) != len(columns):
            raise malformed(archive, None, f"line {number} of {name} has {len(values)} columns")
        yield {
            column: "" if value in _NOTHING else value
            for column, value in zip(columns, values, strict=True)
        }


def _profile(row: Mapping[str, str], archive: Path) -> DefenceProfile:
    name = row.get("hmm.name", "")
    proteins = parted(row.get("protein.name", "").replace(" ", ""))
    if not name or not proteins:
        raise malformed(archive, None, f"a row of {_PROFILES} names no profile or no protein")
    columns = ("e.val.threshold", "hmm.coverage.threshold", "target.coverage.threshold")
    stated = zip(columns, _DEFAULTS, strict=True)
    try:
        limits = [float(row.get(column) or usual) for column, usual in stated]
    except ValueError as problem:
        raise malformed(archive, None, f"{name} has a limit that is no number") from problem
    return DefenceProfile(
        row.get("hmm.accession") or name,
        name,
        proteins,
        parted(row.get("secondary.name", "").replace(" ", "")),
        row.get("hmm.description", ""),
        *limits,
    )


def _system(name: str, row: Mapping[str, str], text: str, archive: Path) -> DefenceSystem:
    def refused(why: str) -> Exception:
        return malformed(archive, None, f"the definition of {name} {why}")

    try:
        # The base loader makes text of everything: a gene may be called NO or 1e5.
        content = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - makes text only
    except yaml.YAMLError as problem:
        raise refused("is no YAML") from problem
    if not isinstance(content, dict):
        raise refused("is no table")
    core = _names(content.get("core_genes"))
    if not core:
        raise refused("has no core genes")
    try:
        return DefenceSystem(
            id=name,
            title=row.get("system") or name,
            group=row.get("group", ""),
            is_one_strand=_TRUTHS[str(content.get("force_strand", "FALSE")).upper()],
            most_between=int(content["maximum_separation"]),
            least_core=int(content["minimum_core"]),
            least_total=int(content["minimum_total"]),
            core=core,
            secondary=_names(content.get("secondary_genes")),
            neutral=_names(content.get("neutral_genes")),
            prohibited=_names(content.get("prohibited_genes")),
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise refused("lacks a number, or a choice of TRUE or FALSE") from problem


def _names(listed: object) -> tuple[str, ...]:
    """Names of genes of a definition; those that are missing are written NA."""
    items = listed if isinstance(listed, list) else []
    return tuple(item for item in items if isinstance(item, str) and item not in _NOTHING)


def _profiles(archive: Path) -> Iterator[HMM]:
    """All profiles of the folder ``hmm``."""
    for member in _members(archive):
        path = member.path
        if path.parent != PurePosixPath("hmm") or path.suffix != ".hmm":
            continue
        try:
            with HMMFile(io.BytesIO(member.content(archive))) as profiles:
                for profile in profiles:
                    if not profile.alphabet.is_amino():
                        raise malformed(archive, None, f"{path} is not of proteins")
                    yield profile
        except (ValueError, EOFError) as problem:
            # HMMER's own words may end in raw bytes of the file.
            raise malformed(archive, None, f"{path} is no file of HMMER3 profiles") from problem


def _members(archive: Path) -> Iterator[_Member]:
    """Files of the archive, without what operating systems hide in one.

    Raises:
        FormatError: it is none, or cut off.
    """
    with (
        _readable(archive),
        opened(archive) as plain,
        tarfile.open(fileobj=plain, mode="r|") as tar,
    ):
        for member in tar:
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            if not member.isfile() or path.name.startswith("."):
                continue
            stream = tar.extractfile(member)
            if stream is not None:
                yield _Member(path, stream)


@contextmanager
def _readable(archive: Path) -> Iterator[None]:
    try:
        yield
    except tarfile.TarError as problem:
        raise malformed(archive, None, "this is no archive, or it is cut short") from problem
