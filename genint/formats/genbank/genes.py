"""Features of one record -> genes, RNA genes and other gene features."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from genint.errors import FormatError
from genint.formats.genbank.flatfile import RawFeature
from genint.formats.genbank.locations import Shape, place
from genint.formats.genbank.translation import (
    DEFAULT_TABLE,
    Frame,
    codon_start_of,
    cut_at_ends,
    frame_by_stop,
    protein_of,
    stated_table_of,
)
from genint.formats.warnings import ReadCode, WarningLog
from genint.model.genome import CalledBy, Gene, OtherFeature, Qualifier, RnaGene
from genint.model.interval import Interval, Location
from genint.model.sequence import START_CODONS, extract, start_codons, stop_codons, translate_cds

_TAXON = re.compile(r"taxon:\s?([1-9]\d{0,8})")


def source_organism(features: Sequence[RawFeature]) -> str | None:
    """Name of the organism; None where no ``source`` feature gives one."""
    for feature in features:
        if feature.key == "source":
            return feature.value("organism")
    return None


def source_taxon(features: Sequence[RawFeature]) -> int | None:
    """Taxon of NCBI; None where no ``source`` feature gives one, or they give several."""
    found = {
        int(match[1])
        for feature in features
        if feature.key == "source"
        for qualifier in feature.qualifiers
        if qualifier.name == "db_xref"
        if (match := _TAXON.fullmatch((qualifier.value or "").strip()))
    }
    return found.pop() if len(found) == 1 else None


def source_host(features: Sequence[RawFeature]) -> str | None:
    """Host of the first ``source`` feature that names one (``/host``, else ``/lab_host``)."""
    for name in ("host", "lab_host"):
        for feature in features:
            if feature.key != "source":
                continue
            for qualifier in feature.qualifiers:
                if qualifier.name == name and qualifier.value:
                    return qualifier.value
    return None


_ANTICODON = re.compile(
    r"\(pos:(?:complement\()?(\d{1,9})\.\.(\d{1,9})\)?,aa:\w+(?:,seq:([acgtu]{3}))?\)",
    re.IGNORECASE,
)
"""``/anticodon`` of a tRNA whose three bases lie side by side."""
_CODON_BP = 3
_MAX_PROBES = 50
"""Products of one symbol that are looked at for one gene feature; bounds the cost."""


class PlacedFeature(NamedTuple):
    """A feature on its contig; ``remote`` where part of it lies on another record."""

    feature: RawFeature
    location: Location
    remote: bool


class FeatureIndex:
    """Gene features and products of one record, found by tag, place and symbol.

    Cost: O(features log features) to build, O(log features) a lookup.
    """

    def __init__(self, placed: Iterable[PlacedFeature]) -> None:
        self._gene_by_tag: dict[str, RawFeature] = {}
        self._gene_by_outline: dict[tuple[int, int, int], RawFeature] = {}
        self._product_tags: set[str] = set()
        self._product_outlines: set[tuple[int, int, int]] = set()
        self._product_spans: dict[str, list[tuple[int, int]]] = {}
        for feature, location, _ in placed:
            tag, symbol = feature.value("locus_tag"), feature.value("gene")
            outline = _outline(location)
            if feature.key == "gene":
                self._gene_by_outline.setdefault(outline, feature)
                if tag:
                    self._gene_by_tag.setdefault(tag, feature)
                continue
            self._product_outlines.add(outline)
            if tag:
                self._product_tags.add(tag)
            if symbol:
                self._product_spans.setdefault(symbol, []).append(outline[:2])
        for spans in self._product_spans.values():
            spans.sort()

    def gene_of(self, product: RawFeature, location: Location) -> RawFeature | None:
        """The gene feature with a product's locus tag or at its very place."""
        found = self._gene_by_tag.get(product.value("locus_tag") or "")
        return found or self._gene_by_outline.get(_outline(location))

    def has_product(self, gene: RawFeature, location: Location) -> bool:
        """Whether a CDS or RNA belongs to a gene feature.

        By locus tag, by place, or (where the gene has no tag) by a symbol that they
        share with the product inside the gene.
        """
        tag = gene.value("locus_tag")
        outline = _outline(location)
        if tag in self._product_tags or outline in self._product_outlines:
            return True
        if tag:
            return False
        spans = self._product_spans.get(gene.value("gene") or "", [])
        start, end, _ = outline
        first = bisect_left(spans, (start, start))
        return any(span[1] <= end for span in spans[first : first + _MAX_PROBES])


