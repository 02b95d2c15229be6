"""Profile search: which families of a pack do proteins belong to?

The search runs in worker processes, chunk by chunk. Scores, E-values and the order
of hits depend on the protein and the pack alone, never on the chunk, the genome or
the number of workers: the size of the database that E-values refer to is fixed to
the number of profiles, and every comparison starts from the same random seed.

Source: Eddy 2011, doi:10.1371/journal.pcbi.1002195 (HMMER3); Larralde & Zeller
2023, doi:10.1093/bioinformatics/btad214 (pyhmmer).
"""

from __future__ import annotations

import gc
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import pyhmmer
from pyhmmer.easel import Alphabet, DigitalSequenceBlock, TextSequence
from pyhmmer.errors import EaselError
from pyhmmer.plan7 import HMM, HMMPressedFile, OptimizedProfile, Pipeline, TopHits

from genint.errors import UnavailableError, WorkCancelled
from genint.knowledge.family_index import FamilyIndex, index_in_memory, open_family_index
from genint.knowledge.own_families import FamilyPack
from genint.knowledge.profile_pack import UnpackedPack, rebuild, unpack
from genint.knowledge.table_files import HEADER_BYTES, PFAM_PACK, read_from, read_header, read_start
from genint.model.evidence import RIVAL_SHARE, ProfileHit
from genint.model.vocabulary import GenomeKind
from genint.native.prefilter import Pairs
from genint.native.subnormals import subnormals_as_zero
from genint.sources.family_candidates import (
    BACTERIAL_FAMILIES,
    PFAM_FAMILIES,
    PHAGE_FAMILIES,
    PREFILTER_VERSION,
    Candidates,
    FamilyFilter,
    Prefilter,
    are_nearest,
    side_by_side,
)

SEARCH_VERSION = 7
"""Raised with every change by which the same protein and profiles give another answer."""
_PFAM_FORWARD_P_VALUE = 1e-5
"""P-value of the Forward score from which HMMER looks for domains."""
_OWN_FORWARD_P_VALUE = 1e-6
"""The same for families of genint's own: they start from 25 bits (1e-9), and none of their
hits in eight genomes was lost by it."""
_SURE_SHARE = 0.9
"""Of a threshold, the share that the Forward score of a hit has in any case: a relative's protein
that stays below needs no domains, which cost most of a search."""
_END_AA = 20
"""Residues at an end of a protein that have no room for another family."""
_INSTALLED_FILTERS = {"F1": 0.005, "F2": 1e-4}
"""P-values of the scores from which HMMER compares a protein with a family closer, where every
protein is compared with every family; its own are 0.02 and 0.001. What they lose:
``benchmarks/search/prefilter.md``."""
_PFAM_FILTERS = {"F1": 0.01, "F2": 3e-4}
"""The same where the prefilter chose the families."""


