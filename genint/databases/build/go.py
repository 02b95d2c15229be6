"""Vocabularies of functions: the Gene Ontology with its mappings, and COG's groups.

The ontology is read by a stanza reader of a few lines: of the OBO format only five tags
of terms matter here, each on a line of its own, while the libraries that read all of it
(obonet, pronto) bring a graph library along.
Formats: OBO flat file format 1.4; external2go files of the Gene Ontology; ``readme`` of
COG 2024, files ``cog-24.def.tab`` (group, letters, name, symbol, pathway, PubMed, PDB) and
``cog-24.fun.tab`` (letter first, name last).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from genint.databases.build import (
    Built,
    Report,
    Step,
    malformed,
    quoted,
    text_lines,
    write_table,
)
from genint.databases.checksums import is_plain_release

TERMS = "terms.tsv"
PFAM_TO_GO = "pfam2go.tsv"
INTERPRO_TO_GO = "interpro2go.tsv"

ASPECTS: Final = frozenset({"biological_process", "cellular_component", "molecular_function"})

_ID = re.compile(r"GO:\d{7}")
_OTHER_ID = re.compile(r"(?!GO:)[A-Za-z_]+:\S+")
"""Of a term of another ontology that this one refers to."""
_RELEASE = re.compile(r"(?:.*/)?(\d{4}-\d{2}-\d{2})(?:/.*)?")
_TRAILING = re.compile(r"(?<!\\)\s(?:\{[^{}]*\}\s*)?(?:!.*)?$")
_ESCAPED = re.compile(r"\\(.)")
_MAPPING = re.compile(r"(Pfam|InterPro):((?:PF\d{5,7})|(?:IPR\d{6}))(?:\s.*)? ; (GO:\d{7})\s*")

DEFINITIONS = "definitions.tsv"
CATEGORIES = "categories.tsv"

_COG_GROUP = re.compile(r"COG\d{4,5}")
_COG_LETTER = re.compile(r"[A-Z]")
_LEAST_COG_COLUMNS = 3
_LEAST_CATEGORY_COLUMNS = 2
_COG_SYMBOL = 3


@dataclass(slots=True)
class _Stanza:
    """What was read of a term so far."""

    line: int
    kind: str
    id: str = ""
    name: str = ""
    aspect: str = ""
    other_ids: list[str] = field(default_factory=list)
    is_obsolete: bool = False


@dataclass(frozen=True, slots=True)
class _Ontology:
    """Terms that are not obsolete.

    Attributes:
        release: As the file says; None where it does not.
        terms: Id -> aspect, name.
        main: Other id -> main id.
    """

    release: str | None
    terms: Mapping[str, tuple[str, str]]
    main: Mapping[str, str]


def build_go(sources: Mapping[str, Path], target: Path, progress: Report) -> Built:
    """Write ``terms.tsv``, ``pfam2go.tsv`` and ``interpro2go.tsv``.

    ``terms.tsv`` has id, aspect, name, and main id where the id is an alternative one.
    The mappings have an accession and main ids of terms with spaces between; terms that
    are obsolete or not in the ontology are left out and counted.

    Raises:
        FormatError: a line of the published files cannot be read.
    """
    ontology = _ontology(sources["go-basic.obo"])
    progress(Step("reading terms", len(ontology.terms), len(ontology.terms)))
    write_table(target / TERMS, sorted(_rows(ontology)))
    left_out = 0
    for source, table in (("pfam2go", PFAM_TO_GO), ("interpro2go", INTERPRO_TO_GO)):
        mapping, lost = _mapping(sources[source], ontology)
        left_out += lost
        write_table(target / table, ((key, " ".join(ids)) for key, ids in sorted(mapping.items())))
        progress(Step(f"reading {source}", len(mapping), len(mapping)))
    return Built(len(ontology.terms), ontology.release, (("mappings_to_no_term", str(left_out)),))


def _rows(ontology: _Ontology) -> Iterator[tuple[str, str, str, str]]:
    for term, (aspect, name) in ontology.terms.items():
        yield term, aspect, name, ""
    for other, main in ontology.main.items():
        yield other, *ontology.terms[main], main


def _ontology(file: Path) -> _Ontology:
    release, terms, main = None, dict[str, tuple[str, str]](), dict[str, str]()
    for stanza in _stanzas(file):
        if stanza.kind == "":
            release = stanza.name or None
            if release and not is_plain_release(release):
                raise malformed(file, None, f"{quoted(release)} is no release")
        if stanza.kind != "Term" or stanza.is_obsolete or _OTHER_ID.fullmatch(stanza.id):
            continue
        _check(file, stanza)
        if stanza.id in terms:
            raise malformed(file, stanza.line, f"{stanza.id} appears twice")
        terms[stanza.id] = stanza.aspect, stanza.name
        main.update(dict.fromkeys(stanza.other_ids, stanza.id))
    if not terms:
        raise malformed(file, None, "there is no term in it; this is no ontology")
    return _Ontology(
        release, terms, {other: to for other, to in main.items() if other not in terms}
    )


def _check(file: Path, stanza: _Stanza) -> None:
    if not _ID.fullmatch(stanza.id):
        raise malformed(file, stanza.line, f"{quoted(stanza.id)} is no id of a term")
    if not stanza.name:
        raise malformed(file, stanza.line, f"{stanza.id} has no name")
    if stanza.aspect not in ASPECTS:
        raise malformed(file, stanza.line, f"{stanza.id} has the aspect {quoted(stanza.aspect)}")


def _stanzas(file: Path) -> Iterator[_Stanza]:
    """The header, as a stanza of no kind whose name is the release, and all stanzas."""
    stanza = _Stanza(1, "")
    for number, line in text_lines(file):
        if line.startswith("["):
            yield stanza
            stanza = _Stanza(number, line.strip().strip("[]"))
            continue
        if line.startswith("!"):
            continue
        tag, colon, value = line.partition(":")
        if not colon:
            raise malformed(file, number, f"{quoted(line)} has no tag")
        _take(stanza, tag.strip(), _TRAILING.sub("", value.strip() + " ").strip())
    yield stanza


def _take(stanza: _Stanza, tag: str, value: str) -> None:
    """Note the value of a tag that matters."""
    match stanza.kind, tag:
        case "", "data-version":
            dated = _RELEASE.fullmatch(value)
            stanza.name = dated.group(1) if dated else value
        case "Term", "id":
            stanza.id = value
        case "Term", "name":
            stanza.name = _ESCAPED.sub(r"\1", value)
        case "Term", "namespace":
            stanza.aspect = value
        case "Term", "alt_id":
            stanza.other_ids.append(value)
        case "Term", "is_obsolete":
            stanza.is_obsolete = value == "true"


def _mapping(file: Path, ontology: _Ontology) -> tuple[dict[str, list[str]], int]:
    """Accession -> main ids of terms in the order of the file; how many had no term."""
    mapping, lost = dict[str, list[str]](), 0
    for number, line in text_lines(file):
        if line.startswith("!"):
            continue
        accession, term = _mapped(file, number, line)
        term = ontology.main.get(term, term)
        if term not in ontology.terms:
            lost += 1
        elif term not in (ids := mapping.setdefault(accession, [])):
            ids.append(term)
    if not mapping:
        raise malformed(file, None, "no line of it leads to a term of the ontology")
    return mapping, lost


def _mapped(file: Path, number: int, line: str) -> tuple[str, str]:
    """Accession and term of a line.

    Raises:
        FormatError: it is not as published.
    """
    found = _MAPPING.fullmatch(line)
    wanted = "Pfam" if file.name.startswith("pfam") else "InterPro"
    if not found or found.group(1) != wanted or " > GO:" not in line:
        expected = f"{wanted}:... > GO:name ; GO:0000000"
        raise malformed(file, number, f"{quoted(line)} is not of the form {expected!r}")
    return found.group(2), found.group(3)


def build_cog(sources: Mapping[str, Path], target: Path, progress: Report) -> Built:
    """Write ``definitions.tsv`` (group, letters, name, symbol) and ``categories.tsv``.

    Raises:
        FormatError: a line of the published files cannot be read.
    """
    categories = _categories(sources["cog-24.fun.tab"])
    progress(Step("reading categories", len(categories), len(categories)))
    definitions = _definitions(sources["cog-24.def.tab"], frozenset(categories))
    progress(Step("reading groups", len(definitions), len(definitions)))
    write_table(target / CATEGORIES, sorted(categories.items()))
    entries = write_table(target / DEFINITIONS, sorted(definitions.values()))
    return Built(entries)


def _categories(file: Path) -> dict[str, str]:
    """Letter -> name."""
    names: dict[str, str] = {}
    for number, line in text_lines(file):
        columns = [column.strip() for column in line.split("\t")]
        if line.startswith("#"):
            continue
        if len(columns) < _LEAST_CATEGORY_COLUMNS or not columns[-1]:
            raise malformed(file, number, "a letter and a name are expected, with tabs between")
        if not _COG_LETTER.fullmatch(columns[0]):
            raise malformed(file, number, f"{quoted(columns[0])} is no category's letter")
        if columns[0] in names:
            raise malformed(file, number, f"category {columns[0]} appears twice")
        names[columns[0]] = columns[-1]
    if not names:
        raise malformed(file, None, "there is no category in it")
    return names


def _definitions(file: Path, letters: frozenset[str]) -> dict[str, tuple[str, str, str, str]]:
    """Group -> group, letters, name, symbol."""
    rows: dict[str, tuple[str, str, str, str]] = {}
    for number, line in text_lines(file):
        if line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) < _LEAST_COG_COLUMNS:
            raise malformed(file, number, "a group, letters and a name are expected")
        group, of, name = columns[:_LEAST_COG_COLUMNS]
        if not _COG_GROUP.fullmatch(group):
            raise malformed(file, number, f"{quoted(group)} is no COG id")
        if not of or not letters.issuperset(of):
            raise malformed(file, number, f"{group} has the unknown category {quoted(of)}")
        if not name:
            raise malformed(file, number, f"{group} has no name")
        if group in rows:
            raise malformed(file, number, f"{group} appears twice")
        rows[group] = (group, of, name, columns[_COG_SYMBOL] if len(columns) > _COG_SYMBOL else "")
    if not rows:
        raise malformed(file, None, "there is no group in it")
    return rows
