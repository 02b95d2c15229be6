"""Whether the levels that ship hold with new families, before everything is fitted anew.

    python -m training.confidence --check lambdoid mycoplasma

For some groups: families that know nothing of them, the parameters as they ship. Names of pairs
that nobody has read yet are judged by their words, which takes other words for wrong. The
parameters were fitted with these genomes among others; what is new to them are the families.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from genint.interpret.claims import ScoringModel
from genint.knowledge.confidence import Setting, load_confidence
from genint.knowledge.gene_order import load_gene_order
from genint.knowledge.name_lengths import load_name_lengths
from genint.knowledge.own_families import build_version
from genint.knowledge.products import load_products
from genint.knowledge.roles import load_roles
from genint.model.vocabulary import ConfidenceLevel
from training.confidence.hiding import Folders
from training.confidence.leaving_out import MODES
from training.confidence.measuring import Told, by_level, coverage, tell
from training.confidence.observations import Observed
from training.confidence.run import observe_novel

FILE = Path(__file__).with_name("check.md")
_LEVELS = (ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE)
_HEADING = (
    "| mode | genome | genes | coverage | HIGH held | MODERATE held |\n|---|---|---|---|---|---|"
)


def check(folders: Folders, groups: Sequence[str]) -> str:
    """The text of the table.

    Args:
        folders: Where.
        groups: Slugs of the groups to look at.
    """
    observed = observe_novel(folders, groups)
    vocabulary = load_products()
    base = ScoringModel(
        load_confidence(),
        load_roles(),
        vocabulary,
        gene_order=load_gene_order(),
        name_lengths=load_name_lengths(),
    )
    told = [one for mode in MODES for seen in observed for one in _tell(seen, mode, base)]
    head = (
        "# Levels that ship, with families made anew",
        f"`python -m training.confidence --check`: families {build_version()}, built without each "
        "group of genomes and without what is 90 % identical; parameters of the fit before them. "
        "Pairs of names that nobody has read are judged by words.",
        _HEADING,
    )
    return "\n".join(("\n\n".join(head), *rows(told))) + "\n"


def _tell(seen: Observed, mode: str, base: ScoringModel) -> Iterator[Told]:
    return tell(seen, replace(base, setting=Setting(mode, seen.panel.kind)))


def rows(told: Iterable[Told]) -> Iterator[str]:
    """By mode: each genome, then both kinds together."""
    by_genome: defaultdict[tuple[str, str], list[Told]] = defaultdict(list)
    together: defaultdict[tuple[str, str], list[Told]] = defaultdict(list)
    for one in told:
        by_genome[one.setting.mode, one.genome].append(one)
        together[one.setting.mode, f"all, {one.setting.kind.value}"].append(one)
    yield from _listed(by_genome)
    yield from _listed(together)


def _listed(found: Mapping[tuple[str, str], Sequence[Told]]) -> Iterator[str]:
    for (mode, name), some in found.items():
        levels = by_level(some)
        held = (
            f"{levels[level].true:,} of {levels[level].judged:,} "
            f"({levels[level].true / levels[level].judged:.3f})"
            if level in levels
            else "-"
            for level in _LEVELS
        )
        yield f"| {mode} | {name} | {len(some):,} | {coverage(some):.3f} | {' | '.join(held)} |"
