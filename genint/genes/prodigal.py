"""Gene finding by pyrodigal: bases in, plain values out."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyrodigal import (
    METAGENOMIC_BINS,
    TRANSLATION_TABLES,
    Gene,
    GeneFinder,
    MetagenomicBin,
    MetagenomicBins,
    TrainingInfo,
)

from genint.model.genome import CallScores
from genint.model.interval import Interval, Strand
from genint.model.sequence import stop_codons
from genint.native.start_table import read_start_table

STANDARD_CODE = 11
VIRAL_MODEL_CODES = (15,)
"""Code 15 has models in the viral extension only; code 4 has the Mycoplasma models of both."""
SHORTEST_TEXT_BP = 60
"""Pyrodigal's shortest gene at an edge: less cannot hold any call."""
MIN_CANDIDATE_BP = 60
_GAP_BP = 50
_GAP = re.compile(f"[^ACGT]{{{_GAP_BP}}}")
_MOST_RECODED = 48
"""Models of another code that are kept, half a megabyte each."""
_EDGE_CODON = "Edge"
_NO_MOTIF = "None"
_START_WEIGHT = 4.35
_DIGITS = {"A": 0, "G": 1, "C": 2, "T": 3}
_NEUTRAL = 0.0
"""Log-likelihood ratio of a hexamer that says nothing for or against coding."""
Integers = NDArray[np.int64]
Reals = NDArray[np.float64]
Objects = NDArray[np.object_]
_COLUMN_TYPES = (*[np.int64] * 3, *[np.float64] * 3, *[np.object_] * 3, *[np.float64] * 3)


class Call(NamedTuple):
    """A gene on the text that was searched.

    Attributes:
        interval: 0-based half-open, whole codons, stop codon included.
        clipped_left: It runs off the left end of the text.
        clipped_right: It runs off the right end of the text.
    """

    interval: Interval
    strand: Strand
    clipped_left: bool
    clipped_right: bool
    scores: CallScores

    @property
    def clipped(self) -> bool:
        """It runs off an end of the text."""
        return self.clipped_left or self.clipped_right


@dataclass(frozen=True, slots=True, eq=False)
class Starts:
    """Start codons of all open reading frames as columns, with what the finder scores.

    A phage has some thousands of them, a bacterium half a million: too many for values of
    their own. ``start`` and ``end`` are unrolled over an origin as in ``Interval``.

    Attributes:
        start: First base of the frame on the forward strand, 0-based.
        end: Behind its last base, stop codon included.
        strand: 1 or -1.
        total: Coding and start score together; all scores are log-odds in the finder's units.
        coding: How much the codons are like those of genes.
        score: Start codon, ribosome binding site and upstream bases together.
        codon: Such as ATG.
        motif: Ribosome binding site, None where none was seen.
        spacer: Bases between that site and the start codon, such as ``5-10bp``.
        site: What the ribosome binding site adds to ``score``.
        upstream: What the bases in front add to it.
        kind: What the codon itself adds to it.
    """

    start: Integers
    end: Integers
    strand: Integers
    total: Reals
    coding: Reals
    score: Reals
    codon: Objects
    motif: Objects
    spacer: Objects
    site: Reals
    upstream: Reals
    kind: Reals

    def __len__(self) -> int:
        return len(self.start)

    @classmethod
    def of(cls, rows: Iterable[Sequence[object]]) -> Starts:
        """Columns of rows, each a value for every field, in their order."""
        columns = list(zip(*rows, strict=True)) or [()] * len(_COLUMN_TYPES)
        return cls(*map(_column, columns, _COLUMN_TYPES))

    @classmethod
    def joined(cls, several: Sequence[Starts]) -> Starts:
        """The rows of several, one behind the other."""
        return cls(
            *(np.concatenate([getattr(one, each.name) for one in several]) for each in fields(cls))
        )

    def take(self, rows: Integers | NDArray[np.bool_]) -> Starts:
        """Some of the rows, by number or by a mask."""
        return Starts(**{one.name: getattr(self, one.name)[rows] for one in fields(self)})

    def moved(self, start: Integers) -> Starts:
        """The same frames elsewhere."""
        return replace(self, start=start, end=start + self.length_bp)

    @property
    def length_bp(self) -> Integers:
        """Bases, stop codon included."""
        return self.end - self.start

    def stops(self, contig_bp: int) -> Integers:
        """A number for the stop codon of each row: what frames of one gene share."""
        forward = self.strand > 0
        at = np.where(forward, self.end, self.start) % contig_bp
        return np.asarray(2 * at + forward, dtype=np.int64)

    def interval(self, row: int) -> Interval:
        """Where a frame lies."""
        return Interval(int(self.start[row]), int(self.end[row]))

    def strand_of(self, row: int) -> Strand:
        """How a frame is read."""
        return Strand(int(self.strand[row]))

    def scores(self, row: int, confidence: float) -> CallScores:
        """Scores of a row as a plain value."""
        return CallScores(
            total=float(self.total[row]),
            coding=float(self.coding[row]),
            start=float(self.score[row]),
            start_codon=self.codon[row],
            rbs_motif=self.motif[row],
            confidence=confidence,
            rbs_spacer=self.spacer[row],
            rbs_score=float(self.site[row]),
        )


