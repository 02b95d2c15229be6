"""What was measured, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from genint.model.rescue import RescueKind
from training.genes.homology import Counted
from training.genes.measuring import Measured, Rescued

_BINS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)


class Figures(NamedTuple):
    """What is told.

    Attributes:
        alone: Genomes, by their bases alone.
        blind: The same with families that know nothing of them; empty: not measured.
        decoys: Decoys of them, by their bases alone.
        counted: Candidates by what recognises them.
    """

    alone: Sequence[Measured]
    blind: Sequence[Measured]
    decoys: Sequence[Measured]
    counted: Counted


def figures_text(figures: Figures, basis: str) -> str:
    """The document: genome by genome, decoys, and how probabilities hold."""
    return "\n".join(_lines(figures, basis)) + "\n"


def _lines(figures: Figures, basis: str) -> Iterator[str]:
    yield "# Genes that a gene finder leaves out: what was measured"
    yield ""
    yield f"Made by `python -m training.genes`. {basis}"
    yield "Every genome, and every decoy of it, is judged by models that were fitted without it and"
    yield "its near relatives. A gene is found where its stop codon is."
    yield ""
    yield "## By its bases alone"
    yield ""
    yield from _genomes(figures.alone)
    yield ""
    yield "How probabilities hold (frames from 0.1 on, accepted or not):"
    yield ""
    yield from _reliability([one for each in figures.alone for one in each.rescued])
    if figures.blind:
        yield ""
        yield "## With Pfam and with families that know nothing of it"
        yield ""
        yield from _genomes(figures.blind)
        yield ""
        yield "Frames whose proteins were searched, and what the best hit adds:"
        yield ""
        yield "| best hit | genes of the record | other frames | log-odds |"
        yield "| --- | --- | --- | --- |"
        genes, others = figures.counted
        for kind, value in figures.counted.log_odds.items():
            yield f"| {kind} | {genes[kind]} | {others[kind]} | {value:+.2f} |"
    yield ""
    yield "## Decoys"
    yield ""
    yield "Each genome reversed, and with the codons of every gene shuffled: no rescued frame is a"
    yield "gene."
    yield ""
    yield from _decoys(figures.decoys)


def _genomes(measured: Sequence[Measured]) -> Iterator[str]:
    yield "| genome | genes | found by the finder | with rescued | precision before | after |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield from (_row(one) for one in measured)
    yield _row(_pooled(measured))
    yield ""
    yield "| rescued frames | accepted | genes of the record |"
    yield "| --- | --- | --- |"
    everything = [one for each in measured for one in each.rescued]
    for kind in RescueKind:
        mine = [one for one in everything if one.kind is kind and one.accepted]
        yield f"| {kind.value.replace('_', ' ')} | {len(mine)} | {sum(o.is_gene for o in mine)} |"


def _decoys(measured: Sequence[Measured]) -> Iterator[str]:
    yield "| decoys | Mb | rescued | per 50 kb |"
    yield "| --- | --- | --- | --- |"
    for name, mine in (
        ("reversed", [one for one in measured if one.genes == 0]),
        ("shuffled", [one for one in measured if one.genes > 0]),
    ):
        length_bp = sum(one.length_bp for one in mine)
        false = sum(one.accepted and not one.is_gene for each in mine for one in each.rescued)
        rate = false * 50_000 / max(length_bp, 1)
        yield f"| {name} | {length_bp / 1e6:.2f} | {false} | {rate:.2f} |"


def _row(one: Measured) -> str:
    taken = [r for r in one.rescued if r.accepted and r.kind is not RescueKind.INTERNAL_START]
    right = sum(r.is_gene for r in taken)
    before, after = one.called / one.calls, (one.called + right) / (one.calls + len(taken))
    return (
        f"| {one.name} | {one.genes} | {one.called} ({one.called / one.genes:.3f}) |"
        f" {one.called + right} ({(one.called + right) / one.genes:.3f}) | {before:.3f} |"
        f" {after:.3f} |"
    )


def _pooled(measured: Sequence[Measured]) -> Measured:
    return Measured(
        "all",
        sum(one.genes for one in measured),
        sum(one.called for one in measured),
        sum(one.calls for one in measured),
        sum(one.length_bp for one in measured),
        tuple(frame for one in measured for frame in one.rescued),
    )


def _reliability(frames: Sequence[Rescued]) -> Iterator[str]:
    yield "| told | frames | genes of the record | share | mean told |"
    yield "| --- | --- | --- | --- | --- |"
    for low, high in pairwise(_BINS):
        mine = [one for one in frames if low <= one.probability < high]
        if mine:
            genes = sum(one.is_gene for one in mine)
            told = sum(one.probability for one in mine) / len(mine)
            share = genes / len(mine)
            yield f"| {low:.1f} to {high:.1f} | {len(mine)} | {genes} | {share:.2f} | {told:.2f} |"
