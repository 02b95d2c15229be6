"""Rfam: covariance models of the families of bacteria, archaea and phages, and a table of them.

Format: ``Rfam.cm.gz`` has the models as text, each followed by the profile that filters for
it; ``family.txt.gz``, ``family_ncbi.txt.gz`` and ``taxonomy.txt.gz`` are tables of Rfam's
database as MySQL dumps them (tabs between columns, a backslash in front of tabs and line
ends in a value); a line of ``Rfam.clanin`` has a clan and the names of its families.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from genint.databases.build import (
    Built,
    Report,
    Step,
    malformed,
    opened,
    quoted,
    text_lines,
    write_table,
)
from genint.errors import InstallError

BLOCKS = "blocks"
FAMILIES = "families.tsv"
COLUMNS = ("accession", "name", "length", "gathering_bits", "type", "clan", "description")
BLOCK_FAMILIES: Final = 25
"""Families of a block: what a worker searches at a time, some 8 s on a genome of 5 Mb."""

_LEFT_OUT = (
    "Gene; tRNA",
    "Gene; rRNA",
    "Gene; CRISPR",
    "Gene; miRNA",
    "Gene; snRNA",
    "Gene; lncRNA",
    "Cis-reg; IRES",
)
"""Types that other searches know better (the first three) or that only eukaryotes and their
viruses have."""
_PROKARYOTES = ("Bacteria", "Archaea")
_PHAGE_TAXA = frozenset(
    """Caudoviricetes Caudovirales Microviridae Inoviridae Tubulavirales Leviviricetes
    Leviviridae Cystoviridae Tectiviridae Tectiliviricetes Corticoviridae Plasmaviridae
    Fuselloviridae Rudiviridae Lipothrixviridae Siphoviridae Myoviridae Podoviridae""".split()
)
_TYPE = re.compile(r"(?:Gene|Cis-reg|Intron);.*")
_ACCESSION = re.compile(r"RF\d{5}")
_LEAST_COLUMNS = 4
_REPORT_EVERY = 200
_STRANGERS_ALLOWED = 0.01
"""Share of models that the table of families may not know; more, and the files are of
different releases."""
_MODEL, _FILTER, _END = b"INFERNAL1/a", b"HMMER3/f", b"//"
_LARGEST_MODEL = 50_000_000
"""Bytes. The longest family, of 3,700 positions, has some 3 MB."""


class _Described(NamedTuple):
    """A family as Rfam's table has it."""

    name: str
    description: str
    type: str


class _Model(NamedTuple):
    """A covariance model as text, and what its header says."""

    accession: str
    name: str
    length: str
    gathering_bits: str
    text: bytes


def build(sources: Mapping[str, Path], target: Path, progress: Report) -> Built:
    """Write models in ``blocks/`` and ``families.tsv``.

    Raises:
        FormatError: a published file cannot be read, a model has no gathering threshold,
            or the files are not of one release.
        InstallError: the library that reads models is not there.

    Cost: 5 ms CPU and 80 kB of disk a family; memory of one block.
    """
    described = _families(sources["family.txt.gz"])
    clans = _clans(sources["Rfam.clanin"])
    living = _of_prokaryotes(sources)
    progress(Step("reading families", len(described), len(described)))
    wanted = {
        accession
        for accession, family in described.items()
        if not family.type.startswith(_LEFT_OUT) and (living is None or accession in living)
    }
    (target / BLOCKS).mkdir()
    rows: list[tuple[str, ...]] = []
    block: list[_Model] = []
    blocks = read = strangers = 0
    for model in _models(sources["Rfam.cm.gz"]):
        read += 1
        strangers += model.accession not in described
        if read % _REPORT_EVERY == 0:
            progress(Step("reading models", read, len(described)))
        if model.accession not in wanted:
            continue
        block.append(model)
        rows.append(_row(model, described[model.accession], clans))
        if len(block) == BLOCK_FAMILIES:
            _write_block(target / BLOCKS / f"{blocks:03}.cm", block)
            block, blocks = [], blocks + 1
    if block:
        _write_block(target / BLOCKS / f"{blocks:03}.cm", block)
        blocks += 1
    _check_complete(sources["Rfam.cm.gz"], read, strangers, len(described))
    write_table(target / FAMILIES, (COLUMNS, *rows))
    progress(Step("reading models", read, read))
    chosen_by = "type" if living is None else "type and taxa"
    return Built(
        len(rows),
        facts=(("blocks", str(blocks)), ("chosen_by", chosen_by), ("families", str(read))),
    )


def _row(model: _Model, described: _Described, clans: Mapping[str, str]) -> tuple[str, ...]:
    return (
        model.accession,
        model.name,
        model.length,
        model.gathering_bits,
        described.type,
        clans.get(described.name, ""),
        described.description,
    )


def _check_complete(file: Path, read: int, strangers: int, described: int) -> None:
    """Refuse files that are not of one release, or cut off between two models.

    Raises:
        FormatError: they are.
    """
    if not read:
        raise malformed(file, None, "there is no model in it")
    missing = described - (read - strangers)
    if max(missing, strangers) > _STRANGERS_ALLOWED * described:
        raise malformed(
            file,
            None,
            f"it has {read:,} models, {strangers:,} of them unknown to family.txt.gz, which "
            f"describes {described:,} families: they are not of one release",
        )