def _outline(location: Location) -> tuple[int, int, int]:
    span = location.span
    return span.start, span.end, int(location.strand)


_FIELDS = ("locus_tag", "protein_id", "gene", "product", "codon_start", "transl_table")
_MIN_ORF_BP = 9
_MAX_PARTS = 2000
"""Parts of a location; titin, the gene with most exons, has fewer than 400."""
_MAX_COVER = 20
_FREE_BP = 200_000
_FREE_FEATURES = 1000
"""Genes may cover a record this many times, and this much more. A genome's cover it
once or twice; a file made to keep a reader busy lists thousands over all of it."""


class FeatureRole(Enum):
    """What a feature becomes; names are given in this order."""

    CDS = "CDS"
    OPEN_READING_FRAME = "gene"
    RNA = "RNA"
    OTHER = "other"


_KINDS = {"CDS": FeatureRole.CDS, "gene": FeatureRole.OTHER}


class UnnamedFeature(NamedTuple):
    """A placed feature that waits for its unique name.

    Attributes:
        remote: Part of it lies on another record.
        stem: The name that it should have.
        symbol, locus_tag, pseudo: Its own, or those of the gene feature over it.
        gene_line: Line of that gene feature; None where there is none.
        reason: Why a gene feature codes for nothing here.
    """

    kind: FeatureRole
    feature: RawFeature
    location: Location
    remote: bool
    stem: str
    symbol: str | None
    locus_tag: str | None
    pseudo: bool
    gene_line: int | None = None
    reason: str = ""


class RecordContext(NamedTuple):
    """The contig that features are placed on, and the file that it is from."""

    contig: str
    bases: str
    shape: Shape
    source: str


def classify_features(
    features: Sequence[RawFeature], context: RecordContext, *, log: WarningLog
) -> tuple[UnnamedFeature, ...]:
    """Place every feature and decide what it is; a warning on all that is dropped.

    A ``gene`` feature belongs to the CDS or RNA with its locus tag, at its very
    location or (where it has no tag) of its symbol inside it. One that belongs to none
    is a gene only if its span is an open reading frame from ATG, GTG or TTG to its stop.

    Raises:
        FormatError: genes cover the contig so often that no genome can be meant.

    Cost: O(features + bases of gene features without CDS).
    """
    _refuse_crowd(features, context)
    placed = [
        found
        for feature in features
        if feature.key != "source" and (found := _place(feature, context, log))
    ]
    index = FeatureIndex(placed)
    wanted = [
        found
        for found in placed
        if found.feature.key != "gene" or not index.has_product(found.feature, found.location)
    ]
    _refuse_overfull(wanted, context)
    table = common_table(features) or DEFAULT_TABLE
    counts: Counter[str] = Counter()
    unnamed: list[UnnamedFeature] = []
    for found in wanted:
        key = found.feature.key
        counts[key] += 1
        parent = index.gene_of(found.feature, found.location) if key != "gene" else None
        item = _unnamed(found, parent, f"{context.contig}_{key}{counts[key]}")
        if item.kind is FeatureRole.OTHER:
            item = _with_reading_frame(item, context.bases, table)
        unnamed.append(item)
    return tuple(unnamed)


