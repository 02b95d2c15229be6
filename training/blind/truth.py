"""What records say, what programs tell, and how the two are held against each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from genint.knowledge.name_comparison import Verdict, compare_names, is_informative
from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import ProductVocabulary
from genint.model.genome import Genome, Qualifier, Topology
from genint.model.interval import Interval, Strand

_IN_PROPHAGE = Qualifier("is_phage", "1")


class Place(NamedTuple):
    """Where a gene ends, which is what makes two calls one gene.

    Attributes:
        contig: Number of the contig in the file, from 0.
        stop: Position of the last base's outer edge, 0-based, modulo a circle's length.
        strand: 1 or -1.
    """

    contig: int
    stop: int
    strand: int


class TrueGene(NamedTuple):
    """A gene of the record."""

    place: Place
    id: str
    product: str
    informative: bool
    residues: str
    in_prophage: bool = False
    """Whether the record marks it as a prophage's (``/is_phage="1"``)."""


class FamilyStrength(NamedTuple):
    """What stands behind the family that a name came from."""

    id: str
    consensus: float
    named_members: int
    margin_bits: float


class Claim(StrEnum):
    """What a told name is said of."""

    WHOLE = "whole"
    """The protein."""
    CLASS = "class"
    """No more than the class that the protein is of."""
    DOMAIN = "domain"
    """A domain in the protein."""


