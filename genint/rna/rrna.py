"""rRNA genes, found with profiles of Rfam for 5S, 16S and 23S rRNA.

The models of bacteria are searched over the whole contig. Those of archaea recognise the
same places, only better where the genome is one, so they are searched at these places alone:
that halves the cost. Hits below the gathering threshold of a family are none.

Source: Nawrocki & Eddy 2013, doi:10.1093/bioinformatics/btt403 (nhmmer: Wheeler & Eddy
2013); Seemann, barrnap, github.com/tseemann/barrnap (lengths at which a gene is partial
or none; the profiles come with ``pybarrnap``); Ontiveros-Palacios et al. 2025,
doi:10.1093/nar/gkae1023 (Rfam).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from genint.model.interval import Strand
from genint.native.subnormals import subnormals_as_zero
from genint.rna.merge import RnaHit, SearchedContig, by_position

if TYPE_CHECKING:
    from pyhmmer.plan7 import HMM


WHAT = "rRNA"
PRODUCTS = {
    "23S_rRNA": "23S ribosomal RNA",
    "16S_rRNA": "16S ribosomal RNA",
    "5S_rRNA": "5S ribosomal RNA",
}
"""Profile -> product, the costliest first."""
SHORTEST_BP = 30
_MIN_SHARE = 0.25
_PARTIAL_SHARE = 0.80
"""Share of the model below which a match is no gene, or a partial one (barrnap's)."""
_SEARCHED_AROUND_BP = 300
"""Bases on both sides of a place that the models of archaea are searched in: what a
weaker match left out of a gene's ends."""
_SURELY_BACTERIAL_BITS = 0.70
"""Per aligned position, from which the models of archaea are not searched. Bacterial 16S and 23S
score 0.8 to 1.0 with the models of bacteria, and 0.5 with those of archaea."""
_MOST_ADDED_SHARE = 0.08
"""Of the model, at either end: as much is added to a match whose ends are too unlike the
family to be aligned. Local alignments lose some 5 of the 120 bases of 5S rRNA so."""
_NEAR_EDGE_BP = 15
"""From an end of the contig: a match that stops there is a gene that runs off it."""
_MOST_BETWEEN_BP = 1_500
"""Between two matches of one gene: an intervening sequence in 23S rRNA has up to 1 kb."""
_UNIT = "bits"
_WINDOW_BP = 3_878
"""Bases at a time, 1.2 times the longest model."""


class _Match(NamedTuple):
    """A match on a text: forward coordinates, model positions 0-based half-open."""

    start: int
    end: int
    strand: Strand
    first: int
    last: int
    length: int
    score: float
    accession: str
    is_archaeal: bool


def method() -> str:
    """Program and version, as results name it."""
    return f"nhmmer (pyhmmer {version('pyhmmer')}, models of pybarrnap {version('pybarrnap')})"


def find_rrna(contig: SearchedContig, profile: str) -> tuple[RnaHit, ...]:
    """Find rRNA genes of one kind, by position.

    Args:
        contig: Where to look.
        profile: A key of :data:`PRODUCTS`.

    Cost: 0.6 CPU s a megabase for 23S, 0.25 for 16S, 0.02 for 5S.
    """
    if len(contig.bases) < SHORTEST_BP:
        return ()
    matches = _matches(contig.text, _profile("bac", profile))
    is_shared = profile == "5S_rRNA"  # one model for all domains of life
    if not is_shared and not all(map(_is_surely_bacterial, matches)):
        matches = _better_model(contig.text, matches, _profile("arc", profile))
    name = method()
    found = (_hit(contig, match, profile, name) for match in _joined(matches))
    return by_position(gene for gene in found if gene is not None)


@lru_cache(maxsize=6)
def _profile(domain: str, name: str) -> HMM:
    """A profile of pybarrnap, without importing it (its own imports take 0.4 s)."""
    from pyhmmer.plan7 import HMMFile  # noqa: PLC0415 - native, loaded late

    spec = find_spec("pybarrnap")
    assert spec is not None  # noqa: S101 - a dependency
    assert spec.submodule_search_locations is not None  # noqa: S101 - it is a package
    file = Path(spec.submodule_search_locations[0]) / "db" / "hmm" / f"{domain}.hmm"
    with HMMFile(file) as profiles:
        return next(profile for profile in profiles if profile.name == name)


def _matches(text: str, profile: HMM, *, is_archaeal: bool = False) -> list[_Match]:
    """Matches of at least the gathering threshold, by position."""
    from pyhmmer.easel import (  # noqa: PLC0415 - native, loaded late
        Alphabet,
        DigitalSequenceBlock,
        TextSequence,
    )
    from pyhmmer.plan7 import LongTargetsPipeline  # noqa: PLC0415

    alphabet = Alphabet.rna()
    sequence = TextSequence(name="contig", sequence=text).digitize(alphabet)
    pipeline = LongTargetsPipeline(
        alphabet, T=profile.cutoffs.gathering[0], window_length=_WINDOW_BP
    )
    with subnormals_as_zero():
        hits = pipeline.search_hmm(profile, DigitalSequenceBlock(alphabet, [sequence]))
    matches = []
    for hit in hits.reported:
        aligned = hit.best_domain.alignment
        ends = sorted((aligned.target_from, aligned.target_to))
        strand = Strand.FORWARD if aligned.target_from <= aligned.target_to else Strand.REVERSE
        matches.append(
            _Match(
                ends[0] - 1,
                ends[1],
                strand,
                aligned.hmm_from - 1,
                aligned.hmm_to,
                profile.M,
                float(hit.score),
                str(profile.accession),
                is_archaeal,
            )
        )
    return sorted(matches)


def _is_surely_bacterial(match: _Match) -> bool:
    return match.score >= _SURELY_BACTERIAL_BITS * (match.last - match.first)


def _better_model(text: str, matches: Sequence[_Match], archaeal: HMM) -> list[_Match]:
    """Matches of the archaeal model where they score more."""
    better: list[_Match] = []
    for start, end in _places(matches, len(text)):
        usual = [match for match in matches if start <= match.start and match.end <= end]
        other = [
            match._replace(start=match.start + start, end=match.end + start)
            for match in _matches(text[start:end], archaeal, is_archaeal=True)
        ]
        is_better = sum(m.score for m in other) > sum(m.score for m in usual)
        better.extend(other if is_better else usual)
    return sorted(better)


def _places(matches: Sequence[_Match], text_bp: int) -> Iterator[tuple[int, int]]:
    """Stretches around matches, those that touch joined."""
    open_start, open_end = -1, -1
    for match in matches:
        start = max(0, match.start - _SEARCHED_AROUND_BP)
        end = min(text_bp, match.end + _SEARCHED_AROUND_BP)
        if start > open_end:
            if open_end >= 0:
                yield open_start, open_end
            open_start, open_end = start, end
        open_end = max(open_end, end)
    if open_end >= 0:
        yield open_start, open_end


def _joined(matches: Sequence[_Match]) -> list[_Match]:
    """Matches of one gene that an insertion splits, as one."""
    joined: list[_Match] = []
    for match in matches:
        before = joined[-1] if joined else None
        if before is not None and _go_together(before, match):
            joined[-1] = before._replace(
                end=max(before.end, match.end),
                first=min(before.first, match.first),
                last=max(before.last, match.last),
                score=before.score + match.score,
            )
        else:
            joined.append(match)
    return joined


def _go_together(one: _Match, other: _Match) -> bool:
    """Whether the second goes on where the first stopped, on text and model."""
    if one.strand is not other.strand or other.start - one.end > _MOST_BETWEEN_BP:
        return False
    earlier, later = (one, other) if one.strand is Strand.FORWARD else (other, one)
    slack = round(0.05 * one.length)
    return later.first >= earlier.last - slack and later.last > earlier.last


def _hit(contig: SearchedContig, match: _Match, profile: str, name: str) -> RnaHit | None:
    share = (match.last - match.first) / match.length
    if share < _MIN_SHARE:
        return None
    missing_5, missing_3 = match.first, match.length - match.last
    forward = match.strand is Strand.FORWARD
    left, right = (missing_5, missing_3) if forward else (missing_3, missing_5)
    most = round(_MOST_ADDED_SHARE * match.length)
    text_bp = len(contig.text)
    start, end = match.start, match.end
    if left <= most or start <= _NEAR_EDGE_BP:
        start = max(0, start - left)
    if right <= most or text_bp - end <= _NEAR_EDGE_BP:
        end = min(text_bp, end + right)
    interval = contig.place(start, end)
    if interval is None:
        return None
    clipped_left = contig.at_edge(interval.start) and match.start - left < 0
    clipped_right = contig.at_edge(interval.end) and match.end + right > interval.end
    return RnaHit(
        interval=interval,
        strand=match.strand,
        kind="rRNA",
        product=PRODUCTS[profile],
        method=name,
        score=round(match.score, 1),
        score_unit=_UNIT,
        accession=match.accession,
        note=_note(match, share),
        partial_5=clipped_left if forward else clipped_right,
        partial_3=clipped_right if forward else clipped_left,
    )


def _note(match: _Match, share: float) -> str | None:
    remarks = []
    if share < _PARTIAL_SHARE:
        remarks.append(f"partial: {share:.0%} of the model's {match.length} positions are there")
    if match.is_archaeal:
        remarks.append("the model of archaea fits better than that of bacteria")
    text = "; ".join(remarks)
    return f"{text[0].upper()}{text[1:]}." if text else None