@dataclass(frozen=True, slots=True)
class ProfileDatabase:
    """Where profiles are; small, hashable and picklable.

    Attributes:
        file: Name of the pack, or of the database that was installed.
        folder: Where the pack is; None for what ships.
        digest: Identity of the profiles.
        profiles: How many there are.
        pressed: Path of the pressed profiles without suffix; None to rebuild them
            from the pack (some 1 s for each chunk).
        block_of: Profiles of the whole of which these are a part, for E-values; None
            where these are all.
        is_installed: There is no pack, only the pressed profiles.
        is_prefiltered: Only pairs of a protein and a family that
            :mod:`genint.sources.family_candidates` chooses are compared.
        index: Where the index for that is; None to index the pack in memory (some 2 s).
        is_filtered: Of Pfam: HMMER's first filters are stricter than its own.
    """

    file: str
    folder: Path | None
    digest: str
    profiles: int
    pressed: Path | None = None
    block_of: int | None = None
    is_installed: bool = False
    is_prefiltered: bool = False
    index: Path | None = None
    is_filtered: bool = True

    @classmethod
    def of(cls, file: str, folder: Path | None = None, *, is_prefiltered: bool = False) -> Self:
        """A pack that ships with genint, or one of another build.

        Raises:
            UnavailableError: it is not there, damaged or of a format not known here.
        """
        header = read_header(read_start(folder, file, HEADER_BYTES))
        return cls(file, folder, header.digest, header.profiles, is_prefiltered=is_prefiltered)

    @classmethod
    def shipped(cls) -> Self:
        """The Pfam pack that ships with genint."""
        return cls.of(PFAM_PACK, is_prefiltered=True)

    @property
    def size(self) -> int:
        """The number of profiles that E-values refer to."""
        return self.profiles if self.block_of is None else self.block_of

    @property
    def is_pfam(self) -> bool:
        """Whether these are families of Pfam."""
        return self.is_installed or self.file == PFAM_PACK

    @property
    def forward_p_value(self) -> float:
        """P-value of the Forward score from which HMMER looks for domains."""
        return _PFAM_FORWARD_P_VALUE if self.is_pfam else _OWN_FORWARD_P_VALUE

    @property
    def filters(self) -> dict[str, float]:
        """P-values of HMMER's first filters, where they are not its own."""
        if not self.is_pfam or not self.is_filtered:
            return {}
        return _PFAM_FILTERS if self.is_prefiltered else _INSTALLED_FILTERS

    @property
    def prefilter(self) -> Prefilter:
        """What a protein and a family need to be compared, where the pack is prefiltered."""
        if self.is_pfam:
            return PFAM_FAMILIES
        return BACTERIAL_FAMILIES if self.file == FamilyPack.BACTERIA.file else PHAGE_FAMILIES

    @property
    def identity(self) -> str:
        """All that answers of a search with these profiles depend on, but for the protein."""
        parts = (self.digest, self.profiles, self.size, self.forward_p_value)
        search = (f"pyhmmer {pyhmmer.__version__}", SEARCH_VERSION)
        filtered = (f"prefilter {PREFILTER_VERSION}",) if self.is_prefiltered else ()
        first = [f"{name} {value}" for name, value in self.filters.items()]
        return "|".join(map(str, (*parts, *search, *filtered, *first)))

    def rebuild(self) -> Iterator[HMM]:
        """The profiles, decoded one after the other.

        Raises:
            UnavailableError: the pack is damaged; before the first profile.
        """
        return rebuild(self.unpacked())

    def unpacked(self) -> UnpackedPack:
        """The pack, decompressed.

        Raises:
            UnavailableError: it is damaged.
        """
        return unpack(read_from(self.folder, self.file))


LONGEST_PROTEIN = 100_000
"""Residues; HMMER compares no longer ones. Later residues are not searched: no
protein of a bacterium or phage is known to be that long."""

MOST_CELLS = 14_000_000
"""Residues times nodes of one comparison. HMMER keeps some 22 bytes of each while it looks
for domains: 310 MB, beside 130 MB of all else. Of a longer protein the front is compared
that fits. Only the largest proteins of jumbo phages come near with the longest profiles
(5,000 residues and 2,800 nodes)."""
_REPETITIVE_FROM = 5_000
"""Residues from which a protein is looked at for endless repeats."""
_FEWEST_WORDS = 0.05
"""Distinct 5-mers per residue. The most repetitive of 25 proteins over 1,500 residues
in real phages and bacteria has 0.91. Below the limit HMMER's time grows with the
square of the length (minutes for one protein) and hits mean nothing."""
_WORD_AA = 5
_YOUNG = 1
"""Generations of the garbage collector in which what a search leaves behind still is."""

_NOT_A_RESIDUE = re.compile("[^ACDEFGHIKLMNPQRSTVWYBJZOUX]")

Protein = tuple[str, str]
"""Gene id and residues."""
_Hits = list[tuple[int, ProfileHit]]
"""With the place of the protein in its chunk."""


