"""The figures of the bench: of names, levels, scores and COG letters; pure functions on rows.

A claim is right for what it is said of (:attr:`training.blind.truth.Row.right`). Only genes
whose record says something are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from genint.model.rescue import wilson
from training.blind.truth import Figures, Row, count

LEVELS = ("HIGH", "MODERATE", "LOW", "SPECULATIVE")
BINS = 10
HIGH = LEVELS[0]
_TWO_TYPES = 2


class Share(NamedTuple):
    """How many of how many."""

    right: int
    judged: int

    @property
    def value(self) -> float:
        """0..1; 0 of none."""
        return self.right / max(1, self.judged)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, of 95 %."""
        return wilson(self.right, self.judged)

    def __str__(self) -> str:
        if not self.judged:
            return "-"
        low, high = self.interval
        return f"{self.value:.2f} ({low:.2f}-{high:.2f})"


class Bin(NamedTuple):
    """Claims whose scores lie in ``low <= score < high``; the last one takes 1 too.

    Attributes:
        low, high: Its edges.
        claims: How many were judged.
        score_sum: Of their scores.
        right: How many were right.
    """

    low: float
    high: float
    claims: int
    score_sum: float
    right: int

    @property
    def predicted(self) -> float:
        """Mean score; nought without claims."""
        return self.score_sum / max(1, self.claims)

    @property
    def observed(self) -> float:
        """Share that was right; nought without claims."""
        return self.right / max(1, self.claims)


def says_no_wrong(row: Row) -> bool:
    """Whether a judged name is right or merely vaguer."""
    return row.judged and not row.wrong


def bins_of(rows: Iterable[Row], is_right: Callable[[Row], bool] | None = None) -> tuple[Bin, ...]:
    """Judged claims that have a score, in ten bins of equal width.

    Args:
        rows: Genes under one program.
        is_right: What counts; by default, being right for what is claimed.
    """
    judged = is_right or (lambda row: row.right)
    bins = [Bin(at / BINS, (at + 1) / BINS, 0, 0.0, 0) for at in range(BINS)]
    for row in rows:
        if row.told is None or row.told.score is None or not row.judged:
            continue
        # Rounded first: 0.3 times ten may fall short of three.
        at = min(int(round(row.told.score * BINS, 9)), BINS - 1)
        known = bins[at]
        bins[at] = known._replace(
            claims=known.claims + 1,
            score_sum=known.score_sum + row.told.score,
            right=known.right + judged(row),
        )
    return tuple(bins)


def expected_calibration_error(bins: Sequence[Bin]) -> float | None:
    """Mean distance of score and share right over the bins, weighted by claims; None of none.

    Source: Naeini et al. 2015, doi:10.1609/aaai.v29i1.9602
    """
    claims = sum(one.claims for one in bins)
    if not claims:
        return None
    return sum(one.claims * abs(one.predicted - one.observed) for one in bins) / claims


class LevelFigures(NamedTuple):
    """Claims of one level.

    Attributes:
        names: Of whole proteins, judged ones that are right.
        claims: Of whole proteins, classes and domains, each for what it is said of.
        vaguer: Whole-protein names that are right but say less than the record.
        wrong: Claims that are wrong.
        opposite: Of these, those that say the opposite.
    """

    names: Share
    claims: Share
    vaguer: int
    wrong: int
    opposite: int


def by_level(rows: Iterable[Row]) -> Mapping[str, LevelFigures]:
    """Figures of each level, best first; levels without a claim too."""
    listed = list(rows)
    return {
        level: _level(row for row in listed if row.told and row.told.level == level)
        for level in LEVELS
    }


def _level(rows: Iterable[Row]) -> LevelFigures:
    listed = list(rows)
    figures = count(listed)
    opposite = [row for row in listed if row.wrong and row.verdict == "opposite"]
    return LevelFigures(
        names=Share(figures.right, figures.judged),
        claims=Share(figures.claims_right, figures.claims_judged),
        vaguer=figures.not_wrong - figures.right,
        wrong=sum(row.wrong for row in listed),
        opposite=len(opposite),
    )


def high_share(rows: Iterable[Row]) -> Share:
    """Of all genes whose record says something, found or not, those with a name that is HIGH."""
    listed = [row for row in rows if row.gene.informative]
    named = [row for row in listed if row.told and row.told.is_whole and _is_high(row)]
    return Share(len(named), len(listed))


def high_on_one_type(rows: Iterable[Row]) -> int:
    """Genes that are HIGH though no two types of evidence agree; there should be none."""
    return sum(_is_high(row) and row.told.types < _TWO_TYPES for row in rows if row.told)


def _is_high(row: Row) -> bool:
    return row.told is not None and row.told.level == HIGH and bool(row.told.name)


@dataclass(frozen=True, slots=True)
class CogFigures:
    """COG letters told against those of the reference.

    Attributes:
        known: Genes with a letter in the reference.
        told: Of these, those that the program gave a letter.
        right: Of these, those with a letter that the reference has too.
    """

    known: int = 0
    told: int = 0
    right: int = 0

    @property
    def accuracy(self) -> Share:
        """Of the letters told, those that are right."""
        return Share(self.right, self.told)


def count_cog(pairs: Iterable[tuple[str, str]]) -> CogFigures:
    """Figures of (letters of the reference, letters told); either may be empty.

    Both may hold several letters, of which one in common is enough.
    """
    with_letter = [(known, told) for known, told in pairs if known]
    answered = [(known, told) for known, told in with_letter if told]
    right = sum(bool(set(known) & set(told)) for known, told in answered)
    return CogFigures(len(with_letter), len(answered), right)


@dataclass(frozen=True, slots=True)
class NameSummary:
    """All that the bench says of names.

    Attributes:
        figures: Whole-protein names, and claims of domains and classes.
        levels: By level.
        bins: Of scores, for what is claimed.
        error: Expected calibration error over them; None without a score.
        error_not_wrong: The same where vaguer names count as right.
        high: Share of telling records whose gene is named with HIGH confidence.
        high_on_one_type: How many are HIGH on a single type of evidence.
    """

    figures: Figures
    levels: Mapping[str, LevelFigures]
    bins: tuple[Bin, ...]
    error: float | None
    error_not_wrong: float | None
    high: Share
    high_on_one_type: int


def summary_of(rows: Iterable[Row]) -> NameSummary:
    """Figures of genes under one program."""
    listed = list(rows)
    bins = bins_of(listed)
    return NameSummary(
        figures=count(listed),
        levels=by_level(listed),
        bins=bins,
        error=expected_calibration_error(bins),
        error_not_wrong=expected_calibration_error(bins_of(listed, says_no_wrong)),
        high=high_share(listed),
        high_on_one_type=high_on_one_type(listed),
    )
