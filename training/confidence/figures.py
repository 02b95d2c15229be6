"""Everything that was measured with a fit, as Markdown for people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from genint.interpret.agreement import STRENGTH_BESIDE_ENDOLYSIN, STRENGTH_OPERON
from genint.knowledge.confidence import Setting
from genint.model.interpretation import StatementKind
from genint.model.rescue import wilson
from genint.model.vocabulary import ConfidenceLevel
from training.confidence.back_off import Stated
from training.confidence.losses import losses_table
from training.confidence.marks import Borders
from training.confidence.measuring import (
    BINS,
    Counts,
    Told,
    as_by_words,
    by_level,
    calibration_error,
    counts,
    coverage,
    overconfidence,
    share_high,
)

_MOST_WRONG = 60
_LEVELS = (ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE, ConfidenceLevel.LOW)
_PLACES = {
    STRENGTH_OPERON: "the part of an ABC transporter beside it",
    STRENGTH_BESIDE_ENDOLYSIN: "the endolysin beside a small membrane protein",
}
_INTRODUCTION = """\
# Figures of the confidence model

Written by `python -m training.confidence`. Every genome was left out with its group: its genes
and those of its relatives had no part in the families, the reference, the gene order and the
parameters that it was judged by.

* **novel**: proteins that are 90 % identical or more to one of the genome are hidden too.
  **shipped**: families as they ship; in local mode a reference that has the proteins themselves.
* A claim is **true** where it holds as far as it goes; **full** where it says as much as the
  record. Truth is the record's product, or Swiss-Prot's name of the same sequence. Pairs of names
  that were read are judged by the reading (`readings.tsv`), others by their words; **by words**
  is what the judge of names says without any reading.
* **Coverage**: share of the genes whose record says something that got a name of the whole
  protein which is full. ECE: expected calibration error over ten bins.
