"""Products that ribosomes make by slipping into another frame, flagged beside the genes.

They are never genes of their own, and the genes that they run through stay as they are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from genint.genes.frameshift_sites import (
    Slip,
    backward_slips,
    leader_slip,
    product_bases,
    product_location,
    site_of,
)
from genint.model.evidence import ProfileHit, SimilarityHit
from genint.model.genome import Contig, Gene, Genome, Topology
from genint.model.interval import Strand
from genint.model.rescue import AlternativeProduct
from genint.model.sequence import translate_cds

if TYPE_CHECKING:
    from genint.knowledge.catalogue import Knowledge


class SlipKind(StrEnum):
    """A kind of protein that slipping ribosomes make, or that lies beside such genes."""

    CHAPERONE = "tail assembly chaperone"
    TAPE = "tape measure protein"
    TAIL = "tail protein"
    CAPSID = "major capsid protein"
    TRANSPOSASE = "transposase"
    UNBROKEN = "transposase of one reading frame"
    """Of families of insertion sequences that are not known to slip."""
    DNAX = "DNA polymerase III subunit tau"
    RELEASE_FACTOR = "peptide chain release factor 1 or 2"


_FIBER = r"fib(?:er|re)"
_PATTERNS: Mapping[SlipKind, tuple[re.Pattern[str], re.Pattern[str] | None]] = {
    SlipKind.CHAPERONE: (
        re.compile(r"\b(?:tail|tape ?-?measure)\b.*\bchaperone|tail assembly protein gt?\b"),
        re.compile(_FIBER + "|base ?plate|sheath"),
    ),
    SlipKind.TAPE: (
        re.compile(r"tape ?-?measure|tail length"),
        re.compile("chaperone|base ?plate"),
    ),
    SlipKind.TAIL: (
        re.compile(r"\btail\b"),
        re.compile(_FIBER + r"|spike|sheath|tub(?:e|ular)|terminator|completion|major|specific"),
    ),
    SlipKind.CAPSID: (
        re.compile(r"major (?:capsid|head|coat) protein|\bcapsid protein 10|^capsid protein"),
        re.compile("scaffold|protease|portal"),
    ),
    SlipKind.TRANSPOSASE: (
        re.compile(r"transposase|insertion (?:sequence|element)|integrase core|\binse\d?\b"),
        re.compile("site-specific|tyrosine"),
    ),
    SlipKind.UNBROKEN: (
        re.compile(r"\bis(?:4|5|21|30|66|110|200|256|605|607|982|1182|1380|1634)\b"),
        None,
    ),
    SlipKind.DNAX: (re.compile(r"dna polymerase iii\b.*\b(?:gamma|tau)\b|\bdnax\b"), None),
    SlipKind.RELEASE_FACTOR: (
        re.compile(r"peptide chain release factor|\bprfb\b|\bpcrf\b"),
        re.compile(r"methyltransferase|hydrolase|factor (?:rf-?)?3|arfb"),
    ),
}
NO_KINDS: frozenset[SlipKind] = frozenset()


@lru_cache(maxsize=4096)
def slip_kinds_of(name: str) -> frozenset[SlipKind]:
    """Which of the kinds a product or family name denotes.

    Cost: some 10 microseconds.
    """
    lowered = name.lower()
    return frozenset(
        kind
        for kind, (pattern, excluded) in _PATTERNS.items()
        if pattern.search(lowered) and not (excluded and excluded.search(lowered))
    )


def slip_kinds_by_gene(
    profiles: Iterable[ProfileHit], similar: Iterable[SimilarityHit], knowledge: Knowledge
) -> Mapping[str, frozenset[SlipKind]]:
    """The kinds that the hits of each gene name; genes without any are left out.

    Args:
        profiles: Hits of profile searches; those below their family's threshold play no part.
        similar: Hits of similarity searches.
        knowledge: What families are called.

    Cost: 10 microseconds for every family and entry that was hit, 1 for every hit.
    """
    found: defaultdict[str, frozenset[SlipKind]] = defaultdict(frozenset)
    for hit in profiles:
        if hit.score_bits >= hit.threshold_bits:
            found[hit.gene_id] |= slip_kinds_of(family_name(hit.accession, knowledge))
    for near in similar:
        found[near.gene_id] |= slip_kinds_of(f"{near.entry.name} {near.entry.symbol}")
    return {gene_id: kinds for gene_id, kinds in found.items() if kinds}


def family_name(accession: str, knowledge: Knowledge) -> str:
    """Name of a family of genint's own or of Pfam, with its symbol or short name."""
    if accession in knowledge.own_families:
        own = knowledge.own_families[accession]
        return f"{own.name} {own.symbol or ''}"
    if accession in knowledge.families:
        family = knowledge.families[accession]
        return f"{family.description} {family.name}"
    return ""