def _column(values: Sequence[object], kind: type) -> NDArray[Any]:
    column: NDArray[Any] = np.empty(len(values), dtype=kind)
    column[:] = values
    return column


NO_STARTS = Starts.of(())


@dataclass(frozen=True, slots=True)
class Model:
    """What genes are recognised by.

    Attributes:
        code: NCBI genetic code.
        training: Parameters of one organism; None lets the best of the models that
            come with the finder be chosen for every text.
    """

    code: int
    training: TrainingInfo | None = None

    @property
    def is_meta(self) -> bool:
        """The parameters come from other organisms."""
        return self.training is None


@dataclass(frozen=True, slots=True)
class Search:
    """The calls on one text and the model that won.

    Attributes:
        calls: By position.
        chosen: The model that won, as the finder has it; None where it found nothing.
        starts: Start codons of all frames; empty unless ``scored``.
        model_name: Whose genes the chosen model was learned from; empty if trained here.
    """

    calls: tuple[Call, ...]
    chosen: MetagenomicBin | TrainingInfo | None
    starts: Starts = NO_STARTS
    model_name: str = ""


def meta_model(code: int) -> Model:
    """The models that come with the finder, for one genetic code."""
    return Model(code)


def trained_model(texts: Sequence[str], code: int) -> Model:
    """Learn from the genome itself, from all its contigs together.

    Args:
        texts: Contigs with at least 100 kb of known bases between them, which is what
            pyrodigal needs; runs of 50 N and more are left out.
        code: NCBI genetic code.

    Cost: about 0.3 CPU s per megabase.
    """
    training = GeneFinder(mask=True).train(*texts, translation_table=code)
    return Model(code, training)


def is_known_code(number: int) -> bool:
    """Whether the finder can search with that NCBI genetic code."""
    return number in TRANSLATION_TABLES


def search(text: str, model: Model, *, scored: bool = False) -> Search:
    """Find the genes of a text.

    Args:
        text: Upper-case IUPAC DNA. Runs of 50 N and more are not crossed by genes;
            other letters than A, C, G and T count as unknown.
        model: What genes are recognised by.
        scored: Return also the starts of all frames of 60 bases and more, called or not.

    Cost: about 2.5 CPU s per megabase (meta), 0.3 (trained); 0.5 more with ``scored``.
    """
    if len(text) < SHORTEST_TEXT_BP:
        return Search((), None)
    mask = _has_gap(text)
    if model.training is not None:
        finder = GeneFinder(model.training, mask=mask)
    else:
        finder = GeneFinder(meta=True, metagenomic_bins=models_for(model.code), mask=mask)
    genes = finder.find_genes(text)
    if genes.training_info is None:
        return Search((), None)
    calls = tuple(_call(gene) for gene in genes)
    chosen = genes.metagenomic_bin if model.is_meta else model.training
    name = _source_of(genes.metagenomic_bin.description) if model.is_meta else ""
    found = Search(calls, chosen, NO_STARTS, name)
    return replace(found, starts=scored_starts(text, found)) if scored else found


def search_with(text: str, chosen: MetagenomicBin) -> Search:
    """Find genes with one given model of the finder.

    Args:
        text: See :func:`search`.
        chosen: One of the models of meta mode, such as won a search.

    Cost: about 0.2 CPU s per megabase.
    """
    if len(text) < SHORTEST_TEXT_BP:
        return Search((), None)
    models = MetagenomicBins([chosen])
    finder = GeneFinder(meta=True, metagenomic_bins=models, mask=_has_gap(text))
    calls = tuple(_call(gene) for gene in finder.find_genes(text))
    return Search(calls, chosen, model_name=_source_of(chosen.description))


def _has_gap(text: str) -> bool:
    """Whether a text has a run of unknown bases that the finder must mask.

    To look for it itself takes the finder a sixth of its time, and a pattern longer than to see
    that there are not so many unknown bases at all.
    """
    unknown = text.encode("ascii").translate(None, b"ACGT")
    return len(unknown) >= _GAP_BP and _GAP.search(text) is not None


def finder_confidence(total: float) -> float:
    """Prodigal's own reading of a score as a probability: logistic, 0.5 to 0.9999.

    Source: Hyatt D, et al. BMC Bioinformatics 2010;11:119; its start weight is 4.35 in
    all models that come with it.
    """
    return min(0.9999, max(0.5, 1 / (1 + math.exp(-max(total, 0.0) / _START_WEIGHT))))