"""


class Measured(NamedTuple):
    """What was measured.

    Attributes:
        novel: What was told where relatives were hidden.
        shipped: What was told with all that ships.
        ablations: What was told in the novel regime without a type of evidence.
        borders: Where levels begin, by setting.
        statements: What was stated of genes whose group had no part in the borders.
    """

    novel: Sequence[Told]
    shipped: Sequence[Told]
    ablations: Mapping[str, Sequence[Told]]
    borders: Mapping[Setting, Borders]
    statements: Mapping[Setting, Stated]


def figures_text(found: Measured, head: Iterable[str]) -> str:
    """The file.

    Args:
        found: What was measured.
        head: What the fit rests on.
    """
    return "\n".join(_lines(found, head)) + "\n"


def _lines(found: Measured, head: Iterable[str]) -> Iterator[str]:
    yield _INTRODUCTION
    yield " ".join(head)
    yield ""
    for setting, border in found.borders.items():
        yield (
            f"* {setting.mode}, {setting.kind.value}: HIGH is given from "
            f"{border.least_for_high:.2f} on, MODERATE from {border.least_for_moderate:.2f}."
        )
    yield ""
    yield "## Levels\n"
    yield from _levels({"novel": found.novel, "shipped": found.shipped})
    yield "\n## Statements (novel): the most precise one of each gene that keeps the promise\n"
    yield from _statements(found.statements)
    yield "\n## Where names get lost (novel)\n"
    yield from losses_table(found.novel)
    yield "\n## Names that neighbours give (novel)\n"
    yield from _by_place(found.novel)
    yield "\n## Genomes (novel)\n"
    yield from _genomes(found.novel)
    yield "\n## Reliability (novel): told, and how often true\n"
    yield from _reliability(found.novel)
    yield "\n## Without a type of evidence (novel)\n"
    yield from _ablations(found.novel, found.ablations)
    yield f"\n## The {_MOST_WRONG} surest claims that were not borne out (novel)\n"
    yield from _wrong(found.novel)


def _by_setting(told: Iterable[Told]) -> Mapping[Setting, list[Told]]:
    found: defaultdict[Setting, list[Told]] = defaultdict(list)
    for one in told:
        found[one.setting].append(one)
    return dict(sorted(found.items()))


def _levels(regimes: Mapping[str, Sequence[Told]]) -> Iterator[str]:
    yield "| regime | mode | kind | level | true | 95 % | full | mean score | by words |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for regime, told in regimes.items():
        for setting, listed in _by_setting(told).items():
            words = by_level(list(as_by_words(listed)))
            for level, said in by_level(listed).items():
                low, high = wilson(said.true, said.judged)
                yield (
                    f"| {regime} | {setting.mode} | {setting.kind.value} | {level.value} "
                    f"| {said.true:,} of {said.judged:,} ({_share(said.true, said.judged)}) "
                    f"| {low:.2f} to {high:.2f} | {_share(said.full, said.judged)} "
                    f"| {said.mean_score:.2f} "
                    f"| {_share_of(words.get(level))} |"
                )
    yield "\n| regime | mode | kind | genes | coverage | HIGH | ECE | too high by | by words |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for regime, told in regimes.items():
        for setting, listed in _by_setting(told).items():
            yield (
                f"| {regime} | {setting.mode} | {setting.kind.value} | {len(listed):,} "
                f"| {coverage(listed):.3f} | {share_high(listed):.3f} "
                f"| {calibration_error(listed):.3f} | {overconfidence(listed):.3f} "
                f"| {coverage(list(as_by_words(listed))):.3f} |"
            )


def _statements(statements: Mapping[Setting, Stated]) -> Iterator[str]:
    kinds = " | ".join(kind.value for kind in StatementKind)
    yield f"| mode | kind | genes | {kinds} | none |"
    yield "|---|---|---|" + "---|" * len(StatementKind) + "---|"
    for setting, stated in sorted(statements.items()):
        cells = [
            f"{right:,} of {judged:,} ({_share(right, judged)})"
            for right, judged in stated.held.values()
        ]
        left = stated.genes - sum(judged for _, judged in stated.held.values())
        yield (
            f"| {setting.mode} | {setting.kind.value} | {stated.genes:,} | {' | '.join(cells)} "
            f"| {left:,} |"
        )


def _by_place(told: Sequence[Told]) -> Iterator[str]:
    yield "| mode | kind | name by | genes | true | full |"
    yield "|---|---|---|---|---|---|"
    for setting, listed in _by_setting(told).items():
        for strength, what in _PLACES.items():
            said = counts(
                one for one in listed if one.best and one.best.evidence[0].strength == strength
            )
            yield (
                f"| {setting.mode} | {setting.kind.value} | {what} | {said.judged} | {said.true} "
                f"| {said.full} |"
            )


def _genomes(told: Sequence[Told]) -> Iterator[str]:
    yield "| mode | genome | genes | coverage | HIGH true | MODERATE true | LOW true | ECE |"
    yield "|---|---|---|---|---|---|---|---|"
    for setting, listed in _by_setting(told).items():
        for genome in dict.fromkeys(one.genome for one in listed):
            own = [one for one in listed if one.genome == genome]
            levels = by_level(own)
            cells = (
                f"{levels[level].true} of {levels[level].judged}" if level in levels else "-"
                for level in _LEVELS
            )
            yield (
                f"| {setting.mode} | {genome} | {len(own)} | {coverage(own):.2f} "
                f"| {' | '.join(cells)} | {calibration_error(own):.2f} |"
            )


def _reliability(told: Sequence[Told]) -> Iterator[str]:
    yield "| mode | kind | " + " | ".join(f"{at / BINS:.1f}" for at in range(BINS)) + " |"
    yield "|---|---|" + "---|" * BINS
    for setting, listed in _by_setting(told).items():
        cells = []
        for at in range(BINS):
            inside = [
                one
                for one in listed
                if one.best and min(BINS - 1, int(one.best.score * BINS)) == at
            ]
            said = counts(inside)
            share = _share(said.true, said.judged)
            cells.append(f"{said.mean_score:.2f}: {share} ({said.judged})" if said.judged else "-")
        yield f"| {setting.mode} | {setting.kind.value} | {' | '.join(cells)} |"


def _ablations(novel: Sequence[Told], ablations: Mapping[str, Sequence[Told]]) -> Iterator[str]:
    yield "| without | mode | kind | coverage | HIGH | HIGH true | MODERATE true | ECE |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, told in {"nothing": novel, **ablations}.items():
        for setting, listed in _by_setting(told).items():
            levels = by_level(listed)
            high, moderate = (
                _share(levels[level].true, levels[level].judged) if level in levels else "-"
                for level in _LEVELS[:2]
            )
            yield (
                f"| {name} | {setting.mode} | {setting.kind.value} | {coverage(listed):.3f} "
                f"| {share_high(listed):.3f} | {high} | {moderate} "
                f"| {calibration_error(listed):.3f} |"
            )


def _wrong(told: Sequence[Told]) -> Iterator[str]:
    yield "| genome | gene | record | told | score | mode | evidence |"
    yield "|---|---|---|---|---|---|---|"
    wrong = [
        (one.uncapped, one.best, one)
        for one in told
        if one.best and one.names_protein and one.judged and not one.judged.true
    ]
    seen: set[tuple[str, str]] = set()
    for uncapped, best, one in sorted(wrong, key=lambda row: (-row[0], row[2].gene)):
        if (one.genome, one.gene) in seen or len(seen) >= _MOST_WRONG:
            continue
        seen.add((one.genome, one.gene))
        grounds = ", ".join(item.accession or item.type.value for item in best.evidence)
        yield (
            f"| {one.genome} | {one.gene} | {_cell(one.product)} | {_cell(best.claim)} "
            f"| {best.score:.2f} ({uncapped:.2f}) | {one.setting.mode} | {_cell(grounds)} |"
        )


def _cell(text: str) -> str:
    return text.replace("|", "/")


def _share_of(said: Counts | None) -> str:
    return _share(said.true, said.judged) if said else "-"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"