_TO_END_BP = 90
"""Bases left of the gene behind the slip: 3 to 21 at the tail genes known here, 18 to 66 in
insertion sequences."""
_MIN_GAIN_BP = 30
"""Bases by which the product outruns the gene: 155 to 419 at the tail genes known here."""
_LARGE_AA = 500
_TO_TAPE_BP = range(-60, 601)
"""From the end of the product to the start of the tape measure gene: -11 to 384 seen."""
_COUPLED_BP = (1, 4)
"""Overlaps by which the stop of a gene holds the start of the next (TAATG, ATGA): the next
gene then needs no slip. T7 10B shows that it may be there all the same: so capsids are excepted."""
_TRANSPOSASE_SITES = frozenset({"AAAAAAG", "AAAAAAC"})
"""IS2, IS150, IS1296 and IS1. AAAAAAA is left out: none was right, and AT-rich genes have it by
chance (3 in the shuffled bacteria below)."""
_DNAX_SITE = "AAAAAAG"
_DNAX_SHARE = (0.5, 0.85)
_DNAX_TAIL_BP = 30
"""The short product of dnaX (gamma) ends behind the slip, one codon later in E. coli, at 66 % of
the gene (Tsuchihashi, Kornberg 1990, doi 10.1073/pnas.87.7.2516)."""
_CAPSID_SITE = "GGTTTTC"
_CAPSID_GAIN_BP = 90


class JudgedSlip(NamedTuple):
    """A slip that a rule takes.

    Attributes:
        gene: In which ribosomes slip.
        joined: The called gene in whose frame they go on; None where it is not called.
        probability: That the product is made, 0..1.
        reason: In plain words.
    """

    gene: Gene
    joined: Gene | None
    slip: Slip
    probability: float
    reason: str


class Rule(NamedTuple):
    """How sure one pattern is, and what it rests on."""

    probability: float
    reason: str