def search_chunk(
    proteins: Sequence[Protein],
    database: ProfileDatabase,
    *,
    is_cancelled: Callable[[], bool] | None = None,
    threads: int = 1,
) -> tuple[ProfileHit, ...]:
    """Hits of proteins at the gathering thresholds of the families.

    Of genint's own families those alone that matter: where one of them is like a protein from end
    to end, not those of less than half its score.

    Args:
        proteins: Gene ids, each once, with their residues. ``*`` and whatever is no
            residue are searched as X; an empty protein has no hits, nor has a long one
            that repeats a few words throughout.
        database: Where the profiles are.
        is_cancelled: Called before every profile, for searches in a thread of the
            caller; worker processes are ended instead.
        threads: That search a prefiltered pack.

    Returns:
        In the order of ``proteins``, best score first within one.

    Raises:
        WorkCancelled: ``is_cancelled`` returned true.
        UnavailableError: installed profiles are gone or damaged.

    Profiles are read one after the other, so that memory does not grow with the pack.

    Cost: for a prefiltered pack see :class:`genint.sources.family_candidates.FamilyFilter`, and
    1 ms for each family with candidates; else about 13 billion residue-node pairs a second and
    core, plus 0.1 s for every million nodes of the pack.
    """
    places = [
        at
        for at, (_, residues) in enumerate(proteins)
        if residues and not is_endless_repeat(residues)
    ]
    sequences = digital(proteins, LONGEST_PROTEIN, places)
    if not sequences or not database.profiles:
        return ()
    cancelled = is_cancelled or (lambda: False)
    if database.is_prefiltered:
        found = _CandidateSearch(database, sequences, proteins, cancelled, threads).hits()
    else:
        found = _search_all(database, sequences, proteins, cancelled)
    # Hits and their domains refer to each other and hold what HMMER allocated, tens of
    # megabytes a chunk that the garbage collector does not count.
    gc.collect(_YOUNG)
    if not database.is_pfam:
        found = _that_matter(found, proteins)
    found.sort(key=lambda item: (item[0], -item[1].score_bits, item[1].accession))
    return tuple(hit for _, hit in found)


def _search_all(
    database: ProfileDatabase,
    sequences: DigitalSequenceBlock,
    proteins: Sequence[Protein],
    is_cancelled: Callable[[], bool],
) -> _Hits:
    """Hits of all profiles."""
    found = _search_pressed(database, sequences, proteins, is_cancelled)
    if found is None and database.is_installed:
        raise UnavailableError(
            f"{database.file}: the installed profiles cannot be read; "
            "`genint db verify` says what is wrong with them"
        )
    if found is None:
        rebuilt = (hmm.to_profile().to_optimized() for hmm in rebuild(_unpacked(database)))
        found = _search(rebuilt, database, sequences, proteins, is_cancelled).hits
    return found


class _CandidateSearch:
    """Compares proteins with the families that they may belong to."""

    def __init__(
        self,
        database: ProfileDatabase,
        sequences: DigitalSequenceBlock,
        proteins: Sequence[Protein],
        is_cancelled: Callable[[], bool],
        threads: int,
    ) -> None:
        self._database = database
        self._index = _family_index(database)
        self._proteins = proteins
        self._sequences = {int(sequence.name): sequence for sequence in sequences}
        self._places = list(self._sequences)
        self._is_cancelled = is_cancelled
        self._threads = threads

    def hits(self) -> _Hits:
        """All that matter.

        Of genint's own families the one most like a protein is compared first: where the protein
        is all of it, most of the others need not be.
        """
        residues = [self._proteins[at][1][:LONGEST_PROTEIN].upper() for at in self._places]
        families = FamilyFilter(self._index, self._database.prefilter)
        pairs = families.alike(residues, is_cancelled=self._is_cancelled, threads=self._threads)
        self._index.profiles.release()

        def judged(some: Pairs, least_bits: Mapping[int, float]) -> _Hits:
            least = np.array([least_bits.get(at, 0.0) for at in self._places])
            cancelled = self._is_cancelled
            chosen = families.candidates(residues, some, least, is_cancelled=cancelled)
            parts = [chosen[first :: self._threads] for first in range(self._threads)]
            work = partial(self._hits_of, least_bits=least_bits)
            found = side_by_side(work, parts, self._threads)
            self._index.profiles.release()
            return [hit for part in found for hit in part]

        if self._database.is_pfam:
            return judged(pairs, {})
        nearest = are_nearest(pairs)
        found = judged(pairs.where(nearest), {})
        return found + judged(pairs.where(~nearest), _least_bits(found, self._proteins))

    def _hits_of(self, chosen: Sequence[Candidates], least_bits: Mapping[int, float]) -> _Hits:
        found: _Hits = []
        comparison = _Comparison(self._database, self._proteins)
        for family, numbers in chosen:
            if self._is_cancelled():
                raise WorkCancelled("the profile search was cancelled")
            profile = self._index.profiles.profile(family).to_profile().to_optimized()
            for places, least in _by_need([self._places[at] for at in numbers], least_bits):
                some = [self._sequences[at] for at in places]
                block = DigitalSequenceBlock(Alphabet.amino(), some)
                found.extend(comparison.hits(profile, block, places, least))
        return found


