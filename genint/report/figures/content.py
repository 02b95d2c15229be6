"""What a figure of a genome shows: stretches with looks and labels, GC windows, words.

Plain values from a result; where things come to lie on paper is for those who draw. Labels are
functions: what has none, only a gene symbol, or a placeholder gets no label.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Final, NamedTuple

from genint.knowledge.product_names import NameKind, classify_product
from genint.model.genome import Topology
from genint.report.figures.names import LONGEST_LABEL, label_of, landmark_of, shortened
from genint.report.figures.palette import CRISPR, DARK, LOOKS, RNA, VIRION, Look, look_of
from genint.report.formats import stem_of
from genint.report.page.data import drawn_lanes
from genint.report.result import (
    CrisprArrayItem,
    GeneItem,
    GenintResult,
    Record,
    RnaGeneItem,
)
from genint.report.result_gene import Span
from genint.report.wording import shown_text

CROWDED_GENES: Final = 400
"""Genes above which only landmarks have labels: a line of 7 pt for each would not fit on a page."""
MOST_RECORDS: Final = 40
"""Records that are drawn; the longest ones."""
MANY_RECORDS: Final = 8
"""Records from which a crowded figure has their names and no landmarks."""
_WINDOWS: Final = 150
_STEPS_OF_WINDOW: Final = 4
_LEAST_WINDOW_BP: Final = 60
_FLAT: Final = 1e-9
_USUAL: Final = 0.98
_OF_ASSEMBLER: Final = re.compile(r"_length_\d+(?:_cov_[\d.]+)?$")
"""NODE_21_length_4000_cov_27.2 of SPAdes: the length is on the ruler."""
_TITLE_END: Final = re.compile(
    r"[,.]?\s*(?:(?:complete|partial|draft) (?:genome|sequence)|whole genome.*)\.?$", re.IGNORECASE
)
LONGEST_TITLE: Final = 60
_LONG_PROTEIN_AA: Final = 1000
_BROAD_COSTS: Final = 0.3
_OF_RNA: Final = 0.55
_OF_LANDMARK: Final = 2.0
_OF_WANTED: Final = 10.0
_LINE_BP: Final = 12_500
"""Bases of a line at which most genes of a phage have room for a label."""
_MOST_LINES: Final = 8
_MOST_CROWDED_LINES: Final = 9
"""As many as fit on a page; without labels lines are lower."""
_OPERON_BP: Final = 10_000
_ISLAND_BP: Final = 12_000
_ISLAND_GENES: Final = 5


@dataclass(frozen=True, slots=True)
class Feature:
    """Something on a record, 0-based, ends excluded; over the origin it ends beyond the length.

    Attributes:
        id: Of the gene, RNA gene or array.
        look: How it is drawn.
        strand: 1, -1, or 0 where it has none.
        lane: Counted away from the backbone, from 0.
        parts: In the order of places, at least one.
        label: Function in a few words; None where it gets no label.
        weight: The higher, the rather it has its label where not all have room.
        anchor: Where its label points to, in bases: the middle of what no other lane covers.
        wanted: The user asked for this label.
        landmark: Its label among the landmarks of a bacterium.
        words: Function and name in small letters, in which wanted words are looked for.
    """

    id: str
    look: Look
    start: int
    end: int
    strand: int
    lane: int
    parts: tuple[tuple[int, int], ...]
    label: str | None
    weight: float
    anchor: float
    wanted: bool = False
    landmark: str | None = None
    words: str = ""


class Window(NamedTuple):
    """GC content and skew around a base.

    Attributes:
        at: Centre, in bases.
        gc: G + C as a share of A, C, G and T, 0..1.
        skew: (G - C) / (G + C), -1..1; 0 where there is neither.
    """

    at: float
    gc: float
    skew: float


class Curve(NamedTuple):
    """What is drawn of windows.

    Attributes:
        name: ``gc`` or ``skew``.
        middle: Value at the middle line.
        most: Distance from it that only one window of 50 exceeds, > 0; what is beyond is cut.
    """

    name: str
    middle: float
    most: float

    def of(self, window: Window) -> float:
        """Height at a window, -1..1."""
        value = window.gc if self.name == "gc" else window.skew
        return min(max((value - self.middle) / self.most, -1.0), 1.0)


@dataclass(frozen=True, slots=True)
class RecordMap:
    """One record: its features by place, and its GC windows (none without a sequence)."""

    id: str
    length: int
    is_circular: bool
    features: tuple[Feature, ...]
    windows: tuple[Window, ...]
    gc: float | None


@dataclass(frozen=True, slots=True)
class GenomeMap:
    """A genome as it is drawn.

    Attributes:
        title: Organism, description, id or file, whichever is known first.
        records: Longest ones where there are too many.
        left_out: Records that are not drawn.
        genes: Protein-coding genes of the whole genome.
        with_function: Of those, how many have a function.
        is_crowded: Only landmarks have labels.
        unmatched: Words asked for that no gene has.
    """

    title: str
    records: tuple[RecordMap, ...]
    left_out: int
    genes: int
    with_function: int
    is_crowded: bool
    unmatched: tuple[str, ...] = ()

    @property
    def length(self) -> int:
        """Bases of all records that are drawn."""
        return sum(record.length for record in self.records)

    @property
    def is_circular(self) -> bool:
        """Whether it is one circular record."""
        return len(self.records) == 1 and self.records[0].is_circular

    @property
    def gc(self) -> float | None:
        """Share of G and C; None without sequences."""
        known = [(one.gc, one.length) for one in self.records if one.gc is not None]
        total = sum(length for _, length in known)
        return sum(gc * length for gc, length in known) / total if total else None

    @property
    def curves(self) -> tuple[Curve, ...]:
        """GC content from the mean, and skew, on the scale of the whole genome; or none."""
        windows = [one for record in self.records for one in record.windows]
        mean = self.gc
        if not windows or mean is None:
            return ()
        gc = _usual_most([abs(one.gc - mean) for one in windows])
        skew = _usual_most([abs(one.skew) for one in windows])
        return Curve("gc", mean, max(gc, _FLAT)), Curve("skew", 0.0, max(skew, _FLAT))

    @property
    def facts(self) -> str:
        """Length, topology and GC content in one line."""
        bases = f"{self.length:,} bp"
        if len(self.records) > 1:
            shape = f"{len(self.records)} records"
        else:
            shape = "circular" if self.is_circular else "linear"
        gc = "" if self.gc is None else f", {self.gc:.1%} GC"
        return f"{bases}, {shape}{gc}"


def genome_map(
    result: GenintResult, wanted: Collection[str] = (), *, in_lines: bool = False
) -> GenomeMap:
    """What a figure of a result shows.

    Args:
        result: Of one genome.
        wanted: Words; genes whose function or name has one of them get their label before all
            others, in any case of letters.
        in_lines: Each record has lines of its own: one is crowded by its own genes, not by
            those of others, and GC windows suit the width of a line.

    Cost: 0.1 s for a bacterium.
    """
    records = sorted(result.records, key=lambda one: -one.length)[:MOST_RECORDS]
    drawn = {record.id for record in records}
    counts = Counter(gene.record for gene in result.genes)
    most = max(counts.values(), default=0) if in_lines else len(result.genes)
    is_crowded = most > CROWDED_GENES
    lengths = [record.length for record in records]
    width = window_bp(line_bp(lengths, is_crowded=is_crowded) if in_lines else sum(lengths))
    features = _features(result, [word.casefold() for word in wanted])
    landmarks = is_crowded and len(records) < MANY_RECORDS
    names = _record_names(result)
    return GenomeMap(
        title=_title(result),
        records=tuple(
            replace(
                _record_map(
                    record,
                    features[record.id],
                    width,
                    is_crowded=is_crowded,
                    has_landmarks=landmarks,
                ),
                id=names[record.id],
            )
            for record in result.records
            if record.id in drawn
        ),
        left_out=len(result.records) - len(records),
        genes=len(result.genes),
        with_function=sum(not gene.is_dark for gene in result.genes),
        is_crowded=is_crowded,
        unmatched=tuple(
            word
            for word in dict.fromkeys(wanted)
            if not any(_has(one, word) for record in drawn for one in features[record])
        ),
    )


def _has(feature: Feature, word: str) -> bool:
    return feature.wanted and word.casefold() in feature.words


def line_bp(lengths: Sequence[int], *, is_crowded: bool) -> int:
    """Bases of a full line of a map in lines, for records of some lengths, > 0.

    Lines are of one length where there is one record, and as long as the longest of several
    records at most.
    """
    total = sum(lengths)
    most = _MOST_CROWDED_LINES if is_crowded else _MOST_LINES
    bases = math.ceil(total / min(max(math.ceil(total / _LINE_BP), 1), most))
    return max(min(bases, max(lengths)) if len(lengths) > 1 else bases, 1)


def looks_of(maps: Iterable[GenomeMap]) -> tuple[Look, ...]:
    """The looks that some genomes have, in the order of legends."""
    seen = {feature.look for one in maps for record in one.records for feature in record.features}
    return tuple(look for look in LOOKS if look in seen)


def _title(result: GenintResult) -> str:
    first = result.records[0] if result.records else None
    texts = [result.input.filename and stem_of(result.input.filename)]
    if first is not None:
        own = [first.id] if len(result.records) == 1 else []
        texts = [first.organism or "", _TITLE_END.sub("", first.description), *own, *texts]
    text = next((shown for text in texts if (shown := shown_text(text).strip())), "genome")
    return shortened(text, LONGEST_TITLE)


def _record_names(result: GenintResult) -> dict[str, str]:
    """What records are called on a map: without what assemblers put behind, where that suffices."""
    ids = [record.id for record in result.records]
    short = [_OF_ASSEMBLER.sub("", name) or name for name in ids]
    names = short if len(set(short)) == len(ids) else ids
    return {name: shown_text(shown) for name, shown in zip(ids, names, strict=True)}


def _features(result: GenintResult, wanted: Sequence[str]) -> dict[str, list[Feature]]:
    """Everything that is drawn, by record."""
    found: defaultdict[str, list[Feature]] = defaultdict(list)
    lengths = {record.id: record.length for record in result.records}
    lanes = drawn_lanes(result)
    for gene, lane in zip(result.genes, lanes, strict=False):
        found[gene.record].append(_gene(gene, lane, lengths[gene.record], wanted))
    for rna, lane in zip(result.rna_genes, lanes[len(result.genes) :], strict=True):
        found[rna.record].append(_rna(rna, lane, lengths[rna.record], wanted))
    for array in result.crispr_arrays:
        found[array.record].append(_array(array, lengths[array.record]))
    return found


def _gene(gene: GeneItem, lane: int, length: int, wanted: Sequence[str]) -> Feature:
    name = gene.function or ""
    label = label_of(gene)
    words = f"{name}\n{gene.name}".casefold()
    is_wanted = label is not None and any(word in words for word in wanted)
    broad = _BROAD_COSTS if classify_product(name) is NameKind.BROAD else 0.0
    weight = gene.score - broad + min(gene.length_aa / _LONG_PROTEIN_AA, 1.0) / 2
    start, end = _unrolled(gene.start, gene.end, length)
    return Feature(
        id=gene.id,
        look=DARK if gene.is_dark else look_of(gene.category),
        start=start,
        end=end,
        strand=-1 if gene.strand == "-" else 1,
        lane=lane,
        parts=_parts(gene.parts, start, end, length),
        label=label,
        anchor=(start + end) / 2,
        weight=weight + _OF_WANTED * is_wanted,
        wanted=is_wanted,
        landmark=landmark_of(gene),
        words=words,
    )


def _rna(rna: RnaGeneItem, lane: int, length: int, wanted: Sequence[str]) -> Feature:
    start, end = _unrolled(rna.start, rna.end, length)
    text = shown_text(rna.product or rna.kind).replace("ribosomal RNA", "rRNA")
    is_wanted = any(word in text.casefold() for word in wanted)
    return Feature(
        id=rna.id,
        look=RNA,
        start=start,
        end=end,
        strand=-1 if rna.strand == "-" else 1,
        lane=lane,
        parts=((start, end),),
        label=shortened(text, LONGEST_LABEL),
        anchor=(start + end) / 2,
        weight=_OF_RNA + _OF_WANTED * is_wanted,
        wanted=is_wanted,
        words=text.casefold(),
    )


def _array(array: CrisprArrayItem, length: int) -> Feature:
    start, end = _unrolled(array.start, array.end, length)
    label = f"CRISPR array, {array.repeats} repeats"
    parts, middle = ((start, end),), (start + end) / 2
    return Feature(array.id, CRISPR, start, end, 0, 0, parts, label, _OF_LANDMARK, middle)


def _unrolled(start: int, end: int, length: int) -> tuple[int, int]:
    return start - 1, end if end >= start else end + length


def _parts(spans: Sequence[Span], start: int, end: int, length: int) -> tuple[tuple[int, int], ...]:
    """Parts on the unrolled record: those behind the origin come last."""
    parts = []
    for span in spans:
        low, high = _unrolled(span.start, span.end, length)
        parts.append((low, high) if low >= start else (low + length, high + length))
    return tuple(sorted(parts)) or ((start, end),)


def _record_map(
    record: Record,
    features: list[Feature],
    width: int,
    *,
    is_crowded: bool,
    has_landmarks: bool,
) -> RecordMap:
    placed = sorted(features, key=lambda one: (one.start, -one.end, one.id))
    if is_crowded:
        labels = _landmark_labels(placed) if has_landmarks else {}
        placed = list(_only_landmarks(placed, labels))
    else:
        placed = list(map(_anchored, placed, repeat(placed)))
    sequence = record.sequence or ""
    is_circular = record.topology is Topology.CIRCULAR
    return RecordMap(
        id=shown_text(record.id),
        length=record.length,
        is_circular=is_circular,
        features=tuple(placed),
        windows=gc_windows(sequence, width, is_circular=is_circular),
        gc=_gc(sequence) if sequence else None,
    )


def _anchored(feature: Feature, others: Sequence[Feature]) -> Feature:
    """With its label pointing to the longest stretch that no gene on a further lane covers."""
    over = [
        one
        for one in others
        if one.strand == feature.strand
        and one.lane > feature.lane
        and one.start < feature.end
        and one.end > feature.start
    ]
    if not over or feature.label is None:
        return feature
    free, at = [], feature.start
    for one in over:
        free.append((one.start - at, at))
        at = max(at, one.end)
    free.append((feature.end - at, at))
    length, start = max(free)
    return replace(feature, anchor=start + length / 2) if length > 0 else feature


def _landmark_labels(features: Sequence[Feature]) -> dict[str, str]:
    """Labels of landmarks by feature.

    These are operons of rRNA (one label each), runs of genes that only phages have (one label
    each), and genes that every reader looks for: of several that are called alike the best.
    """
    labels: dict[str, str] = {}
    for feature in sorted(features, key=lambda one: -one.weight):
        if feature.landmark and feature.landmark not in labels.values():
            labels[feature.id] = feature.landmark
    for group in _runs([one for one in features if _is_rrna(one)], _OPERON_BP):
        kinds = sorted({(one.label or "").split()[0] for one in group})
        labels[group[len(group) // 2].id] = f"rRNA ({', '.join(kinds)})"
    for group in _runs([one for one in features if _is_virion(one)], _ISLAND_BP):
        if len(group) >= _ISLAND_GENES:
            labels[group[len(group) // 2].id] = f"{len(group)} phage structural genes"
    return labels


def _only_landmarks(features: Sequence[Feature], labels: Mapping[str, str]) -> Iterator[Feature]:
    """With labels of landmarks, CRISPR arrays, and what the user asked for; one lane a strand."""
    for feature in features:
        if feature.id in labels and not feature.wanted:
            weight = _OF_LANDMARK + feature.weight / _OF_WANTED
            yield replace(feature, lane=0, label=labels[feature.id], weight=weight)
        elif feature.wanted or feature.look is CRISPR:
            yield replace(feature, lane=0)
        else:
            yield replace(feature, lane=0, label=None)


def _is_rrna(feature: Feature) -> bool:
    return feature.look is RNA and " rRNA" in (feature.label or "")


def _is_virion(feature: Feature) -> bool:
    return feature.look in {look_of(category) for category in VIRION}


def _runs(features: Sequence[Feature], most_bp: int) -> Iterator[list[Feature]]:
    """Neighbours that are no further apart than so many bases."""
    run: list[Feature] = []
    for feature in features:
        if run and feature.start - run[-1].end > most_bp:
            yield run
            run = []
        run.append(feature)
    if run:
        yield run


def _gc(bases: str) -> float:
    strong = bases.count("G") + bases.count("C")
    weak = bases.count("A") + bases.count("T")
    return strong / (strong + weak) if strong + weak else 0.0


def _usual_most(values: list[float]) -> float:
    """What only one of 50 values exceeds: a single odd window must not flatten a whole curve."""
    return sorted(values)[int((len(values) - 1) * _USUAL)]


def window_bp(length: int) -> int:
    """Width of GC windows: a 150th of a genome, at least 60 bp."""
    return max(length // _WINDOWS, _LEAST_WINDOW_BP)


def gc_windows(bases: str, width: int, *, is_circular: bool) -> tuple[Window, ...]:
    """GC content and skew along a record, in windows that overlap by three quarters.

    Args:
        bases: Upper case; codes for several bases count as none.
        width: Of a window, in bases, >= 4.
        is_circular: Windows run over the origin; else they end with the record.

    Cost: O(length).
    Source: Lobry 1996, doi:10.1093/oxfordjournals.molbev.a025626
    """
    length = len(bases)
    if length < width:
        return ()
    step = max(width // _STEPS_OF_WINDOW, 1)
    half = width // 2
    around = bases[-half:] + bases + bases[:half] if is_circular else bases
    shift = half if is_circular else 0
    mean = _gc(bases)
    windows = []
    for at in range(0, length, step):
        low = max(at + shift - half, 0)
        part = around[low : at + shift + half]
        g, c = part.count("G"), part.count("C")
        known = g + c + part.count("A") + part.count("T")
        skew = (g - c) / (g + c) if g + c else 0.0
        windows.append(Window(float(at), (g + c) / known if known else mean, skew))
    return tuple(windows)