NAMED = Rule(
    0.9,
    "protein families know a tail assembly chaperone here and the tape measure gene follows,"
    " the order in which tailed phages make a second chaperone by slipping (lambda G and GT)",
)
TAIL = Rule(
    0.8,
    "a tail protein in front of the tape measure gene, the order in which tailed phages make"
    " a second tail assembly chaperone by slipping (lambda G and GT)",
)
PLACE = Rule(
    0.45,
    "by its place alone: in front of the tape measure gene, where tailed phages make a second"
    " tail assembly chaperone by slipping (lambda G and GT)",
)
NAMED_ALONE = Rule(
    0.4,
    "protein families know a tail assembly chaperone here, but no tape measure gene is"
    " recognised behind it",
)
LARGE = Rule(
    0.3,
    "a tail protein in front of the longest gene, which may be the tape measure gene: the order"
    " in which tailed phages make a second tail assembly chaperone by slipping",
)
TRANSPOSASE = Rule(
    0.9, "insertion sequences join their two reading frames in this way to make the transposase"
)
DNAX = Rule(
    0.9,
    "dnaX makes the gamma subunit of DNA polymerase III in this way: the frame that is entered"
    " stops at once, so the product is shorter than the gene's (tau)",
)
RELEASE = Rule(
    0.95,
    "release factor 2 is made in this way: its leader ends in the stop codon TGA, which it reads"
    " itself, and is read into the gene where release is slow",
)
CAPSID = Rule(0.4, "gene 10 of T7 makes its minor capsid protein (10B) at the same bases")
REPORTED_FROM = 0.2
"""Probability from which a product is flagged."""
# Genes predicted, families as shipped; then the codons of every gene shuffled ten times over
# (three times in bacteria), hits and neighbours kept. Phages: lambda, DE3, L5, T7, B3, SO-1,
# 201.16, K, SAOMS1, VT2-Sakai, Apostate, SMA6, phiX174, crAss ct6IQ4, a recoded one, 100
# microviruses (1.7 Mb). Bacteria: E. coli K-12, a piece of E. coli B, M. mycoides twice,
# S. pyogenes, B. quintana, Syn3A (11 Mb).
#
#     rule               flagged                                             shuffled, each time
#     NAMED              2: L5 (annotated), 201.16 (TTTTTTG, as in P2)       0.1
#     TAIL               2: lambda and DE3 (G and GT)                        0.1
#     PLACE              2: SO-1 and a prophage of E. coli, neither          0.4
#                        annotated, both open for 100 codons without a start
#     NAMED_ALONE        0                                                   0.2
#     LARGE              0                                                   0
#     TRANSPOSASE        40: 16 of the 18 annotated as slipping, 14 of IS1,  1.7
#                        IS2, IS150 in E. coli; the rest are IS1 of E. coli B,
#                        broken copies of IS1296, IS3-like ones of S. pyogenes
#     DNAX               1: E. coli                                          0
#     RELEASE            2: release factors 2; no release factor 1           leaders kept
#     CAPSID             1: T7 10B                                           0
#
# With counts so small the probabilities are round: what the literature knows of the place, taken
# down by the shuffled share. Missed: IS3 itself (5 copies in E. coli), the -2 slip of phages like
# Mu (B3), T7 0.6 and 5.5, the second chaperone of phages like K, whose bases are unknown. A stem
# or ribosome binding site behind the heptamer was not needed to tell these from chance.


def judged_slips(contig: Contig, kinds: Mapping[str, frozenset[SlipKind]]) -> Iterator[JudgedSlip]:
    """The programmed changes of frame on a contig, by the position of their genes.

    Args:
        contig: With its final genes, by position.
        kinds: Those that hits name, by gene.

    Cost: 1 microsecond for a gene, 50 where it or a neighbour is of a kind that slips.
    """
    view = _View(contig, kinds)
    for place, gene in enumerate(contig.genes):
        if not _is_plain(gene):
            continue
        best = max(
            _of_gene(view, place, gene),
            key=lambda judged: (judged.probability, judged.slip.at),
            default=None,
        )
        if best is not None and best.probability >= REPORTED_FROM:
            yield best


def _is_plain(gene: Gene) -> bool:
    """Whole and in one part."""
    location = gene.location
    return len(location.parts) == 1 and not (location.partial_5 or location.partial_3)