def _unnamed(found: PlacedFeature, parent: RawFeature | None, fallback: str) -> UnnamedFeature:
    """What a feature does not state itself is taken from the gene feature that it belongs to."""
    feature = found.feature
    sources = (feature, parent) if parent else (feature,)
    symbol = next((value for f in sources if (value := f.value("gene"))), None)
    tag = next((value for f in sources if (value := f.value("locus_tag"))), None)
    return UnnamedFeature(
        kind=_KINDS.get(feature.key, FeatureRole.RNA),
        feature=feature,
        location=found.location,
        remote=found.remote,
        stem=tag or feature.value("protein_id") or symbol or fallback,
        symbol=symbol,
        locus_tag=tag,
        pseudo=any(f.has("pseudo", "pseudogene") for f in sources),
        gene_line=parent.line if parent else None,
    )


def _with_reading_frame(item: UnnamedFeature, bases: str, table: int) -> UnnamedFeature:
    """A gene feature without product: an open reading frame, or why it is none."""
    if item.pseudo:
        return item._replace(reason="pseudogene")
    if not item.remote and is_open_reading_frame(extract(bases, item.location), table):
        return item._replace(kind=FeatureRole.OPEN_READING_FRAME)
    return item._replace(reason="no clean open reading frame")


def _refuse_crowd(features: Sequence[RawFeature], context: RecordContext) -> None:
    most = len(context.bases) + _FREE_FEATURES
    if len(features) > most:
        raise _overfull(context, features[most], "it has more features than bases")


def _refuse_overfull(placed: Sequence[PlacedFeature], context: RecordContext) -> None:
    left_bp = _MAX_COVER * len(context.bases) + _FREE_BP
    for found in placed:
        left_bp -= len(found.location) if found.feature.key in _KINDS else 0
        if left_bp < 0:
            raise _overfull(context, found.feature, f"its genes cover it over {_MAX_COVER} times")


def _overfull(context: RecordContext, feature: RawFeature, what: str) -> FormatError:
    return FormatError(
        source=context.source,
        line=feature.line,
        reason=f"the feature table of {context.contig[:80]} is damaged: {what}",
        cure="export or download the record again",
    )


def common_table(features: Iterable[RawFeature]) -> int | None:
    """The genetic code that most CDS features name, None where none does."""
    tables = Counter(
        table
        for feature in features
        if feature.key == "CDS" and (table := stated_table_of(feature)[0]) is not None
    )
    return min(tables, key=lambda table: (-tables[table], table)) if tables else None


def _place(feature: RawFeature, context: RecordContext, log: WarningLog) -> PlacedFeature | None:
    def warn(code: ReadCode, what: str) -> None:
        log.add(code, f"{label_of(feature)}: {what}.", contig=context.contig, line=feature.line)

    if not 0 < len(feature.location.parts) <= _MAX_PARTS:
        warn(ReadCode.FEATURE_UNREADABLE, "its location cannot be read; it was left out")
        return None
    if feature.location.doubt:
        warn(ReadCode.LOCATION_GUESSED, f"{feature.location.doubt} was read in its plainest sense")
    trans_spliced = feature.has("trans_splicing") or feature.value("exception") == "trans-splicing"
    found = place(feature.location.parts, context.shape, trans_spliced=trans_spliced)
    for issue in found.issues:
        warn(issue.code, issue.text)
    return PlacedFeature(feature, found.location, found.remote) if found.location else None


def label_of(feature: RawFeature) -> str:
    """How a warning names a feature: key and its best name."""
    name = (
        feature.value("locus_tag")
        or feature.value("protein_id")
        or feature.value("gene")
        or feature.value("product")
    )
    return f"{feature.key} {name[:60]}" if name else f"A {feature.key} without a name"


def is_open_reading_frame(coding: str, table: int) -> bool:
    """ATG, GTG or TTG, whole codons, one stop and that at the end."""
    if len(coding) < _MIN_ORF_BP or len(coding) % 3:
        return False
    if coding[:3] not in START_CODONS & start_codons(table):
        return False
    if coding[-3:] not in stop_codons(table):
        return False
    protein = translate_cds(coding, table)
    return len(protein) == len(coding) // 3 - 1 and "*" not in protein


