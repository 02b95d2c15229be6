"""What online services are asked: checksums and identifiers of proteins, never residues."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from genint.model.evidence import GoTerm
from genint.model.genome import Gene, Genome
from genint.model.online import OnlineQuestions, ProteinQuestion
from genint.steps.calling import Called
from genint.steps.equipment import Equipment

_NO_PROTEIN: Final = "the gene has no protein"
_STOPS: Final = "there are stops inside its reading frame"
_MOST_TAXON: Final = 2**31 - 1


def installed_go(equipment: Equipment) -> Mapping[str, tuple[GoTerm, ...]] | None:
    """Terms of InterPro entries, where the Gene Ontology is installed.

    Raises:
        UnavailableError: it is gone.

    Cost: 0.1 s.
    """
    from genint.knowledge.installed_tables import read_interpro2go  # noqa: PLC0415 - lazy

    tables = equipment.installed_tables
    if tables.interpro2go is None or tables.go_terms is None:
        return None
    return read_interpro2go(tables.interpro2go, tables.go_terms)


def questions_of(called: Called) -> OnlineQuestions:
    """Each sequence once, with the identifiers of all genes that have it.

    Candidates that may come to be genes are asked about too: which of them do is settled
    while the services are asked.

    Cost: 0.1 ms a protein.
    """
    from genint.online.checksums import crc64_of, md5_of  # noqa: PLC0415 - lazy
    from genint.online.identifiers import (  # noqa: PLC0415 - lazy
        is_cds_protein,
        is_refseq_protein,
    )

    genes = {} if called.calls is not None else {gene.id: gene for gene in called.annotated.genes}
    md5_of_gene: dict[str, str] = {}
    left_out: dict[str, str] = {}
    residues_of: dict[str, str] = {}
    ids: dict[str, list[str]] = {}
    for gene_id, protein in called.proteins:
        residues = protein.upper().removesuffix("*")
        if not residues or "*" in residues:
            left_out[gene_id] = _STOPS if residues else _NO_PROTEIN
            continue
        md5 = md5_of(residues)
        md5_of_gene[gene_id] = md5
        residues_of.setdefault(md5, residues)
        ids.setdefault(md5, []).extend(_protein_ids(genes.get(gene_id)))
    proteins = tuple(
        ProteinQuestion(
            md5=md5,
            crc64=crc64_of(residues),
            length_aa=len(residues),
            refseq_ids=_matching(is_refseq_protein, ids[md5]),
            cds_ids=_matching(is_cds_protein, ids[md5]),
        )
        for md5, residues in residues_of.items()
    )
    return OnlineQuestions(proteins, _taxon(called.annotated), md5_of_gene, left_out)


def _protein_ids(gene: Gene | None) -> tuple[str, ...]:
    return (gene.protein_id,) if gene is not None and gene.protein_id else ()


def _matching(has_form: Callable[[str], bool], ids: list[str]) -> tuple[str, ...]:
    """Ids that are of a database; whatever else a file calls a protein stays here."""
    return tuple(dict.fromkeys(filter(has_form, ids)))


def _taxon(genome: Genome) -> int | None:
    """The taxon of all records; None where one names none, or they name several."""
    found = {contig.taxon_id for contig in genome.contigs}
    taxon = found.pop() if len(found) == 1 else None
    return taxon if taxon is not None and taxon <= _MOST_TAXON else None
