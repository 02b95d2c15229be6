"""Genes of other programs -> genes of the genome.

A gene is the same where its record, strand and stop codon are, whatever its start, as for
``genint diff``. Where the file has no places, or calls its records otherwise, a gene is found by
its protein, and where the file has none, by its identifier. Proteins that are known to differ are
never taken for one: "contig_1" is a record of many genomes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from hashlib import md5, sha256
from typing import NamedTuple

from genint.model.genome import Gene, Genome
from genint.model.imported import GeneEnd, ImportedGene, ImportedResults, QueryProteins
from genint.model.interval import Strand

_TAIL_AA = 12
"""Residues before the stop codon by which two translations of one gene are the same protein."""
_ID_QUALIFIERS = ("old_locus_tag", "protein_id", "ID", "standard_name")
_UNIPROT_XREFS = ("UniProtKB/Swiss-Prot:", "UniProtKB/TrEMBL:", "UniProtKB:")


class FoundGene(NamedTuple):
    """A gene of the genome, and what a program says of it."""

    gene: Gene
    imported: ImportedGene


class Matching(NamedTuple):
    """The genes of one file among those of the genome.

    Attributes:
        found: In the order of the file.
        unmatched: Those that match no gene.
    """

    found: tuple[FoundGene, ...]
    unmatched: tuple[ImportedGene, ...]


class GeneIndex(NamedTuple):
    """The genes of a genome by what other programs may know them by.

    Attributes:
        by_end: By record, strand and last base.
        by_md5: By the MD5 of the protein; several where copies are identical.
        by_id: By identifier; None where genes share it.
        records: Id of a record by other names of it: without version, by the digest of its bases.
    """

    by_end: Mapping[GeneEnd, Gene]
    by_md5: Mapping[str, tuple[Gene, ...]]
    by_id: Mapping[str, Gene | None]
    records: Mapping[str, str]

    @classmethod
    def of(cls, genome: Genome) -> GeneIndex:
        """Index the genes of a genome. Cost: 20 us a gene."""
        by_end, by_md5 = {}, defaultdict(list)
        by_id: dict[str, Gene | None] = {}
        records: dict[str, str] = {}
        for contig in genome.contigs:
            names = (contig.id, contig.id.split(".")[0], sha256(contig.bases.encode()).hexdigest())
            for name in names:
                records.setdefault(name, contig.id)
            for gene in contig.genes:
                first, last = gene.span.one_based(len(contig))
                base = last if gene.strand is Strand.FORWARD else first
                by_end[GeneEnd(contig.id, gene.strand, base)] = gene
                if gene.protein:
                    by_md5[_md5(gene.protein)].append(gene)
                for name in _ids(gene):
                    by_id[name] = gene if by_id.get(name, gene) is gene else None
        return cls(by_end, {key: tuple(genes) for key, genes in by_md5.items()}, by_id, records)


def _md5(protein: str) -> str:
    return md5(protein.upper().removesuffix("*").encode(), usedforsecurity=False).hexdigest()


def _ids(gene: Gene) -> frozenset[str]:
    """All that a gene goes by; of references to databases those to UniProt."""
    stated = (gene.id, gene.locus_tag, gene.new_tag, gene.protein_id)
    listed = (value for name in _ID_QUALIFIERS for value in gene.values(name))
    entries = (
        value.removeprefix(prefix)
        for value in gene.values("db_xref")
        for prefix in _UNIPROT_XREFS
        if value.startswith(prefix)
    )
    return frozenset(filter(None, (*stated, *listed, *entries)))


def match_genes(
    results: ImportedResults, index: GeneIndex, queries: Iterable[QueryProteins] = ()
) -> Matching:
    """Find the genes of a file among those of the genome.

    Args:
        results: Of another program.
        index: Of the genome.
        queries: Proteins that the program may have been given, for files that name them only.

    Cost: 5 us a gene.
    """
    records = dict(_renamed(results, index))
    residues = {name: one for query in queries for name, one in query.residues.items()}
    found: list[FoundGene] = []
    unmatched: list[ImportedGene] = []
    for imported in results.genes:
        genes = _genes_of(imported, index, records, residues)
        found.extend(FoundGene(gene, imported) for gene in genes)
        if not genes:
            unmatched.append(imported)
    return Matching(tuple(found), tuple(unmatched))


def _renamed(results: ImportedResults, index: GeneIndex) -> Iterator[tuple[str, str]]:
    """By the file's name of a record, ours: by its bases where it has them, else by name."""
    for record in results.records:
        own = index.records.get(record.digest) if record.digest else None
        if own is None and not record.digest:
            own = next((index.records[one] for one in record.ids if one in index.records), None)
        if own is not None:
            yield from ((name, own) for name in record.ids)


def _genes_of(
    imported: ImportedGene,
    index: GeneIndex,
    records: Mapping[str, str],
    residues: Mapping[str, str],
) -> tuple[Gene, ...]:
    """The genes that a gene of another program is."""
    end = imported.end
    if end is not None:
        record = records.get(end.record) or _by_name(end.record, index)
        if record is not None:
            gene = index.by_end.get(end._replace(record=record))
            if gene is not None and _may_be_one(gene.protein, imported.protein):
                return (gene,)
            return ()
    queried = (residues[name] for name in imported.ids if name in residues)
    protein = imported.protein or next(queried, "")
    known = imported.md5 or (_md5(protein) if protein else "")
    if known in index.by_md5:
        return index.by_md5[known]
    named = (index.by_id.get(each) for name in imported.ids for each in (name, *name.split("|")))
    gene = next((one for one in named if one is not None), None)
    if gene is None or (known and not (protein and _may_be_one(gene.protein, protein))):
        return ()
    return (gene,)


def _by_name(record: str, index: GeneIndex) -> str | None:
    return index.records.get(record) or index.records.get(record.split(".", maxsplit=1)[0])


def _may_be_one(ours: str, theirs: str) -> bool:
    """Whether two proteins end alike; True where one is not known."""
    if not ours or not theirs:
        return True
    tail = min(_TAIL_AA, len(ours), len(theirs))
    return ours[-tail:].upper() == theirs.removesuffix("*")[-tail:].upper()