class ToldGene(NamedTuple):
    """A gene as a program tells it; name empty where it gives none.

    Attributes:
        claim: What the name is said of.
        level: Confidence as the program words it, or empty.
        score: The program's own, 0..1; None where it has none.
        source: Where the name comes from, as the program words it.
        family: What stands behind a name that is of one of genint's own families.
        span: Where the gene lies; None where the program does not say.
        cog: COG letter, or empty.
        types: Independent types of evidence that agree on the name; 0 where it does not say.
        evidence: What the name rests on, for a person to read.
    """

    place: Place
    name: str
    claim: Claim = Claim.WHOLE
    level: str = ""
    score: float | None = None
    source: str = ""
    family: FamilyStrength | None = None
    span: Interval | None = None
    cog: str = ""
    types: int = 0
    evidence: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the name is said of the whole protein."""
        return self.claim is Claim.WHOLE


class Row(NamedTuple):
    """One gene of a record under one program; ``told`` None where it was not found."""

    genome: str
    program: str
    gene: TrueGene
    told: ToldGene | None
    verdict: Verdict | None

    @property
    def judged(self) -> bool:
        """Whether a name stands against a record that says something."""
        return self.gene.informative and self.verdict not in (None, Verdict.UNINFORMATIVE)

    @property
    def right(self) -> bool:
        """Whether the name is right for what it is said of: a vaguer one for no whole protein."""
        if self.told is None or self.verdict is None or not self.judged:
            return False
        return self.verdict.right or (self.vaguer and not self.told.is_whole)

    @property
    def vaguer(self) -> bool:
        """Whether the name is right but says less than the record."""
        return self.judged and self.verdict is Verdict.VAGUER

    @property
    def wrong(self) -> bool:
        """Whether the name is wrong, or even the opposite."""
        return self.judged and self.verdict in (Verdict.WRONG, Verdict.OPPOSITE)


def place_of(contig: int, span: Interval, strand: Strand | int, circle_bp: int | None) -> Place:
    """The place of a gene; ``circle_bp`` is the length of a circular contig."""
    forward = strand in (Strand.FORWARD, 1)
    stop = span.end if forward else span.start
    return Place(contig, stop % circle_bp if circle_bp else stop, 1 if forward else -1)


def true_genes(genome: Genome, vocabulary: ProductVocabulary) -> tuple[TrueGene, ...]:
    """Genes of a record in its order, without pseudogenes; of one stop the longest."""
    found: dict[Place, TrueGene] = {}
    for number, contig in enumerate(genome.contigs):
        circle_bp = len(contig) if contig.topology is Topology.CIRCULAR else None
        for gene in contig.genes:
            place = place_of(number, gene.span, gene.strand, circle_bp)
            product = gene.product or ""
            known = found.get(place)
            if gene.pseudo or (known and len(known.residues) >= len(gene.protein)):
                continue
            informative = is_informative(product, vocabulary)
            in_prophage = _IN_PROPHAGE in gene.qualifiers
            found[place] = TrueGene(place, gene.id, product, informative, gene.protein, in_prophage)
    return tuple(found.values())


def hold_against(
    genome: str,
    program: str,
    truth: Sequence[TrueGene],
    told: Iterable[ToldGene],
    vocabulary: ProductVocabulary,
) -> tuple[Row, ...]:
    """One row for every gene of the record, judged where a name was told."""
    by_place: dict[Place, ToldGene] = {}
    for one in told:
        known = by_place.get(one.place)
        if known is None or (one.name and not known.name):
            by_place[one.place] = one
    rows = []
    for gene in truth:
        match = by_place.get(gene.place)
        verdict = None
        if match is not None and match.name:
            verdict = compare_names(gene.product, match.name, vocabulary)
        rows.append(Row(genome, program, gene, match, verdict))
    return tuple(rows)


def says_nothing(name: str) -> bool:
    """Whether a told name is as good as none (hypothetical protein)."""
    return not name or classify_product(name) is NameKind.PLACEHOLDER


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts over some rows. All but the first four are of genes with an informative record.

    Attributes:
        cds: Genes of the records.
        informative: Of these, with an informative name.
        named: Genes that got a name for the whole protein.
        domain_only: Genes that got no more than a domain or a class.
        verdicts: Whole-protein names by verdict.
        domains: Claims of a domain or a class by verdict.
    """

    cds: int
    informative: int
    found: int
    named: int
    domain_only: int
    verdicts: Mapping[Verdict, int]
    domains: Mapping[Verdict, int]

    @property
    def strict(self) -> int:
        """Names right in the record's own words."""
        return self.verdicts.get(Verdict.SAME_WORDS, 0)

    @property
    def right(self) -> int:
        """Names right in these or other words."""
        return sum(self.verdicts.get(verdict, 0) for verdict in Verdict if verdict.right)

    @property
    def judged(self) -> int:
        """Names that stand against an informative record."""
        return sum(self.verdicts.values())

    @property
    def not_wrong(self) -> int:
        """Names that are right or merely vaguer."""
        return self.right + self.verdicts.get(Verdict.VAGUER, 0)

    @property
    def claims_judged(self) -> int:
        """Names of whole proteins, classes and domains that stand against an informative record."""
        return self.judged + sum(self.domains.values())

    @property
    def claims_right(self) -> int:
        """Of these, those that are right for what they are said of."""
        wrong = sum(self.domains.get(verdict, 0) for verdict in (Verdict.WRONG, Verdict.OPPOSITE))
        return self.right + sum(self.domains.values()) - wrong

    @property
    def coverage(self) -> float:
        """Share of the informative records' genes that are named rightly."""
        return self.right / max(1, self.informative)


def count(rows: Iterable[Row]) -> Figures:
    """Counts over rows of one program."""
    listed = list(rows)
    judged = [row for row in listed if row.judged]
    told = [row.told for row in listed if row.told is not None]
    return Figures(
        cds=len(listed),
        informative=sum(row.gene.informative for row in listed),
        found=len(told),
        named=sum(bool(one.name) and one.is_whole for one in told),
        domain_only=sum(bool(one.name) and not one.is_whole for one in told),
        verdicts=_by_verdict(row for row in judged if row.told and row.told.is_whole),
        domains=_by_verdict(row for row in judged if row.told and not row.told.is_whole),
    )


def _by_verdict(rows: Iterable[Row]) -> dict[Verdict, int]:
    counts: dict[Verdict, int] = {}
    for row in rows:
        if row.verdict is not None:
            counts[row.verdict] = counts.get(row.verdict, 0) + 1
    return counts
