"""What was measured, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from genint.model.rescue import RescueKind
from training.genes.measuring import Measured, Rescued

_BINS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)


def figures_text(measured: Sequence[Measured], basis: str) -> str:
    """The document: genome by genome, and how probabilities hold."""
    return "\n".join(_lines(measured, basis)) + "\n"


def _lines(measured: Sequence[Measured], basis: str) -> Iterator[str]:
    yield "# Genes that a gene finder leaves out: what was measured"
    yield ""
    yield f"Made by `python -m training.genes`. {basis}"
    yield "Every genome is judged by models that were fitted without it and its near relatives, by"
    yield "its bases alone: no protein family had a say. A gene is found where its stop codon is."
    yield ""
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
    yield ""
    yield "How probabilities hold (frames from 0.1 on, accepted or not):"
    yield ""
    yield "| told | frames | genes of the record | share | mean told |"
    yield "| --- | --- | --- | --- | --- |"
    yield from _reliability(everything)


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
        tuple(frame for one in measured for frame in one.rescued),
    )


def _reliability(frames: Sequence[Rescued]) -> Iterator[str]:
    for low, high in pairwise(_BINS):
        mine = [one for one in frames if low <= one.probability < high]
        if mine:
            genes = sum(one.is_gene for one in mine)
            told = sum(one.probability for one in mine) / len(mine)
            share = genes / len(mine)
            yield f"| {low:.1f} to {high:.1f} | {len(mine)} | {genes} | {share:.2f} | {told:.2f} |"
