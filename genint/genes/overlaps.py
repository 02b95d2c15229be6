"""Overlaps of genes: with RNA genes, where no protein is coded, and known ones in phages.

The known ones are older than any statistics of ours, and independent of the bases that these
judge: a frame of the right size at the right place in a gene of the right function is likelier
to be a gene. What each pattern adds is stated in ``genint/knowledge/data/rescue.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from genint.model.genome import Contig, CrisprArray, Gene, RnaGene
from genint.model.interval import Interval
from genint.model.rescue import RescueKind, RescueTerm, StartPlace

MIN_SHARE = 0.5
"""Share of a gene's bases inside RNA genes and CRISPR arrays from which it is none. Of 9,000
annotated genes of five bacteria and five phages none has as much."""
_MIN_SHARE_DOUBTFUL = 0.25
_DOUBTFUL = 0.90
"""The same for calls of which the gene finder itself is less than this sure. All that overlap
tRNA so far in four bacteria have 0.56 to 0.86; two of the annotated genes, hypothetical ones,
are among 0.32 and 0.36."""
_STRONG_KINDS = frozenset({"rRNA"})
"""RNA genes in which no protein is coded whatever a profile says: some families of protein
databases were made from rRNA that was translated by mistake."""
_KINDS = _STRONG_KINDS | {"tRNA", "tmRNA"}
_CLASSES = frozenset({"RNase_P_RNA", "SRP_RNA"})


@dataclass(frozen=True, slots=True)
class _RnaSpan:
    """Where no gene is expected.

    Attributes:
        what: Name and id, for the reason.
        is_strong: Evidence for a protein does not count here.
    """

    interval: Interval
    what: str
    is_strong: bool


def without_genes_in_rna(
    contig: Contig,
    rna_genes: Sequence[RnaGene],
    arrays: Sequence[CrisprArray],
    evidenced: Collection[str],
) -> Contig:
    """A contig without the predicted genes that lie in RNA genes and CRISPR arrays.

    Args:
        contig: With predicted genes; genes of a file never get here.
        rna_genes: Found on it.
        arrays: Found on it.
        evidenced: Ids of genes whose protein a family recognises: they stay, but in rRNA.

    Returns:
        The contig; what is left out goes into ``rejected``, with the reason.

    Cost: O(genes * RNA genes).
    """
    places = _places(rna_genes, arrays)
    kept, rejected = [], []
    for gene in contig.genes:
        shared_bp = [
            gene.span.overlap_on_circle_bp(place.interval, len(contig)) for place in places
        ]
        inside = [place for place, bp in zip(places, shared_bp, strict=True) if bp]
        share = sum(shared_bp) / len(gene.span)
        is_coded = gene.id in evidenced and not any(place.is_strong for place in inside)
        if share < _most(gene) or is_coded:
            kept.append(gene)
        else:
            where = " and ".join(place.what for place in inside)
            share = min(share, 1.0)
            reason = f"{share:.0%} of it lie in {where}, where no protein is coded."
            rejected.append(gene.rejected(reason))
    if not rejected:
        return contig
    near = sorted(
        (*contig.rejected, *rejected), key=lambda frame: (frame.interval, frame.strand, frame.id)
    )
    return replace(contig, genes=tuple(kept), rejected=tuple(near))


def _places(rna_genes: Sequence[RnaGene], arrays: Sequence[CrisprArray]) -> list[_RnaSpan]:
    genes = [
        _RnaSpan(rna.location.span, f"{rna.product} ({rna.id})", rna.kind in _STRONG_KINDS)
        for rna in rna_genes
        if rna.kind in _KINDS or (rna.method and rna.insdc_class in _CLASSES)
    ]
    crispr = [
        _RnaSpan(array.location.span, f"a CRISPR array ({array.id})", is_strong=False)
        for array in arrays
    ]
    return [*genes, *crispr]


def _most(gene: Gene) -> float:
    """Share inside RNA genes from which a call is no gene."""
    is_sure = gene.scores is not None and gene.scores.confidence >= _DOUBTFUL
    return MIN_SHARE if is_sure else _MIN_SHARE_DOUBTFUL


def with_doubts(
    rna_genes: Sequence[RnaGene], contig: Contig, evidenced: Collection[str]
) -> tuple[RnaGene, ...]:
    """RNA genes, with a note on each tRNA that lies in a gene whose protein is known.

    A stretch of a gene folds like a tRNA by chance once in some megabases.

    Args:
        rna_genes: Of the contig.
        contig: With the genes that are there in the end.
        evidenced: Ids of genes whose protein a family recognises.
    """
    known = [gene for gene in contig.genes if gene.id in evidenced]
    return tuple(_doubted(rna, known, len(contig)) for rna in rna_genes)


def _doubted(rna: RnaGene, known: Sequence[Gene], contig_bp: int) -> RnaGene:
    if rna.kind != "tRNA":
        return rna
    span = rna.location.span
    for gene in known:
        if gene.span.overlap_on_circle_bp(span, contig_bp) >= MIN_SHARE * len(span):
            doubt = (
                f"It lies in {gene.id}, whose protein a family recognises: it may be a fold by"
                " chance."
            )
            return replace(rna, note=f"{rna.note} {doubt}" if rna.note else doubt)
    return rna


_LIPOBOX = re.compile(r"[LVIMFAT][ASTVGI][GAS]C")
_MICROVIRUS_A = re.compile(r"\brf replication|rolling.circle replication|viral strand synthesis")
_SIGNAL_AA = 40
"""The lipobox of a lipoprotein ends its signal peptide, which lies within the first residues."""
_ANY = StartPlace.ELSEWHERE
_NESTED = frozenset({RescueKind.NESTED})
_INTERNAL = frozenset({RescueKind.INTERNAL_START})


@dataclass(frozen=True, slots=True)
class Pattern:
    """One known overlap.

    Attributes:
        key: Its name in the table of parameters.
        kinds: How the frame may lie to the host.
        host: What names of the host's families say, lower case.
        least_aa: Least length of the frame's protein.
        most_aa: Greatest one.
        words: For the reasoning chain, with the source.
        lipobox: The protein begins like a lipoprotein.
        place: Where in the host a start inside it lies.
    """

    key: str
    kinds: frozenset[RescueKind]
    host: re.Pattern[str]
    least_aa: int
    most_aa: int
    words: str
    lipobox: bool = False
    place: StartPlace = StartPlace.ELSEWHERE


PATTERNS = (
    Pattern(
        "outer_spanin_in_inner_spanin",
        _NESTED,
        re.compile(r"\bspanin|\brz\b|rz-like|rz1"),
        40,
        130,
        lipobox=True,
        words="a lipoprotein of this size inside an inner spanin, as Rz1 lies in Rz"
        " (doi:10.1016/j.jmb.2007.08.045)",
    ),
    Pattern(
        "lysis_in_external_scaffold",
        _NESTED,
        re.compile(r"external scaffold|scaffolding protein d\b"),
        60,
        120,
        words="of the size of a lysis protein inside the external scaffolding protein, as E lies"
        " in D of phiX174 (doi:10.1038/264034a0)",
    ),
    Pattern(
        "scaffold_in_microvirus_replication",
        _NESTED,
        _MICROVIRUS_A,
        90,
        150,
        words="of the size of an internal scaffolding protein inside the replication protein, as"
        " B lies in A of phiX174 (doi:10.1038/265702a0)",
    ),
    Pattern(
        "lysis_over_levivirus_replicase",
        frozenset({RescueKind.NESTED, RescueKind.OVERLAPPING}),
        re.compile(r"\bcoat protein of levi|levivir\w* (?:coat|replicase)|rna.directed rna poly"),
        30,
        120,
        words="of the size of a lysis protein over the replicase or the coat protein of a"
        " levivirus, as of MS2 (doi:10.1038/295035a0)",
    ),
    Pattern(
        "shorter_microvirus_replication",
        _INTERNAL,
        _MICROVIRUS_A,
        250,
        400,
        words="a strong start inside the replication protein of a microvirus, as of A* in A of"
        " phiX174 (doi:10.1038/265687a0)",
    ),
    Pattern(
        "shorter_primase_helicase",
        _INTERNAL,
        re.compile(r"primase.{0,3}helicase|helicase.{0,3}primase"),
        400,
        560,
        words="a strong start inside a primase and helicase, as of 4B in 4A of T7"
        " (doi:10.1016/S0022-2836(83)80282-4)",
    ),
    Pattern(
        "scaffold_in_head_protease",
        _INTERNAL,
        re.compile(r"(?:head|capsid) (?:maturation )?protease|peptidase s49|s49 family"),
        100,
        260,
        words="the best ATG where scaffolding proteins begin inside the gene of the head"
        " maturation protease, as Nu3 in C of lambda (doi:10.1038/283030a0)",
        place=StartPlace.LATE,
    ),
    Pattern(
        "dual_start_of_holin",
        _INTERNAL,
        re.compile(r"\bholin"),
        40,
        250,
        words="a second start beside that of a holin, as of S107 and S105 of lambda"
        " (Mol Microbiol 1996;21:675)",
        place=StartPlace.DUAL,
    ),
)


def pattern_of(
    kind: RescueKind, protein: str, host_names: Sequence[str], *, place: StartPlace = _ANY
) -> Pattern | None:
    """The known overlap that a frame in a host fits; None where it fits none.

    Args:
        kind: Position of the frame relative to the host.
        protein: Its residues.
        host_names: Names of the families that recognise the host.
        place: Where a start inside the host lies in it.
    """
    for pattern in PATTERNS:
        if kind not in pattern.kinds or not pattern.least_aa <= len(protein) <= pattern.most_aa:
            continue
        if pattern.place is not place:
            continue
        if pattern.lipobox and not _LIPOBOX.search(protein[:_SIGNAL_AA]):
            continue
        if any(pattern.host.search(name.lower()) for name in host_names):
            return pattern
    return None


def pattern_term(
    kind: RescueKind,
    protein: str,
    host_names: Sequence[str],
    stated: Mapping[str, float],
    *,
    place: StartPlace = _ANY,
) -> RescueTerm | None:
    """What the function of the host adds; None where nothing."""
    found = pattern_of(kind, protein, host_names, place=place)
    return None if found is None else RescueTerm(found.words, stated[found.key])
