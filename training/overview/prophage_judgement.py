"""Prophages found in bacteria that the model was not fitted on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from genint.knowledge.prophages import Judged
from genint.overview.prophage_scan import is_complete, regions_of
from training.overview.prophage_fit import fit
from training.overview.prophage_material import Stretch

_HEAD = """\
# Prophages of seven bacteria

Made by `python -m training.overview.prophages`; not written by hand. The prophages were placed by
hand (`/is_phage` of the files that PhiSpy is tried on); the annotations are hidden from the
interpretation, and genes are told by their stop codons. The log-odds are counted on the other
genomes. The shape of the scan (its two transition probabilities, the weight of the sum, what
makes a run a region, how far an integrase may lie) was chosen while looking at these same seven
genomes, for which the figures are somewhat too good. Families that were made from prophages of S.
pyogenes M1 alone are hidden from all.

Recall: of the genes that the file marks. Precision: of the predicted genes in regions that the
file has. A region is right where half of its genes, or more, are marked.

"""
_TAIL = """
Figures of PhiSpy (Akhter S, Aziz RK, Edwards RA. Nucleic Acids Res 2012;40:e126) for the same
genomes and the same count of genes: not at hand.
"""


class Result(NamedTuple):
    """What was found in one genome.

    Attributes:
        genome: Name of the file.
        marked: Genes that the file marks.
        found: Those of them in regions.
        inside: Genes of the file in regions.
        regions: For each region, whether it is right and whether it has most modules.
    """

    genome: str
    marked: int
    found: int
    inside: int
    regions: tuple[tuple[bool, bool], ...]


def judge(stretches: Sequence[Stretch], *, by_group: bool) -> tuple[Result, ...]:
    """Each genome by a model that knows nothing of it, or of its species."""
    found = []
    for genome in dict.fromkeys(one.genome for one in stretches):
        mine = [one for one in stretches if one.genome == genome]
        group = mine[0].group
        rest = [
            one
            for one in stretches
            if one.genome != genome and not (by_group and one.group == group)
        ]
        found.append(_result(mine, rest))
    return tuple(found)


def _result(mine: Sequence[Stretch], rest: Sequence[Stretch]) -> Result:
    model = fit(rest)
    marked = found = inside = 0
    regions: list[tuple[bool, bool]] = []
    for one in mine:
        marked += one.missed + sum(mark is True for mark in one.marked)
        for run in regions_of(one.looks, model):
            marks = [m for m in one.marked[run.first : run.last + 1] if m is not None]
            found += sum(marks)
            inside += len(marks)
            regions.append((2 * sum(marks) >= len(marks), is_complete(run.of(one.looks))))
    return Result(mine[0].genome, marked, found, inside, tuple(regions))


def judged_regions(results: Sequence[Result]) -> tuple[Judged, Judged]:
    """Right of all regions with most modules, and of the others."""
    regions = [region for result in results for region in result.regions]
    full = [right for right, complete in regions if complete]
    partial = [right for right, complete in regions if not complete]
    return Judged(sum(full), len(full)), Judged(sum(partial), len(partial))


def figures_of(alone: Sequence[Result], together: Sequence[Result]) -> str:
    """The text of ``prophages.md``."""
    return (
        _HEAD
        + "\n".join(_table("Each genome left out", alone))
        + "\n\n"
        + "\n".join(_table("Left out with all of its species (S. pyogenes)", together))
        + "\n"
        + _TAIL
    )


def _table(title: str, results: Sequence[Result]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| genome | marked genes | recall | precision | regions right | regions wrong |"
    yield "|---|---|---|---|---|---|"
    for one in results:
        yield _row(one)
    yield _row(
        Result(
            "all",
            sum(one.marked for one in results),
            sum(one.found for one in results),
            sum(one.inside for one in results),
            tuple(region for one in results for region in one.regions),
        )
    )
    full, partial = judged_regions(results)
    others = f"others: {partial.right} of {partial.judged}."
    yield f"\nWith most modules: {full.right} of {full.judged} regions right; {others}"


def _row(one: Result) -> str:
    right = sum(right for right, _ in one.regions)
    recall = one.found / one.marked if one.marked else 0.0
    precision = f"{one.found / one.inside:.3f}" if one.inside else "-"
    name = one.genome.replace("_", " ")
    wrong = len(one.regions) - right
    return f"| {name} | {one.marked} | {recall:.3f} | {precision} | {right} | {wrong} |"
