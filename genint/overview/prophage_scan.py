"""Where the genes of a bacterium are those of prophages: two states along the order of genes.

The probability of each gene follows from the log-odds of all genes around it by the forward and
backward sums of a hidden Markov model (Rabiner LR. Proc IEEE 1989;77:257). Runs of probable
genes that hold what prophages are known by are regions.

Prophages of filamentous phages are too small, and their genes too little known, for these sums.
They are found from the ATPase that assembles the virion, which all of them have (pI, called zona
occludens toxin in *Vibrio cholerae* phage CTX; Roux S, et al. Nat Microbiol 2019;4:1895).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import exp
from typing import Final, NamedTuple

from genint.knowledge.own_families import FamilyPack, OwnFamily
from genint.knowledge.prophages import GeneLook, ProphageModel, Recognised, Task
from genint.model.evidence import Evidence
from genint.model.vocabulary import EvidenceSource
from genint.overview.record import Player

_APART_BP: Final = 100
_WEIGHT: Final = 0.7
"""Of log-odds that are summed as if they were independent, which they do not quite."""
_MOST_LOG_ODDS: Final = 6.0
"""No single gene decides."""
_FIRST: Final = 0.03
"""Share of prophage genes in bacteria, for the first gene of a record."""
_PROBABLE: Final = 0.5
_JOIN_GENES: Final = 5
"""Runs with fewer genes between them are one."""
REACH_GENES: Final = 10
"""How far beyond a run its integrase, or what it transposes by, may lie."""
_LEAST_GENES: Final = 6
_LEAST_WITHOUT_VIRION: Final = 12
_LEAST_FAMILIES: Final = 4
"""A region without genes of a virion has an integrase, so many genes, so many of phages."""


_ASSEMBLY: Final = re.compile(
    r"\bzona occludens toxin|\bzot\b|filamentous phage assembly|\bassembly protein pI\b", re.I
)
_ASSEMBLY_PFAM: Final = "PF05707"
_FILAMENTOUS_GENES: Final = range(6, 16)
"""Known ones have some 8 to 14."""
_MOST_SPACE_BP: Final = 1_000
"""Between genes of a filamentous phage."""
_LEAST_COMPLETE: Final = 25
_LEAST_VIRION: Final = 5


class Run(NamedTuple):
    """Genes of a record, first and last of them, by position, both included."""

    first: int
    last: int

    def of(self, looks: Sequence[GeneLook]) -> Sequence[GeneLook]:
        """Its genes."""
        return looks[self.first : self.last + 1]


def looks_of(players: Sequence[Player], families: Mapping[str, OwnFamily]) -> tuple[GeneLook, ...]:
    """What counts of each gene of a record, by position."""
    return tuple(
        GeneLook(
            Task.of(player.category),
            _recognised(player, families),
            len(player.result.gene.protein or ""),
            before is not None and before.result.gene.strand is not player.result.gene.strand,
            before is not None
            and player.result.gene.span.start - before.result.gene.span.end > _APART_BP,
        )
        for before, player in pairwise((None, *players))
        if player is not None
    )


def _recognised(player: Player, families: Mapping[str, OwnFamily]) -> Recognised:
    read = player.result.interpretation
    evidence = () if read is None else read.evidence
    own = [item for item in evidence if item.support is not None and item.accession in families]
    if own:
        best = max(own, key=_bits)
        is_phage = families[best.accession or ""].pack is FamilyPack.PHAGE
        return Recognised.PHAGE_FAMILY if is_phage else Recognised.BACTERIAL_FAMILY
    if any(item.source is EvidenceSource.PFAM for item in evidence):
        return Recognised.PFAM
    return Recognised.NOTHING


def _bits(item: Evidence) -> float:
    return item.measured.score_bits or 0.0


def regions_of(looks: Sequence[GeneLook], model: ProphageModel) -> tuple[Run, ...]:
    """Regions of prophages along a record, by position."""
    found = (_trimmed(run, looks) for run in _probable_runs(looks, model))
    return tuple(run for run in found if _is_prophage(run.of(looks)))


def filamentous_runs(players: Sequence[Player], looks: Sequence[GeneLook]) -> tuple[Run, ...]:
    """Prophages of filamentous phages along a record, by position.

    Around the gene of the ATPase they reach as far as genes on its strand, one close behind the
    other, are dark or of phages.
    """
    runs: list[Run] = []
    for at, player in enumerate(players):
        if _assembles_filaments(player) and not (runs and at <= runs[-1].last):
            run = Run(_end_of(players, looks, at, -1), _end_of(players, looks, at, 1))
            if run.last - run.first + 1 in _FILAMENTOUS_GENES:
                runs.append(run)
    return tuple(runs)


def _assembles_filaments(player: Player) -> bool:
    read = player.result.interpretation
    if read is None:
        return False
    return any(
        _ASSEMBLY.search(item.subject) or item.accession == _ASSEMBLY_PFAM for item in read.evidence
    )


def _end_of(players: Sequence[Player], looks: Sequence[GeneLook], at: int, step: int) -> int:
    while 0 <= at + step < len(players):
        here, there = players[at].result.gene, players[at + step].result.gene
        left, right = (here, there) if step > 0 else (there, here)
        is_far = right.span.start - left.span.end > _MOST_SPACE_BP
        if is_far or there.strand is not here.strand or not _may_be_phage(looks[at + step]):
            break
        at += step
    return at


def _may_be_phage(look: GeneLook) -> bool:
    if look.task in (Task.MOBILE, Task.INTEGRATION):
        return False
    return look.task is Task.UNKNOWN or look.by is Recognised.PHAGE_FAMILY


def probabilities(looks: Sequence[GeneLook], model: ProphageModel) -> list[float]:
    """Of each gene, that it is one of a prophage.

    Cost: 2 us a gene.
    """
    odds = [_odds(model.log_odds(look)) for look in looks]
    forward: list[float] = []
    before = _FIRST
    for odd in odds:
        inside = odd * before
        forward.append(inside / (inside + 1 - before))
        before = forward[-1] * (1 - model.leave) + (1 - forward[-1]) * model.enter
    back_inside = back_outside = 1.0
    found: list[float] = []
    for inside, odd in zip(reversed(forward), reversed(odds), strict=True):
        weighed = inside * back_inside
        found.append(weighed / (weighed + (1 - inside) * back_outside))
        stays = odd * back_inside
        back_inside, back_outside = (
            (1 - model.leave) * stays + model.leave * back_outside,
            model.enter * stays + (1 - model.enter) * back_outside,
        )
        total = back_inside + back_outside
        back_inside, back_outside = back_inside / total, back_outside / total
    return found[::-1]


def _odds(log_odds: float) -> float:
    return exp(max(-_MOST_LOG_ODDS, min(_MOST_LOG_ODDS, _WEIGHT * log_odds)))


def _probable_runs(looks: Sequence[GeneLook], model: ProphageModel) -> Iterator[Run]:
    run: Run | None = None
    for at, probability in enumerate(probabilities(looks, model)):
        if probability < _PROBABLE:
            continue
        if run is not None and at - run.last <= _JOIN_GENES:
            run = Run(run.first, at)
        else:
            if run is not None:
                yield run
            run = Run(at, at)
    if run is not None:
        yield run


def _trimmed(run: Run, looks: Sequence[GeneLook]) -> Run:
    """Without insertion sequences at its ends, up to an integrase that lies near."""
    first, last = run
    while first < last and looks[first].task is Task.MOBILE:
        first += 1
    while first < last and looks[last].task is Task.MOBILE:
        last -= 1
    left = range(first - 1, max(first - REACH_GENES, 0) - 1, -1)
    right = range(last + 1, min(last + REACH_GENES + 1, len(looks)))
    first = next((at for at in left if _is_integrase(looks[at])), first)
    last = next((at for at in right if _is_integrase(looks[at])), last)
    return Run(first, last)


def _is_integrase(look: GeneLook) -> bool:
    return look.task is Task.INTEGRATION and look.by is Recognised.PHAGE_FAMILY


def _is_prophage(looks: Sequence[GeneLook]) -> bool:
    tasks = [look.task for look in looks]
    virion = tasks.count(Task.VIRION) + tasks.count(Task.LYSIS)
    settled = tasks.count(Task.INTEGRATION) + tasks.count(Task.LYSOGENY)
    families = sum(
        look.by is Recognised.PHAGE_FAMILY and look.task is not Task.MOBILE for look in looks
    )
    if len(looks) < _LEAST_GENES or 2 * (virion + settled) < tasks.count(Task.MOBILE):
        return False
    if virion:
        return virion + settled > 1
    return settled > 0 and families >= _LEAST_FAMILIES and len(looks) >= _LEAST_WITHOUT_VIRION


def is_complete(looks: Sequence[GeneLook], *, transposes: bool = False) -> bool:
    """Whether a region has the genes of a whole tailed prophage, by the tasks of its genes.

    An integrase, five genes of a virion and one of lysis; 25 genes in all.

    Args:
        looks: Its genes.
        transposes: It has the transposition proteins of phage Mu, and so needs no integrase.
    """
    tasks = [look.task for look in looks]
    return (
        len(looks) >= _LEAST_COMPLETE
        and (transposes or Task.INTEGRATION in tasks)
        and Task.LYSIS in tasks
        and tasks.count(Task.VIRION) >= _LEAST_VIRION
    )
