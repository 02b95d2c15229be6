"""Results of Bakta: the JSON file of a run.

Bakta names a gene after the most exact thing that it finds: a curated system for one kind of
gene, a protein of the same sequence, a cluster of UniRef at 90 %, one at 50 %.

Source: Bakta's documentation of its JSON file, and files that versions 1.4 to 1.11 wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from genint.errors import FormatError
from genint.formats.imported.json_values import listed, mapping, real, text, whole
from genint.model.evidence import Measurements, ProfileHit
from genint.model.imported import (
    GeneEnd,
    ImportedGene,
    ImportedName,
    ImportedRecord,
    NamedBy,
)
from genint.model.interval import Strand

_CODING: Final = frozenset({"cds", "sorf"})
_STRANDS: Final = {"+": Strand.FORWARD, "-": Strand.REVERSE}
_CLUSTER: Final = re.compile(r"UniRef(?:100|90|50)_(\w+)")
_UNIPARC: Final = "UPI"
_EC: Final = re.compile(r"EC:(\d+\.(?:\d+|-)\.(?:\d+|-)\.(?:n?\d+|-))")
_COG_LETTER: Final = re.compile(r"COG:([A-Z])")
_PFAM: Final = re.compile(r"(PF\d{5})(?:\.\d+)?")


def is_bakta(content: Mapping[str, Any]) -> bool:
    """Whether the content of a JSON file is of Bakta."""
    return isinstance(content.get("features"), list) and "genome" in content


def versions_of(content: Mapping[str, Any]) -> tuple[str, str]:
    """Version of Bakta, and name and version of its database; empty where not stated."""
    version = mapping(content.get("version"))
    database = mapping(version.get("db"))
    told = " ".join(filter(None, (text(database, "version"), text(database, "type"))))
    return text(version, "bakta"), f"Bakta database {told}" if told else ""


def records_of(content: Mapping[str, Any]) -> tuple[ImportedRecord, ...]:
    """Records, by the names that Bakta gave them and those that they had."""
    return tuple(
        ImportedRecord(
            _ids(one, ("id", "orig_id", "simple_id", "name")),
            sha256(bases.upper().encode()).hexdigest() if bases else "",
        )
        for one in map(mapping, listed(content, "sequences"))
        for bases in (text(one, "sequence", "nt"),)
    )


def genes_of(content: Mapping[str, Any], source: str) -> tuple[ImportedGene, ...]:
    """Coding genes, and the small ones that Bakta finds by comparison.

    Raises:
        FormatError: a gene has no place.
    """
    numbered = enumerate(listed(content, "features"), 1)
    return tuple(
        _gene(mapping(one), f"feature {number}", source)
        for number, one in numbered
        if text(mapping(one), "type") in _CODING
    )


def _gene(one: Mapping[str, Any], which: str, source: str) -> ImportedGene:
    ids = _ids(one, ("locus", "locus_tag", "id"))
    protein = text(one, "aa", "sequence_aa").upper().removesuffix("*")
    return ImportedGene(
        ids=ids,
        end=_end(one, ids[0] if ids else which, source),
        protein=protein,
        md5=text(one, "aa_hexdigest").lower(),
        name=_name(one),
        domains=tuple(_domains(one, len(protein))),
    )


def _end(one: Mapping[str, Any], which: str, source: str) -> GeneEnd:
    record = text(one, "sequence", "contig")
    strand = _STRANDS.get(text(one, "strand"))
    start, stop = whole(one, "start"), whole(one, "stop")
    if not record or strand is None or start is None or stop is None:
        raise FormatError(
            source=source,
            line=None,
            reason=f"gene {which[:60]} has no record, strand, start and stop",
            cure="give the file <prefix>.json as Bakta wrote it",
        )
    return GeneEnd(record, strand, stop if strand is Strand.FORWARD else start)


def _name(one: Mapping[str, Any]) -> ImportedName | None:
    product = text(one, "product")
    if not product or one.get("hypothetical") is True:
        return None
    references = tuple(str(each) for each in listed(one, "db_xrefs"))
    by, accession, measured = _named_by(one)
    ec = (found[1] for each in references if (found := _EC.fullmatch(each)))
    cog = (found[1] for each in references if (found := _COG_LETTER.fullmatch(each)))
    return ImportedName(
        text=product,
        by=by,
        accession=accession,
        origin=f"uniref:{accession}" if accession.startswith("UniRef") else "",
        symbol=text(one, "gene"),
        ec=tuple(dict.fromkeys(ec)),
        cog=next(cog, ""),
        proteins=tuple(_proteins(references)),
        measured=measured,
    )


def _named_by(one: Mapping[str, Any]) -> tuple[NamedBy, str, Measurements]:
    """What a product comes from, its accession, and the figures of the comparison."""
    cluster, wide = mapping(one.get("psc")), mapping(one.get("pscc"))
    # Bakta's own order: what an expert system decided replaces all else, then the narrower cluster.
    if experts := [mapping(each) for each in listed(one, "expert")]:
        return NamedBy.EXPERT, text(experts[0], "id"), Measurements()
    if text(cluster, "product"):
        of_cluster = text(cluster, "uniref90_id")
        if one.get("ups") or one.get("ips"):
            same = text(mapping(one.get("ips")), "uniref100_id") or of_cluster
            return NamedBy.SAME_PROTEIN, same, Measurements()
        return NamedBy.CLUSTER_90, of_cluster, _figures(cluster)
    return NamedBy.CLUSTER_50, text(wide, "uniref50_id"), _figures(cluster or wide)


def _figures(found: Mapping[str, Any]) -> Measurements:
    return Measurements(
        evalue=real(found, "evalue"),
        score_bits=real(found, "score"),
        protein_coverage=real(found, "query_cov"),
        target_coverage=real(found, "subject_cov"),
        identity=real(found, "identity"),
    )


def _proteins(references: Iterable[str]) -> Iterable[str]:
    """Accessions of UniProt that represent the clusters."""
    for each in references:
        found = _CLUSTER.search(each)
        if found and not found[1].startswith(_UNIPARC):
            yield found[1]


def _domains(one: Mapping[str, Any], length_aa: int) -> Iterable[ProfileHit]:
    """Families of Pfam, which Bakta looks for in genes that it cannot name."""
    for hit in map(mapping, listed(one, "pfams")):
        found = _PFAM.fullmatch(text(hit, "id", "accession"))
        first, last = real(hit, "start"), real(hit, "stop")
        evalue, bits, covered = (real(hit, key) for key in ("evalue", "score", "hmm_cov"))
        if found is None or None in (first, last, evalue, bits, covered):
            continue
        place = (int(first or 0), int(last or 0))
        share = (place[1] - place[0] + 1) / max(length_aa, 1)
        yield ProfileHit(
            "", found[1], evalue or 0.0, bits or 0.0, 0.0, *place, min(share, 1.0), covered or 0.0
        )


def _ids(one: Mapping[str, Any], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (text(one, key) for key in keys))))