class _View:
    """A contig's genes, indexed by their stops."""

    def __init__(self, contig: Contig, kinds: Mapping[str, frozenset[SlipKind]]) -> None:
        self.contig = contig
        self._kinds = kinds
        self._by_stop = {self._stop(gene, len(gene.location)): gene for gene in contig.genes}
        self._longest = max(contig.genes, key=lambda gene: len(gene.protein), default=None)

    def kinds(self, gene: Gene | None) -> frozenset[SlipKind]:
        """The kinds that hits of a gene name."""
        return NO_KINDS if gene is None else self._kinds.get(gene.id, NO_KINDS)

    def is_large(self, gene: Gene) -> bool:
        """The longest gene, and long enough to measure a tail."""
        return gene is self._longest and len(gene.protein) >= _LARGE_AA

    def following(self, place: int, count: int = 2) -> list[Gene]:
        """The next genes as transcribed, as far as they lie on the same strand."""
        genes = self.contig.genes
        step = int(genes[place].strand)
        is_circle = self.contig.topology is Topology.CIRCULAR
        found: list[Gene] = []
        for ahead in range(1, min(count, len(genes) - 1) + 1):
            at = place + step * ahead
            if not is_circle and not 0 <= at < len(genes):
                break
            gene = genes[at % len(genes)]
            if gene.strand is not genes[place].strand:
                break
            found.append(gene)
        return found

    def joined(self, gene: Gene, slip: Slip) -> Gene | None:
        """The called gene that ends where the product of a slip ends."""
        return self._by_stop.get(self._stop(gene, slip.end))

    def ahead_bp(self, gene: Gene, other: Gene) -> int:
        """Bases from the first base of a gene to that of another, as transcribed.

        Between minus and plus half the contig on a circle.
        """
        if gene.strand is Strand.FORWARD:
            ahead_bp = other.span.start - gene.span.start
        else:
            ahead_bp = gene.span.end - other.span.end
        if self.contig.topology is Topology.CIRCULAR:
            half_bp = len(self.contig) // 2
            ahead_bp = (ahead_bp + half_bp) % len(self.contig) - half_bp
        return ahead_bp

    def _stop(self, gene: Gene, bp: int) -> tuple[int, Strand]:
        """Place behind the base ``bp`` of a gene as transcribed, and its strand."""
        forward = gene.strand is Strand.FORWARD
        at = gene.span.start + bp if forward else gene.span.end - bp
        return at % len(self.contig), gene.strand


def _of_gene(view: _View, place: int, gene: Gene) -> Iterator[JudgedSlip]:
    """Every slip that a rule takes for one gene."""
    kinds = view.kinds(gene)
    following = view.following(place)
    if SlipKind.RELEASE_FACTOR in kinds:
        slip = leader_slip(view.contig, gene)
        if slip is not None:
            yield JudgedSlip(gene, gene, slip, *RELEASE)
    ahead = [view.kinds(other) for other in following]
    if not kinds & _SLIPPING and not any(_may_be_next(view, other) for other in following):
        return
    for slip in backward_slips(view.contig, gene):
        rule = _rule(view, gene, slip, following, ahead)
        if rule is not None:
            yield JudgedSlip(gene, view.joined(gene, slip), slip, *rule)


_SLIPPING = frozenset({SlipKind.CHAPERONE, SlipKind.TRANSPOSASE, SlipKind.DNAX, SlipKind.CAPSID})


def _may_be_next(view: _View, gene: Gene) -> bool:
    """Genes in front of this one are examined."""
    return bool(view.kinds(gene) & {SlipKind.TAPE, SlipKind.TRANSPOSASE}) or view.is_large(gene)


def _rule(
    view: _View, gene: Gene, slip: Slip, following: list[Gene], ahead: list[frozenset[SlipKind]]
) -> Rule | None:
    """The rule that takes a -1 slip; None where none does."""
    kinds = view.kinds(gene)
    if SlipKind.DNAX in kinds:
        return DNAX if _is_of_dnax(gene, slip) else None
    left_bp, gain_bp = len(gene.location) - slip.left, slip.end - len(gene.location)
    if SlipKind.CAPSID in kinds:
        close = slip.heptamer == _CAPSID_SITE and left_bp <= _TO_END_BP
        return CAPSID if close and gain_bp >= _CAPSID_GAIN_BP else None
    if left_bp > _TO_END_BP or gain_bp < _MIN_GAIN_BP:
        return None
    joined = view.joined(gene, slip)
    if SlipKind.TRANSPOSASE in view.kinds(joined):
        return _transposase_rule(kinds | view.kinds(joined), slip)
    return _tail_rule(view, gene, slip, following)


