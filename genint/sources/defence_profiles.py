"""Search of proteins with the profiles of an installed PADLOC-DB.

What a hit is worth is for the limits of its profile to say, as PADLOC does: the E-value of the
best domain, and the shares of profile and protein that it covers (Payne LJ, et al. Nucleic Acids
Res 2021;49:10868). E-values grow with the number of proteins of the genome, which an answer that
is kept must not depend on: here they are those of one protein.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pyhmmer
from pyhmmer.easel import Alphabet
from pyhmmer.errors import EaselError
from pyhmmer.plan7 import HMMPressedFile, Pipeline, TopHits

from genint.errors import UnavailableError, WorkCancelled
from genint.knowledge.defence import DefenceProfile, is_within, load_defence_profiles
from genint.model.overview import MarkerHit
from genint.native.subnormals import subnormals_as_zero
from genint.sources.profiles import LONGEST_PROTEIN, MOST_CELLS, digital, is_endless_repeat

SEARCH_VERSION = 1
"""Raised with every change by which the same protein and profiles give another answer."""
Protein = tuple[str, str]
"""Gene id and residues."""
_SEED = 42
"""Of HMMER's sampling of domains, so that a search gives the same twice."""
_YOUNG = 1
"""Generations of the garbage collector in which what a search leaves behind still is."""
_MOST_EVALUE = 0.01
"""Of a protein by itself, so that no domain within the limits of its profile is left out."""


class DefenceProfiles(NamedTuple):
    """Where the profiles are; small, hashable and picklable.

    Attributes:
        name: With its release, as reports call it.
        folder: Where they were installed.
        stem: Of the pressed profiles, without suffix.
        digest: Identity of the profiles and their limits.
    """

    name: str
    folder: Path
    stem: Path
    digest: str

    @property
    def identity(self) -> str:
        """All that an answer depends on, but for the protein."""
        return f"{self.digest}|pyhmmer {pyhmmer.__version__}|{SEARCH_VERSION}"


def search_defence(
    proteins: Sequence[Protein],
    database: DefenceProfiles,
    *,
    is_cancelled: Callable[[], bool] | None = None,
) -> tuple[MarkerHit, ...]:
    """Hits of proteins that keep the limits of their profile in a genome of one protein.

    Args:
        proteins: Gene ids, each once, with their residues.
        database: The profiles.
        is_cancelled: Called before every profile.

    Returns:
        In the order of ``proteins``, best E-value first within one; the coverages are those of
        the best domain.

    Raises:
        WorkCancelled: ``is_cancelled`` returned true.
        UnavailableError: the installed profiles are gone or damaged.

    Cost: some 15 billion residue-node pairs a second and core (5,000 profiles have 1.1 million
    nodes), plus 0.1 s for every million nodes.
    """
    places = [
        at
        for at, (_, residues) in enumerate(proteins)
        if residues and not is_endless_repeat(residues)
    ]
    if not places:
        return ()
    try:
        found = list(_search(proteins, places, database, is_cancelled or (lambda: False)))
    except (OSError, EaselError, SystemError, ValueError, IndexError) as problem:
        raise UnavailableError(
            f"{database.name}: the installed profiles cannot be read; "
            "`genint db verify padloc` says what is wrong with them"
        ) from problem
    gc.collect(_YOUNG)
    found.sort(key=lambda item: (item[0], item[1].evalue, item[1].accession))
    return tuple(hit for _, hit in found)


@lru_cache(maxsize=2)
def _described(folder: Path) -> tuple[DefenceProfile, ...]:
    return load_defence_profiles(folder)


def _search(
    proteins: Sequence[Protein],
    places: Sequence[int],
    database: DefenceProfiles,
    is_cancelled: Callable[[], bool],
) -> Iterator[tuple[int, MarkerHit]]:
    """Place in the chunk and hit."""
    described = _described(database.folder)
    sequences = digital(proteins, LONGEST_PROTEIN, places)
    longest = max(min(LONGEST_PROTEIN, len(proteins[at][1])) for at in places)
    # HMMER's own first filters, as PADLOC searches with them.
    pipeline = Pipeline(
        Alphabet.amino(), Z=1, domZ=1, E=_MOST_EVALUE, domE=_MOST_EVALUE, seed=_SEED
    )
    searched = 0
    with HMMPressedFile(database.stem) as pressed:
        for profile in pressed:
            if is_cancelled():
                raise WorkCancelled("the profile search was cancelled")
            chosen = sequences
            if profile.M * longest > MOST_CELLS:
                chosen = digital(proteins, MOST_CELLS // profile.M, places)
            with subnormals_as_zero():
                hits = pipeline.search_hmm(profile, chosen)
            yield from _hits(hits, profile.M, described[searched], proteins, database.name)
            pipeline.clear()
            searched += 1
    if searched != len(described):
        raise ValueError("other profiles than the table describes")


def _hits(
    hits: TopHits,
    length: int,
    profile: DefenceProfile,
    proteins: Sequence[Protein],
    database: str,
) -> Iterator[tuple[int, MarkerHit]]:
    """Those whose best domain is within the limits of the profile."""
    for hit in hits.reported:
        best = min(hit.domains.reported, key=lambda domain: domain.i_evalue, default=None)
        if best is None:
            continue
        at = int(hit.name)
        gene_id, residues = proteins[at]
        aligned = best.alignment
        # As PADLOC counts it: from the first to the last position, the first not counted.
        of_profile = (aligned.hmm_to - aligned.hmm_from) / length
        of_protein = (aligned.target_to - aligned.target_from) / len(residues)
        if is_within(profile, best.i_evalue, of_profile, of_protein):
            yield (
                at,
                MarkerHit(
                    gene_id=gene_id,
                    database=database,
                    accession=profile.accession,
                    name=profile.name,
                    kind=profile.proteins[0],
                    score_bits=best.score,
                    evalue=best.i_evalue,
                    identity=None,
                    coverage=of_protein,
                    target_coverage=of_profile,
                ),
            )