def build_gene(
    unnamed: UnnamedFeature, name: str, context: RecordContext, *, table: int, log: WarningLog
) -> tuple[Gene, bool]:
    """The gene of a CDS or open reading frame, and whether the file lacks its protein."""
    feature = unnamed.feature
    codon_start, issues = codon_start_of(feature) if unnamed.kind is FeatureRole.CDS else (1, ())
    stated, table_issues = stated_table_of(feature)
    frame = Frame(context.bases, unnamed.location, codon_start, stated or table)
    if not (context.shape.circular or unnamed.remote or unnamed.pseudo):
        location, cut_issues = cut_at_ends(feature, frame)
        frame, frame_issues = frame_by_stop(frame._replace(location=location))
        issues = (*issues, *cut_issues, *frame_issues)
    protein = protein_of(feature, frame, remote=unnamed.remote)
    for issue in (*issues, *table_issues, *protein.issues):
        text = f"{label_of(feature)}: {issue.text}."
        log.add(issue.code, text, contig=context.contig, line=feature.line)
    gene = Gene(
        id=name,
        contig=context.contig,
        location=frame.location,
        protein=protein.residues,
        translation_table=frame.table,
        called_by=CalledBy.GENBANK if unnamed.kind is FeatureRole.CDS else CalledBy.GENBANK_GENE,
        codon_start=frame.codon_start,
        locus_tag=unnamed.locus_tag,
        protein_id=feature.value("protein_id"),
        symbol=unnamed.symbol,
        product=feature.value("product"),
        pseudo=unnamed.pseudo,
        qualifiers=_kept_qualifiers(feature),
        line=feature.line,
        gene_line=unnamed.gene_line,
    )
    return gene, unnamed.kind is FeatureRole.CDS and not protein.compared and not unnamed.pseudo


def _kept_qualifiers(feature: RawFeature) -> tuple[Qualifier, ...]:
    """All qualifiers but the translation and those that became fields of the gene."""
    waiting = set(_FIELDS)
    kept: list[Qualifier] = []
    for qualifier in feature.qualifiers:
        if qualifier.name == "translation":
            continue
        if qualifier.name in waiting and qualifier.value and qualifier.value.strip():
            waiting.discard(qualifier.name)
            continue
        kept.append(qualifier)
    return tuple(kept)


def build_rna(unnamed: UnnamedFeature, name: str, *, contig: str) -> RnaGene:
    """The RNA gene of a feature."""
    place, anticodon = _anticodon(unnamed)
    return RnaGene(
        id=name,
        contig=contig,
        location=unnamed.location,
        kind=unnamed.feature.key,
        product=unnamed.feature.value("product"),
        locus_tag=unnamed.locus_tag,
        symbol=unnamed.symbol,
        pseudo=unnamed.pseudo,
        insdc_class=unnamed.feature.value("ncRNA_class"),
        anticodon=anticodon,
        anticodon_place=place,
        line=unnamed.feature.line,
        gene_line=unnamed.gene_line,
    )


def _anticodon(unnamed: UnnamedFeature) -> tuple[Interval | None, str | None]:
    """Place and bases of the anticodon of a tRNA; None where the file does not say them plainly."""
    value = "".join((unnamed.feature.value("anticodon") or "").split())
    found = _ANTICODON.fullmatch(value)
    if unnamed.feature.key != "tRNA" or found is None:
        return None, None
    first, last = int(found[1]), int(found[2])
    if not 0 < first == last - _CODON_BP + 1:
        return None, None
    place = Interval(first - 1, last)
    bases = found[3].upper().replace("U", "T") if found[3] else None
    return (place, bases) if unnamed.location.span.contains(place) else (None, None)


def build_other(unnamed: UnnamedFeature, name: str, *, contig: str) -> OtherFeature:
    """A gene feature without a product."""
    return OtherFeature(
        id=name,
        contig=contig,
        location=unnamed.location,
        kind=unnamed.feature.key,
        symbol=unnamed.symbol,
        reason=unnamed.reason,
        locus_tag=unnamed.locus_tag,
        line=unnamed.feature.line,
    )