def _least_bits(found: _Hits, proteins: Sequence[Protein]) -> dict[int, float]:
    """What other families need to matter, for each protein that lies in a family and is all of it.

    A family of fewer bits on the same stretch says nothing beside a better one, and elsewhere there
    is no room for one: see :mod:`genint.sources.families`.
    """
    least: dict[int, float] = {}
    for at, hit in found:
        if _covers(hit, len(proteins[at][1])):
            least[at] = max(least.get(at, 0.0), RIVAL_SHARE * hit.score_bits)
    return least


def _covers(hit: ProfileHit, length_aa: int) -> bool:
    """Whether a hit leaves no room for another in its protein."""
    from_end_to_end = hit.protein_from <= _END_AA + 1 and hit.protein_to >= length_aa - _END_AA
    return from_end_to_end and hit.is_whole


def _that_matter(found: _Hits, proteins: Sequence[Protein]) -> _Hits:
    """The hits without those that say nothing beside a better one."""
    least = _least_bits(found, proteins)
    return [(at, hit) for at, hit in found if hit.score_bits >= least.get(at, 0.0)]


def _by_need(
    places: Sequence[int], least_bits: Mapping[int, float]
) -> Iterator[tuple[list[int], float]]:
    """Proteins that need nothing but the threshold, together; each other one, and what it needs."""
    free = [at for at in places if at not in least_bits]
    if free:
        yield free, 0.0
    yield from (([at], least_bits[at]) for at in places if at in least_bits)


@lru_cache(maxsize=6)
def _family_index(database: ProfileDatabase) -> FamilyIndex:
    """The index of a pack, mapped into memory where there is one."""
    if database.index is not None:
        try:
            return open_family_index(database.index)
        except UnavailableError:
            pass  # The cache folder was emptied meanwhile: the pack is still there.
    return index_in_memory(_unpacked(database))


class _Found(NamedTuple):
    """Place in the chunk and hit; and how many profiles were searched."""

    hits: _Hits
    profiles: int


def _search_pressed(
    database: ProfileDatabase,
    sequences: DigitalSequenceBlock,
    proteins: Sequence[Protein],
    is_cancelled: Callable[[], bool],
) -> _Hits | None:
    """Hits of the pressed profiles; None where they are not there or not all of them."""
    if database.pressed is None:
        return None
    try:
        with HMMPressedFile(database.pressed) as pressed:
            found = _search(pressed, database, sequences, proteins, is_cancelled)
    except (OSError, EaselError, SystemError):
        return None  # The cache folder was emptied meanwhile: the pack is still there.
    return found.hits if found.profiles == database.profiles else None


@lru_cache(maxsize=3)
def _unpacked(database: ProfileDatabase) -> UnpackedPack:
    """What a pack holds, kept for the next chunk of this process: 27 bytes a node."""
    return database.unpacked()


