"""What was measured of the statements on phages, as a text for readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from genint.knowledge.lifestyles import LifestyleMarks, LifestyleModel
from training.overview.lifestyles import Told
from training.overview.material import Known
from training.overview.modules import GENOMES, Coverage
from training.overview.relatives import JudgedHosts

FIGURES: Final = Path(__file__).with_name("figures.md")


class Figures(NamedTuple):
    """What was measured.

    Attributes:
        model: That was fitted on all phages.
        told: Of each tailed phage by a model without its group.
        hosts: By relatives, each phage left out.
        hosts_far: The same with its group left out.
        ends: Ways to pack: right, told and all, each phage left out with its group.
        untailed: Phages of known lifestyle in which no tailed phage was recognised.
        modules: Against the annotations of whole genomes.
    """

    model: LifestyleModel
    told: Sequence[Told]
    hosts: JudgedHosts
    hosts_far: JudgedHosts
    ends: tuple[int, int, int]
    untailed: Sequence[Known]
    modules: Sequence[Coverage]


def text_of_figures(figures: Figures) -> str:
    """The text: the same figures give the same bytes."""
    return "\n".join(_lines(figures)) + "\n"


def _lines(figures: Figures) -> Iterator[str]:
    yield "# Statements on phages, judged on phages that were left out"
    yield ""
    yield "Written by `python -m training.overview`. Proteins of named phages, searched without"
    yield "their names; lifestyles and their sources are in `phages.tsv`. Families were trained on"
    yield "these very proteins: genes are recognised somewhat better than in a phage never seen."
    yield ""
    yield from _lifestyles(figures)
    yield from _weights(figures.model)
    yield from _families(figures)
    yield from _hosts(figures)
    yield from _modules(figures.modules)


def _lifestyles(figures: Figures) -> Iterator[str]:
    told = figures.told
    groups = {one.example.known.group for one in told}
    clear = [one for one in told if one.is_clear]
    right = sum(_is_right(one) for one in clear)
    yield "## Lifestyle of tailed phages"
    yield ""
    yield f"{len(told)} phages of {len(groups)} groups, each judged by a model without its group:"
    yield f"{right} of {len(clear)} answers are right ({right / len(clear):.1%});"
    yield f"there is no answer for {len(told) - len(clear)}."
    yield f"By groups, each counting one: {_by_group(clear):.1%} right."
    yield ""
    alone = [one for one in told if one.is_clear_by_genes]
    right_alone = sum(_is_right(one) for one in alone)
    yield "These are whole genomes. Were they linear records that do not say so, a phage would be"
    yield "called virulent only where genes of all parts were recognised:"
    yield f"{right_alone} of {len(alone)} answers would be right ({right_alone / len(alone):.1%})."
    yield ""
    yield "| said | right | judged |"
    yield "|---|---|---|"
    for band in figures.model.bands:
        said = f"{band.lifestyle}, probability {band.least} and more"
        yield f"| {said} | {band.right} | {band.judged} |"
    yield ""
    wrong = [one for one in clear if not _is_right(one)]
    yield "Wrong: " + "; ".join(_named(one) for one in wrong) + "."
    yield ""
    unclear = [one for one in told if not one.is_clear]
    yield "Not told: " + "; ".join(_named(one) for one in unclear) + "."
    yield ""


def _is_right(one: Told) -> bool:
    return (one.temperate >= 0.5) == (one.example.known.lifestyle == "temperate")


def _by_group(told: Sequence[Told]) -> float:
    all_ = Counter(one.example.known.group for one in told)
    right = Counter(one.example.known.group for one in told if _is_right(one))
    return sum(right[group] / number for group, number in all_.items()) / len(all_)


def _named(one: Told) -> str:
    known = one.example.known
    doubt = ", repressors without integrase" if one.contradicts else ""
    return f"{known.name} ({known.lifestyle}, {one.temperate:.2f} temperate{doubt})"


def _weights(model: LifestyleModel) -> Iterator[str]:
    yield "| mark | log-odds of a temperate phage |"
    yield "|---|---|"
    yield f"| start | {model.start:+.2f} |"
    for name, weight in zip(LifestyleMarks._fields, model.weights, strict=True):
        yield f"| {name} | {weight:+.2f} |"
    yield ""


def _families(figures: Figures) -> Iterator[str]:
    yield "## Lifestyle of phages without a tail, by the family of their relatives"
    yield ""
    yield "| family | lifestyle | right | judged |"
    yield "|---|---|---|---|"
    for family in figures.model.families:
        yield f"| {family.name} | {family.lifestyle} | {family.right} | {family.judged} |"
    yield ""
    judged = sum(family.judged for family in figures.model.families)
    yield f"{len(figures.untailed)} phages have no gene that tells a tailed phage; of {judged} a"
    yield "family was told, each phage itself left out."
    yield ""


def _hosts(figures: Figures) -> Iterator[str]:
    yield "## Host by relatives"
    yield ""
    for what, hosts in (
        ("itself left out", figures.hosts),
        ("left out with its group", figures.hosts_far),
    ):
        yield f"* Each phage {what} ({hosts.number} phages): right genera by phages that are"
        yield f"  very near {hosts.near_right} of {hosts.near_told}, by less near ones"
        yield f"  {hosts.right} of {hosts.told}."
    yield ""
    yield "## Ends of the genome by phages whose terminase is in the same family"
    yield ""
    right, told, number = figures.ends
    yield f"* Each phage left out with its group: {right} of {told} told right, {number} phages."


def _modules(modules: Sequence[Coverage]) -> Iterator[str]:
    yield ""
    yield "## Modules against annotations"
    yield ""
    yield f"{len(GENOMES)} annotated tailed phages, interpreted without their annotations."
    yield ""
    yield "| module | genes by the record | told | told and by the record, of those told |"
    yield "|---|---|---|---|"
    for one in modules:
        found = f"{one.both} ({one.both / max(one.record, 1):.0%})"
        held = f"{one.both} of {one.told} ({one.both / max(one.told, 1):.0%})"
        yield f"| {one.module} | {one.record} | {found} | {held} |"