def _is_of_dnax(gene: Gene, slip: Slip) -> bool:
    low, high = _DNAX_SHARE
    share = slip.left / len(gene.location)
    return (
        slip.heptamer == _DNAX_SITE
        and low <= share <= high
        and slip.end - slip.left <= _DNAX_TAIL_BP
    )


def _transposase_rule(kinds: frozenset[SlipKind], slip: Slip) -> Rule | None:
    if SlipKind.UNBROKEN in kinds:
        return None
    return TRANSPOSASE if slip.heptamer in _TRANSPOSASE_SITES else None


def _tail_rule(view: _View, gene: Gene, slip: Slip, following: list[Gene]) -> Rule | None:
    """The rule for a gene that may be the first of two tail assembly chaperones."""
    joined, kinds = view.joined(gene, slip), view.kinds(gene)
    if SlipKind.TAPE in kinds or slip.heptamer == _CAPSID_SITE or _is_coupled(view, gene, joined):
        return None
    named = SlipKind.CHAPERONE in kinds | view.kinds(joined)
    behind = [
        other
        for other in following
        if other is not joined and view.ahead_bp(gene, other) - slip.end in _TO_TAPE_BP
    ]
    if any(SlipKind.TAPE in view.kinds(other) for other in behind):
        if named:
            return NAMED
        return TAIL if SlipKind.TAIL in kinds else PLACE
    if named:
        return NAMED_ALONE
    if SlipKind.TAIL in kinds and any(view.is_large(other) for other in behind):
        return LARGE
    return None


def _is_coupled(view: _View, gene: Gene, joined: Gene | None) -> bool:
    """The gene that a slip would lead to starts in the stop codon of the first."""
    if joined is None:
        return False
    return len(gene.location) - view.ahead_bp(gene, joined) in _COUPLED_BP


def with_alternative_products(
    genome: Genome,
    profiles: Iterable[ProfileHit],
    similar: Iterable[SimilarityHit],
    knowledge: Knowledge,
) -> Genome:
    """Give every contig the products of programmed changes of frame.

    Looked for are the second tail assembly chaperone of tailed phages, the minor capsid
    protein of T7 and its like, the transposases of insertion sequences, dnaX (all -1) and
    release factor 2 (+1). A probability of 0.5 and more requires a gene that protein
    families know; place and bases alone stay below.

    Args:
        genome: With its final genes, predicted ones.
        profiles: Hits of profile searches.
        similar: Hits of similarity searches.
        knowledge: What families are called.

    Cost: lambda 2 ms, E. coli 60 ms.
    """
    kinds = slip_kinds_by_gene(profiles, similar, knowledge)
    contigs = (
        replace(c, alternative_products=tuple(_product(c, one) for one in judged_slips(c, kinds)))
        for c in genome.contigs
    )
    return replace(genome, contigs=tuple(contigs))


def _product(contig: Contig, judged: JudgedSlip) -> AlternativeProduct:
    gene, slip = judged.gene, judged.slip
    bases = product_bases(contig, gene, slip)
    return AlternativeProduct(
        id=f"{gene.id}_fs",
        gene_id=gene.id,
        joined_id=None if judged.joined is None else judged.joined.id,
        contig=contig.id,
        location=product_location(contig, gene, slip),
        protein=translate_cds(bases, gene.translation_table),
        shift=slip.shift,
        heptamer=slip.heptamer,
        site=site_of(contig, gene, slip),
        probability=judged.probability,
        reason=_reason(judged),
    )


def _reason(judged: JudgedSlip) -> str:
    slip, gene = judged.slip, judged.gene
    back = "back" if slip.shift < 0 else "on"
    joined = judged.joined
    if joined is gene:
        where = f"into the frame of {gene.id} from the leader in front of it"
    elif joined is not None:
        where = f"from {gene.id} into the frame of {joined.id}"
    else:
        where = f"from {gene.id} into an open frame without a gene"
    return (
        f"Ribosomes may slip one base {back} at {slip.heptamer}, {where}: {judged.reason}."
        f" Probability {judged.probability:.2f}."
    )