def _search(
    profiles: Iterable[OptimizedProfile],
    database: ProfileDatabase,
    sequences: DigitalSequenceBlock,
    proteins: Sequence[Protein],
    is_cancelled: Callable[[], bool],
) -> _Found:
    comparison = _Comparison(database, proteins)
    places = [int(sequence.name) for sequence in sequences]
    found: _Hits = []
    searched = 0
    for profile in profiles:
        if is_cancelled():
            raise WorkCancelled("the profile search was cancelled")
        found.extend(comparison.hits(profile, sequences, places))
        searched += 1
    return _Found(found, searched)


class _Comparison:
    """Compares profiles of a database with proteins, one after the other."""

    def __init__(self, database: ProfileDatabase, proteins: Sequence[Protein]) -> None:
        self._proteins = proteins
        self._forward_p_value = database.forward_p_value
        self._pipeline = Pipeline(
            Alphabet.amino(),
            bit_cutoffs="gathering",
            Z=database.size,
            domZ=database.size,
            **database.filters,
        )
        self._lengths = [min(LONGEST_PROTEIN, len(residues)) for _, residues in proteins]
        self._longest = max(self._lengths, default=0)

    def hits(
        self,
        profile: OptimizedProfile,
        sequences: DigitalSequenceBlock,
        places: Sequence[int],
        least_bits: float = 0.0,
    ) -> _Hits:
        """Of the proteins at some places; perhaps without those of fewer bits than asked for."""
        if profile.M * self._longest > MOST_CELLS and self._is_too_large(profile, places):
            sequences = digital(self._proteins, MOST_CELLS // profile.M, places)
        self._pipeline.F3 = min(self._forward_p_value, _p_value_of_a_hit(profile, least_bits))
        with subnormals_as_zero():
            compared = self._pipeline.search_hmm(profile, sequences)
        found = list(_hits(compared, profile, self._proteins))
        self._pipeline.clear()
        return found

    def _is_too_large(self, profile: OptimizedProfile, places: Sequence[int]) -> bool:
        return bool(profile.M * max(self._lengths[at] for at in places) > MOST_CELLS)


def _p_value_of_a_hit(profile: OptimizedProfile, least_bits: float) -> float:
    """P-value that the Forward score of any hit at the profile's threshold stays below.

    Args:
        profile: Of a family.
        least_bits: What a hit needs besides.

    Returns:
        0..1; 1 where nobody calibrated the profile.
    """
    fitted = profile.evalue_parameters
    if fitted.f_lambda is None or fitted.f_tau is None:
        return 1.0
    sure_bits = _SURE_SHARE * max(profile.cutoffs.gathering1, least_bits)
    return math.exp(min(0.0, -fitted.f_lambda * (sure_bits - fitted.f_tau)))


def digital(
    proteins: Sequence[Protein], most_residues: int, places: Sequence[int]
) -> DigitalSequenceBlock:
    """The proteins at some places as HMMER wants them, named by their place in the chunk."""
    alphabet = Alphabet.amino()
    sequences = (
        TextSequence(
            name=str(at),
            sequence=_NOT_A_RESIDUE.sub("X", proteins[at][1][:most_residues].upper()),
        ).digitize(alphabet)
        for at in places
    )
    return DigitalSequenceBlock(alphabet, sequences)


def is_endless_repeat(residues: str) -> bool:
    """Whether a long protein repeats the same few words throughout."""
    if len(residues) < _REPETITIVE_FROM:
        return False
    words = {residues[at : at + _WORD_AA] for at in range(len(residues) - _WORD_AA + 1)}
    return len(words) < _FEWEST_WORDS * len(residues)


def _hits(
    hits: TopHits, profile: OptimizedProfile, proteins: Sequence[Protein]
) -> Iterator[tuple[int, ProfileHit]]:
    """Place in the chunk and hit, for hits with a domain at its own threshold."""
    accession = (profile.accession or profile.name).partition(".")[0]
    for hit in hits.included:
        domains = tuple(hit.domains.included)
        if not domains:
            continue
        at = int(hit.name)
        gene_id, residues = proteins[at]
        envelopes = [(domain.env_from, domain.env_to) for domain in domains]
        aligned = [(domain.alignment.hmm_from, domain.alignment.hmm_to) for domain in domains]
        yield (
            at,
            ProfileHit(
                gene_id=gene_id,
                accession=accession,
                evalue=hit.evalue,
                score_bits=hit.score,
                threshold_bits=profile.cutoffs.gathering1,
                protein_from=min(first for first, _ in envelopes),
                protein_to=max(last for _, last in envelopes),
                protein_coverage=_covered(envelopes) / len(residues),
                profile_coverage=_covered(aligned) / profile.M,
            ),
        )


def _covered(stretches: Iterable[tuple[int, int]]) -> int:
    """Positions in the union of 1-based inclusive stretches."""
    total = 0
    reached = 0
    for first, last in sorted(stretches):
        total += max(0, last - max(first - 1, reached))
        reached = max(reached, last)
    return total


@dataclass(frozen=True, slots=True)
class FamilyOrder:
    """The packs in the order in which a genome's proteins meet them.

    Attributes:
        fitting: Families of the kind of genome that this is, for all proteins.
        other: The rest of the families, for proteins without a clear hit of ``fitting``.
    """

    fitting: ProfileDatabase
    other: ProfileDatabase

    @classmethod
    def of(cls, kind: GenomeKind, families_folder: Path | None = None) -> Self:
        """The order for the proteins of a kind of genome.

        Args:
            kind: What their record is taken for.
            families_folder: A build of families other than the one that ships.

        Raises:
            UnavailableError: a pack is not there or damaged.
        """
        bacterial = ProfileDatabase.of(
            FamilyPack.BACTERIA.file, families_folder, is_prefiltered=True
        )
        phage = ProfileDatabase.of(FamilyPack.PHAGE.file, families_folder, is_prefiltered=True)
        # Either way both packs are searched; only their order differs.
        if kind is GenomeKind.BACTERIUM:
            return cls(bacterial, phage)
        return cls(phage, bacterial)


_SURE_BITS = 1.0
"""A residue. CysK and CysM of E. coli are clear hits of a paralogue's family of bacteria with 0.5
and 0.6, and of their own, which is among those of phages as one of its members is, with 1.4."""


def _is_sure(hit: ProfileHit, length_aa: int) -> bool:
    """Whether no family of the other pack can name a protein better."""
    return hit.is_clear and hit.is_whole and hit.score_bits >= _SURE_BITS * length_aa


def search_families(
    proteins: Sequence[Protein],
    order: FamilyOrder,
    *,
    is_cancelled: Callable[[], bool] | None = None,
    threads: int = 1,
) -> tuple[ProfileHit, ...]:
    """Hits of proteins in the packs of families, in their order.

    The second pack is searched with the proteins that the first does not surely name.

    Args:
        proteins: Gene ids, each once, with their residues.
        order: The packs.
        is_cancelled: See :func:`genint.sources.profiles.search_chunk`.
        threads: That search.

    Returns:
        In the order of ``proteins``; for each best score first.

    Raises:
        WorkCancelled: ``is_cancelled`` returned true.
    """
    families = search_chunk(proteins, order.fitting, is_cancelled=is_cancelled, threads=threads)
    residues = dict(proteins)
    found = {hit.gene_id for hit in families if _is_sure(hit, len(residues[hit.gene_id]))}
    left = [protein for protein in proteins if protein[0] not in found]
    others = search_chunk(left, order.other, is_cancelled=is_cancelled, threads=threads)
    place = {gene_id: at for at, (gene_id, _) in enumerate(proteins)}
    return tuple(
        sorted(
            (*families, *others),
            key=lambda hit: (place[hit.gene_id], -hit.score_bits, hit.accession),
        )
    )
