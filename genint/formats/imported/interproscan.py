"""Results of InterProScan 5 and 6: tables (TSV) and JSON.

Collections are called as the file calls them; :func:`genint.knowledge.interpro_names.library_of`
brings their names together. The table has no types of entries and no places on the models, so that
its signatures claim parts of the protein only; the JSON file has both.

Source: the documentation of InterProScan (output formats), and files of versions 5.26 to 6.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from genint.formats.imported.json_values import listed, mapping, real, text, whole
from genint.formats.imported.tables import Row, broken, rows_of
from genint.model.evidence import GoTerm
from genint.model.imported import ImportedGene
from genint.model.online import InterProEntry, InterProMatch, MatchPlace
from genint.model.vocabulary import GoAspect

COLUMNS: Final = (
    "protein",
    "md5",
    "length",
    "analysis",
    "accession",
    "description",
    "start",
    "stop",
    "evalue",
    "status",
    "date",
    "entry",
    "entry description",
    "GO",
    "pathways",
)
_MD5: Final = re.compile(r"[0-9a-f]{32}", re.IGNORECASE)
_FEWEST: Final = 11
_GO: Final = re.compile(r"GO:\d{7}")
_BETWEEN: Final = re.compile(r"[\s_-]+")
_ASPECTS: Final = {
    "MOLECULAR_FUNCTION": GoAspect.FUNCTION,
    "BIOLOGICAL_PROCESS": GoAspect.PROCESS,
    "CELLULAR_COMPONENT": GoAspect.COMPONENT,
}


def is_row(line: str) -> bool:
    """Whether a line is a row of the table, which has no header."""
    fields = line.split("\t")
    return len(fields) >= _FEWEST and _MD5.fullmatch(fields[1]) is not None


def read_table(content: str, source: str) -> tuple[ImportedGene, ...]:
    """One gene for each protein.

    Raises:
        FormatError: a row is damaged.
    """
    found: dict[str, tuple[str, dict[tuple[str, str], InterProMatch]]] = {}
    for row in rows_of(content, source, columns=COLUMNS):
        if not _MD5.fullmatch(row.fields["md5"].strip()):
            raise row.fault(f"column 2 holds {row.fields['md5'][:40]!r}, which is no MD5")
        match = _match_of(row)
        of_protein = found.setdefault(row.text("protein"), (row.text("md5").lower(), {}))[1]
        before = of_protein.setdefault((match.library, match.accession), match)
        if before is not match:  # a further place of the same signature
            joined = replace(before, places=(*before.places, *match.places))
            of_protein[match.library, match.accession] = joined
    return tuple(
        ImportedGene((name,), md5=md5, matches=tuple(matches.values()))
        for name, (md5, matches) in found.items()
    )


def _match_of(row: Row) -> InterProMatch:
    title, accession = row.text("analysis"), row.text("accession")
    if not accession:
        raise row.fault("has no signature")
    entry = row.text("entry")
    place = MatchPlace(row.whole("start"), row.whole("stop"), evalue=row.real("evalue"))
    return InterProMatch(
        accession=accession,
        library=_BETWEEN.sub("", title.lower()),
        library_title=title,
        description=row.text("description"),
        entry=InterProEntry(entry, "", row.text("entry description")) if entry else None,
        evalue=row.real("evalue"),
        places=(place,),
    )


def is_interproscan(content: Mapping[str, Any]) -> bool:
    """Whether the content of a JSON file is of InterProScan."""
    return "interproscan-version" in content


def version_of(content: Mapping[str, Any]) -> str:
    """Version of the program; of version 6 with that of InterPro behind it."""
    told = (content.get("interproscan-version"), content.get("interpro-version"))
    return "-".join(str(one) for one in told if one)


def genes_of(content: Mapping[str, Any], source: str) -> tuple[ImportedGene, ...]:
    """One gene for each protein of a JSON file.

    Raises:
        FormatError: it holds no list of results, or a result is not one.
    """
    results = content.get("results")
    if not isinstance(results, list):
        raise broken(source, None, "holds no list of results")
    found: list[ImportedGene] = []
    for number, one in enumerate(results, 1):
        if not isinstance(one, dict):
            raise broken(source, None, f"result {number} is no protein")
        found.extend(_genes(one, f"result {number}", source))
    return tuple(found)


def _genes(one: Mapping[str, Any], which: str, source: str) -> Iterator[ImportedGene]:
    """A protein; of a nucleotide sequence the proteins of its open frames."""
    if frames := listed(one, "openReadingFrames"):
        for frame in filter(None, map(mapping, frames)):
            yield from _genes(mapping(frame.get("protein")), which, source)
        return
    names = (mapping(each) for each in listed(one, "xref"))
    ids = (name.get("id") for name in names)
    matches = one.get("matches")
    if not isinstance(matches, list):
        raise broken(source, None, f"{which} has no list of matches")
    yield ImportedGene(
        ids=tuple(str(each) for each in ids if each),
        protein=text(one, "sequence").upper().removesuffix("*"),
        md5=text(one, "md5").lower(),
        matches=tuple(match for each in matches if (match := _match(mapping(each))) is not None),
    )


def _match(one: Mapping[str, Any]) -> InterProMatch | None:
    signature = mapping(one.get("signature"))
    release = mapping(signature.get("signatureLibraryRelease"))
    entry = mapping(signature.get("entry"))
    accession, title = text(signature, "accession"), text(release, "library")
    if not accession or not title:
        return None
    places = (_place(mapping(each)) for each in listed(one, "locations"))
    return InterProMatch(
        accession=accession,
        library=_BETWEEN.sub("", title.lower()),
        library_title=title,
        library_version=text(release, "version"),
        name=text(signature, "name"),
        description=text(signature, "description"),
        type=_type(signature),
        entry=_entry(entry),
        evalue=real(one, "evalue"),
        score_bits=real(one, "score"),
        places=tuple(place for place in places if place is not None),
    )


def _entry(entry: Mapping[str, Any]) -> InterProEntry | None:
    accession = text(entry, "accession")
    if not accession:
        return None
    return InterProEntry(accession, text(entry, "name"), text(entry, "description"), _type(entry))


def _type(one: Mapping[str, Any]) -> str:
    return _BETWEEN.sub("_", text(one, "type").lower())


def _place(one: Mapping[str, Any]) -> MatchPlace | None:
    start, end = whole(one, "start"), whole(one, "end")
    if start is None or end is None or not 0 < start <= end:
        return None
    first, last, length = (whole(one, key) for key in ("hmmStart", "hmmEnd", "hmmLength"))
    return MatchPlace(start, end, first, last, length, real(one, "evalue"), real(one, "score"))


def go_of(content: Mapping[str, Any]) -> dict[str, tuple[GoTerm, ...]]:
    """GO terms of the entries of a JSON file, by accession."""
    found: dict[str, tuple[GoTerm, ...]] = {}
    for one in map(mapping, listed(content, "results")):
        for match in map(mapping, listed(one, "matches")):
            entry = mapping(mapping(match.get("signature")).get("entry"))
            accession = text(entry, "accession")
            terms = (_term(mapping(each)) for each in listed(entry, "goXRefs"))
            if accession:
                found[accession] = tuple(term for term in terms if term is not None)
    return {accession: terms for accession, terms in found.items() if terms}


def _term(one: Mapping[str, Any]) -> GoTerm | None:
    id_ = text(one, "identifier", "id")
    if not _GO.fullmatch(id_):
        return None
    return GoTerm(id_, text(one, "name"), _ASPECTS.get(text(one, "category").upper()))
