"""RNA genes and CRISPR arrays become part of the genome."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from genint.genes import naming
from genint.genes.codes import recoded_warnings, with_suppressors
from genint.genes.rna_overlap import with_doubts, without_genes_in_rna
from genint.model.genome import Contig, Genome
from genint.model.rna import FeatureSearch, RnaGene
from genint.rna import SettledRna, crispr, rfam, rrna, settle, trna
from genint.steps.calling import Called
from genint.steps.rna import RnaFindings

_SAME_PLACE = 0.5
_KINDS_OF = {
    trna.WHAT: frozenset({"tRNA", "tmRNA"}),
    rrna.WHAT: frozenset({"rRNA"}),
}


def stems_of(called: Called) -> Mapping[str, str]:
    """Contig -> what the ids of its features begin with."""
    genome = called.annotated
    return {
        contig.id: naming.stem(contig, genome, called.locus_tag_prefix) for contig in genome.contigs
    }


def found_by(
    findings: RnaFindings, settled: Sequence[SettledRna] = ()
) -> tuple[FeatureSearch, ...]:
    """What was searched for, and how many were found."""
    return tuple(
        FeatureSearch(
            searched.what,
            searched.method,
            None if searched.method is None else _number(searched.what, settled),
            searched.reason,
        )
        for searched in findings.searched
    )


def _number(what: str, settled: Sequence[SettledRna]) -> int:
    if what == crispr.WHAT:
        return sum(len(each.crispr_arrays) for each in settled)
    genes = [gene for each in settled for gene in each.rna_genes]
    if what == rfam.WHAT:
        return sum(gene.method is not None and "Rfam" in gene.method for gene in genes)
    kinds = _KINDS_OF[what]
    return sum(
        gene.kind in kinds and not (gene.method is not None and "Rfam" in gene.method)
        for gene in genes
    )


def with_rna(
    genome: Genome,
    findings: RnaFindings,
    stems: Mapping[str, str],
    evidenced: Collection[str],
) -> Genome:
    """A genome of predicted genes with its RNA genes and CRISPR arrays.

    Predicted genes that lie in them are left out; RNA genes that the file has stay, and
    what is found in the same place is not added again.

    Args:
        genome: With predicted genes.
        findings: Of all its contigs, or of none.
        stems: Contig -> what ids begin with.
        evidenced: Genes whose protein a family recognises.

    Cost: O(genes * RNA genes) a contig.
    """
    settled: list[SettledRna] = []
    if findings.searched:
        settled = [
            settle(contig.id, len(contig), stems[contig.id], rna, arrays)
            for contig, rna, arrays in zip(
                genome.contigs, findings.rna, findings.arrays, strict=True
            )
        ]
    contigs = tuple(
        _with_rna(contig, each, evidenced)
        for contig, each in zip(genome.contigs, settled, strict=True)
    ) if settled else genome.contigs  # fmt: skip
    return replace(
        genome,
        contigs=contigs,
        searches=found_by(findings, settled),
        warnings=(*genome.warnings, *recoded_warnings(contigs)),
    )


def _with_rna(contig: Contig, found: SettledRna, evidenced: Collection[str]) -> Contig:
    kept = without_genes_in_rna(contig, found.rna_genes, found.crispr_arrays, evidenced)
    new = [gene for gene in found.rna_genes if not _is_known(gene, contig)]
    genes = (*contig.rna_genes, *with_doubts(new, kept, evidenced))
    placed = tuple(sorted(genes, key=lambda gene: (gene.location.span, gene.id)))
    return with_suppressors(
        replace(kept, rna_genes=placed, crispr_arrays=found.crispr_arrays), found.rna_genes
    )


def _is_known(gene: RnaGene, contig: Contig) -> bool:
    """Whether the file has an RNA gene of that kind in that place."""
    span = gene.location.span
    return any(
        known.kind == gene.kind
        and known.location.strand is gene.location.strand
        and known.location.span.overlap_on_circle_bp(span, len(contig))
        >= _SAME_PLACE * min(len(span), len(known.location.span))
        for known in contig.rna_genes
    )
