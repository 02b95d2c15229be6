"""Prophages found in bacteria that the model was not fitted on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from genint.knowledge.prophages import Judged, ProphageModel
from genint.overview.prophage_scan import Run, is_complete, regions_of
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

Prophages of filamentous phages are found by their assembly protein; nothing of that is fitted, and
its limits were chosen on the one genome of the seven that has them.

"""
_PUBLISHED_HEAD = """\
## PhiSpy, as published

Roach MJ, et al. F1000Research 2022;10:758, doi:10.12688/f1000research.54449.2, with its table of
counts. PhiSpy with its usual settings reads the annotated genes of the files and was made with
them. The files had other marks at that time, so only the whole can be compared, and that roughly.

| genome | marked genes | recall | precision |
|---|---|---|---|
"""
_PUBLISHED = {
    "Brucella melitensis 16M": (33, 12, 45),
    "Neisseria meningitidis MC58": (46, 3, 4),
    "Paracoccus sp SCN 68-21": (51, 14, 30),
    "Shigella flexneri 2a str 301": (59, 176, 1),
    "Streptococcus pyogenes M1 GAS": (169, 0, 10),
    "Streptococcus pyogenes MGAS315": (334, 1, 16),
    "Streptococcus pyogenes MGAS8232": (299, 0, 18),
}
"""Genes rightly and wrongly taken for those of prophages, and missed ones."""


class RegionKind(Enum):
    """What a region is taken for."""

    WHOLE = "with most modules"
    PART = "others"
    FILAMENTOUS = "of filamentous phages"


class Result(NamedTuple):
    """What was found in one genome.

    Attributes:
        genome: Name of the file.
        marked: Genes that the file marks.
        found: Those of them in regions.
        inside: Genes of the file in regions.
        regions: For each region, whether it is right, and of which kind it is.
    """

    genome: str
    marked: int
    found: int
    inside: int
    regions: tuple[tuple[bool, RegionKind], ...]


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
    regions: list[tuple[bool, RegionKind]] = []
    for one in mine:
        marked += one.missed + sum(mark is True for mark in one.marked)
        for run, kind in _runs(one, model):
            marks = [m for m in one.marked[run.first : run.last + 1] if m is not None]
            found += sum(marks)
            inside += len(marks)
            regions.append((2 * sum(marks) >= len(marks), kind))
    return Result(mine[0].genome, marked, found, inside, tuple(regions))


def _runs(stretch: Stretch, model: ProphageModel) -> Iterator[tuple[Run, RegionKind]]:
    runs = regions_of(stretch.looks, model)
    for run in runs:
        is_whole = is_complete(run.of(stretch.looks))
        yield run, RegionKind.WHOLE if is_whole else RegionKind.PART
    for run in stretch.filamentous:
        if not any(run.first <= other.last and other.first <= run.last for other in runs):
            yield run, RegionKind.FILAMENTOUS


def judged_regions(results: Sequence[Result]) -> tuple[Judged, Judged]:
    """Right of all regions with most modules, and of the others."""
    regions = [region for result in results for region in result.regions]
    full = [right for right, kind in regions if kind is RegionKind.WHOLE]
    partial = [right for right, kind in regions if kind is RegionKind.PART]
    return Judged(sum(full), len(full)), Judged(sum(partial), len(partial))


def figures_of(alone: Sequence[Result], together: Sequence[Result]) -> str:
    """The text of ``prophages.md``."""
    return (
        _HEAD
        + "\n".join(_table("Each genome left out", alone))
        + "\n\n"
        + "\n".join(_table("Left out with all of its species (S. pyogenes)", together))
        + "\n\n"
        + _PUBLISHED_HEAD
        + "\n".join(_published())
        + "\n"
    )


def _published() -> Iterator[str]:
    every = tuple(map(sum, zip(*_PUBLISHED.values(), strict=True)))
    for genome, (right, wrong, missed) in (*_PUBLISHED.items(), ("all", every)):
        recall, precision = right / (right + missed), right / (right + wrong)
        yield f"| {genome} | {right + missed} | {recall:.3f} | {precision:.3f} |"


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
    counted = Counter(region for result in results for region in result.regions)
    parts = (
        f"{kind.value}: {counted[True, kind]} of {counted[True, kind] + counted[False, kind]}"
        for kind in RegionKind
    )
    yield f"\nRegions right, {', '.join(parts)}."


def _row(one: Result) -> str:
    right = sum(right for right, _ in one.regions)
    recall = one.found / one.marked if one.marked else 0.0
    precision = f"{one.found / one.inside:.3f}" if one.inside else "-"
    name = one.genome.replace("_", " ")
    wrong = len(one.regions) - right
    return f"| {name} | {one.marked} | {recall:.3f} | {precision} | {right} | {wrong} |"