def _call(gene: Gene) -> Call:
    """A gene of pyrodigal (1-based, ends included) as a plain value."""
    return Call(
        interval=Interval.from_one_based(gene.begin, gene.end),
        strand=Strand(gene.strand),
        clipped_left=gene.partial_begin,
        clipped_right=gene.partial_end,
        scores=CallScores(
            total=gene.score,
            coding=gene.cscore,
            start=gene.sscore,
            start_codon=gene.start_type,
            rbs_motif=gene.rbs_motif,
            confidence=gene.confidence() / 100,
            rbs_spacer=gene.rbs_spacer,
            rbs_score=gene.rscore,
        ),
    )


def scored_starts(text: str, found: Search) -> Starts:
    """Starts of all frames from 60 bases up, under the model that won.

    The finder's own list stops at 90 bases, so it is made anew with a lower limit, in
    meta mode: there scores depend on the frame alone, while otherwise those of called
    genes carry a bonus for their neighbours. The text form is the documented one that
    carries ribosome binding sites.

    Args:
        text: What was searched.
        found: What :func:`search` found on it.

    Cost: about 0.5 CPU s per megabase.
    """
    if found.chosen is None:
        return NO_STARTS
    trained = isinstance(found.chosen, TrainingInfo)
    model = MetagenomicBin(found.chosen, "trained here") if trained else found.chosen
    finder = GeneFinder(
        meta=True,
        metagenomic_bins=MetagenomicBins([model]),
        mask=_has_gap(text),
        min_gene=MIN_CANDIDATE_BP,
        max_overlap=MIN_CANDIDATE_BP,
    )
    listed = finder.find_genes(text)
    if listed.training_info is None:
        return NO_STARTS
    table = io.StringIO()
    listed.write_scores(table, "text", header=False)
    return _starts_of(table.getvalue())


def _starts_of(table: str) -> Starts:
    """The finder's table of starts as columns, without frames that an end of the text cuts."""
    read = read_start_table(table, _EDGE_CODON)
    first, last, strand = read.places
    total, coding, score, site, upstream, kind = read.scores
    codon, motif, spacer = read.words
    motif[motif == _NO_MOTIF] = None
    spacer[spacer == _NO_MOTIF] = None
    return Starts(
        start=first - 1,
        end=last,
        strand=strand,
        total=total,
        coding=coding,
        score=score,
        codon=codon,
        motif=motif,
        spacer=spacer,
        site=site,
        upstream=upstream,
        kind=kind,
    )


def _source_of(description: str) -> str:
    """``model of Escherichia coli UMN026`` from ``20|Escherichia_coli_UMN026|B|50.7|11|1``."""
    name = description.split("|")[1].replace("_", " ")
    recoding = description.partition(", ")[2]
    return f"model of {name}" + (f" {recoding}" if recoding else "")


@lru_cache(maxsize=8)
def models_for(code: int) -> MetagenomicBins:
    """Models to choose from on a contig of NCBI genetic code ``code``.

    Cost: nothing for code 11; about 0.1 s once per process for any other.
    """
    shipped = tuple(METAGENOMIC_BINS)
    if code in VIRAL_MODEL_CODES:
        from pyrodigal_gv import METAGENOMIC_BINS as VIRAL  # noqa: PLC0415 - takes 2 s

        shipped = tuple(VIRAL)
    native = [model for model in shipped if model.training_info.translation_table == code]
    if code == STANDARD_CODE:
        return MetagenomicBins(native)
    standard = [m for m in shipped if m.training_info.translation_table == STANDARD_CODE]
    return MetagenomicBins([*native, *(recoded(model, code) for model in standard)])


@lru_cache(maxsize=_MOST_RECODED)
def recoded(model: MetagenomicBin, code: int) -> MetagenomicBin:
    """The same model for another genetic code.

    Args:
        model: A model of code 11.
        code: NCBI genetic code whose stop codons are among those of code 11.

    Returns:
        A model in which hexamers with a codon that is no longer a stop weigh
        nothing (in the original they weigh as much as a stop inside a gene).
        Weakness: it cannot see that such a codon is usual in this genome.

    Cost: 0.2 ms, once for the models that were asked for last.
    """
    copied = io.BytesIO()
    model.training_info.dump(copied)
    copied.seek(0)
    training = TrainingInfo.load(copied)
    training.translation_table = code
    weights = np.array(training.coding_statistics)
    weights[_freed_hexamers(code)] = _NEUTRAL
    training.coding_statistics = weights.tolist()
    return MetagenomicBin(training, f"{model.description}, recoded to {code}")


@lru_cache(maxsize=8)
def _freed_hexamers(code: int) -> list[int]:
    """Indices of hexamers with a stop of code 11 that ``code`` reads, and no stop of its own.

    Prodigal packs a hexamer in two bits a base, first base lowest, A G C T as 0 to 3.
    """
    stops = stop_codons(code)
    freed = stop_codons(STANDARD_CODE) - stops
    read = set(map("".join, product("ACGT", repeat=3))) - stops
    pairs = [(codon, other) for codon in freed for other in read]
    hexamers = {one + other for pair in pairs for one, other in (pair, pair[::-1])}
    return [
        sum(_DIGITS[base] << (2 * place) for place, base in enumerate(bases))
        for bases in sorted(hexamers)
    ]