def _write_block(file: Path, models: list[_Model]) -> None:
    """Write models, and read them back.

    Raises:
        FormatError: Infernal cannot read one.
        InstallError: there is no library that could.
    """
    try:
        from pyinfernal.cm import CMFile  # noqa: PLC0415 - not there on every platform
    except ImportError as problem:
        raise InstallError(
            "Rfam needs the library pyinfernal, which is not installed (pip install pyinfernal)"
        ) from problem
    file.write_bytes(b"".join(model.text for model in models))
    try:
        with CMFile(str(file), db=False) as stream:
            read = [str(model.accession) for model in stream]
    except (ValueError, EOFError) as problem:
        names = f"{models[0].accession} to {models[-1].accession}"
        raise malformed(file, None, f"Infernal cannot read a model of {names}") from problem
    if read != [model.accession for model in models]:
        raise malformed(file, None, "Infernal reads other models than were written")


def _models(file: Path) -> Iterator[_Model]:
    """Models of a file as a stream, each checked.

    Raises:
        FormatError: it is none, or cut off.
    """
    seen = set[str]()
    with opened(file) as stream:
        for text in _records(stream, file):
            model = _model(text, file)
            if model.accession in seen:
                raise malformed(file, None, f"model {model.accession} appears in it twice")
            seen.add(model.accession)
            yield model


def _records(stream: BinaryIO, file: Path) -> Iterator[bytes]:
    """The text of each model with the filter behind it."""
    lines: list[bytes] = []
    size = ends = 0
    for number, line in enumerate(stream, start=1):
        if not lines and not line.startswith(_MODEL):
            if not line.strip():
                continue
            raise malformed(file, number, "a covariance model of Infernal 1.1 is expected here")
        if ends == 1 and line.startswith(_MODEL):
            raise malformed(file, number, "the model in front has no filter profile")
        lines.append(line)
        size += len(line)
        if size > _LARGEST_MODEL:
            raise malformed(file, number, "a model does not end")
        if line.rstrip() == _END:
            ends += 1
        if ends == len((_MODEL, _FILTER)):
            yield b"".join(lines)
            lines, size, ends = [], 0, 0
    if lines:
        raise malformed(file, None, "the last model is cut short")


def _model(text: bytes, file: Path) -> _Model:
    header = text.split(b"\nCM\n", 1)[0].decode("utf-8", "replace")
    fields = dict(
        (name, value.strip())
        for name, _, value in (line.partition(" ") for line in header.splitlines())
    )
    accession = fields.get("ACC", "")
    if not _ACCESSION.fullmatch(accession):
        raise malformed(file, None, f"{quoted(accession)} is no accession of Rfam")
    try:
        gathering = f"{float(fields['GA']):.2f}"
        length = str(int(fields["CLEN"]))
        name = fields["NAME"]
    except (KeyError, ValueError) as problem:
        raise malformed(
            file, None, f"model {accession} has no gathering threshold, length or name"
        ) from problem
    return _Model(accession, name, length, gathering, text)


def _families(file: Path) -> dict[str, _Described]:
    """Accession -> family, of the table ``family``."""
    families = {}
    for number, columns in _dumped(file):
        if len(columns) < _LEAST_COLUMNS or not _ACCESSION.fullmatch(columns[0]):
            raise malformed(file, number, "an accession, a name and a description are expected")
        # The column of the type moved between releases; nothing else looks like it.
        kind = next((c for c in columns[_LEAST_COLUMNS:] if _TYPE.fullmatch(c)), None)
        if kind is None:
            raise malformed(file, number, f"family {columns[0]} has no type")
        families[columns[0]] = _Described(columns[1], columns[3], kind)
    if not families:
        raise malformed(file, None, "there is no family in it")
    return families


def _dumped(file: Path) -> Iterator[tuple[int, list[str]]]:
    """Rows of a table that MySQL dumped."""
    waiting = ""
    for number, line in text_lines(file):
        row = waiting + line
        if len(row) - len(row.rstrip("\\")) & 1:
            waiting = row[:-1] + " "  # the value goes on in the next line
            continue
        waiting = ""
        cells = re.split(r"(?<!\\)\t", row)
        yield number, [" ".join(re.sub(r"\\(.)", r"\1", cell).split()) for cell in cells]


def _clans(file: Path) -> dict[str, str]:
    """Name of a family -> accession of its clan."""
    clans = {}
    for number, line in text_lines(file):
        clan, *names = line.split()
        if not names:
            raise malformed(file, number, f"clan {quoted(clan)} has no families")
        clans.update(dict.fromkeys(names, clan))
    return clans


def _of_prokaryotes(sources: Mapping[str, Path]) -> frozenset[str] | None:
    """Families with a member in bacteria, archaea or phages; None where that is not known."""
    members, taxonomy = sources.get("family_ncbi.txt.gz"), sources.get("taxonomy.txt.gz")
    if members is None or taxonomy is None:
        return None
    taxa = {
        columns[0]
        for _, columns in _dumped(taxonomy)
        if len(columns) >= _LEAST_COLUMNS - 1 and _is_prokaryotic(columns[2])
    }
    found = frozenset(
        columns[-1] for _, columns in _dumped(members) if columns and columns[0] in taxa
    )
    return found or None


def _is_prokaryotic(lineage: str) -> bool:
    names = {name.strip(" .") for name in lineage.split(";")}
    return not names.isdisjoint(_PROKARYOTES) or not names.isdisjoint(_PHAGE_TAXA)
