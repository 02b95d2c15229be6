"""What is known of a family besides its name: Pfam families, COG letter, GO terms.

Members are searched with Pfam profiles at their gathering thresholds. Of what is
found only accessions, letters and term ids are kept.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyhmmer
from pyhmmer.easel import Alphabet, DigitalSequenceBlock, TextSequence
from pyhmmer.plan7 import HMM, Hit, HMMFile

from genint.knowledge.pfam import MINIMAL_PURITY, Family, FamilyTable
from genint.knowledge.products import ProductVocabulary
from genint.model.evidence import GoTerm
from genint.native.subnormals import subnormals_as_zero
from training.families.naming import Label
from training.families.store import Store, content_key
from training.families.values import Origin, TrainingProtein

SEARCHED_MEMBERS = 3
"""Members of a family that are searched with Pfam: those who carry its name first."""
FOUND_SHARE = 0.6
"""A Pfam family belongs to a family if this share of the searched members has it."""
COVERED_SHARE = 0.7
"""Share of a member, and of the Pfam family, that a match has to cover to be of the whole."""
_SEARCHED_AT_ONCE = 4_000
"""Proteins; they are kept after each such part, so that what is interrupted loses little."""


class PfamMatch(NamedTuple):
    """A Pfam family on a protein.

    Attributes:
        accession: Without version.
        of_protein: Share of the protein that its domains cover together, 0..1.
        of_family: Share of the family's positions that its best domain covers, 0..1.
    """

    accession: str
    of_protein: float
    of_family: float


@dataclass(frozen=True, slots=True)
class Attributes:
    """What ships with a family.

    Attributes:
        pfam: Accessions found in most members, sorted.
        cog: Letter; None without grounds.
        cog_purity: Share of the proteins known that have this letter; 0 without one.
        go: Ids of terms that hold for the whole protein, sorted.
        ec: Enzyme numbers that curated members share, open ones (1.2.3.-) among them, sorted.
    """

    pfam: tuple[str, ...] = ()
    cog: str | None = None
    cog_purity: float = 0.0
    go: tuple[str, ...] = ()
    ec: tuple[str, ...] = ()


def searched(label: Label, members: Iterable[TrainingProtein]) -> tuple[TrainingProtein, ...]:
    """The members to search: some that carry the name, of unlike lengths and sequences.

    Members come sorted by hash, which is as good as drawn by lot, and the same each time.
    """
    agreeing = frozenset(label.agreeing)
    ranked = sorted(members, key=lambda member: (member.hash not in agreeing, member.hash))
    return tuple(ranked[:SEARCHED_MEMBERS])


def search(
    proteins: Iterable[TrainingProtein], models: Path, store: Store, cpus: int = 2
) -> dict[str, tuple[PfamMatch, ...]]:
    """Pfam matches of each protein by its hash, remembered in the store.

    Args:
        proteins: To search.
        models: Pfam profiles with gathering thresholds, binary, gzipped or not.
        store: Results known already.
        cpus: Threads.

    Cost: about 16 CPU s per 1,000 proteins with 3,130 families; under a second if all
    are known.
    """
    source = hashlib.sha256(models.read_bytes()).hexdigest()
    keys = {
        protein.hash: content_key("pfam", source, pyhmmer.__version__, protein.hash)
        for protein in proteins
    }
    residues = {protein.hash: protein.residues for protein in proteins}
    known = store.known(list(keys.values()))
    missing = sorted(member for member, key in keys.items() if key not in known)
    if missing:
        profiles = _profiles(models)
        for at in range(0, len(missing), _SEARCHED_AT_ONCE):
            part = missing[at : at + _SEARCHED_AT_ONCE]
            found = _search({member: residues[member] for member in part}, profiles, cpus)
            store.save({keys[member]: _to_bytes(found.get(member, ())) for member in part})
    results = store.load(keys.values())
    return {member: _from_bytes(results[key]) for member, key in sorted(keys.items())}


def _profiles(models: Path) -> list[HMM]:
    opener = gzip.open if models.suffix == ".gz" else open
    with opener(models, "rb") as stream, HMMFile(stream) as file:
        return sorted(file, key=lambda profile: str(profile.accession))


def _search(
    residues: Mapping[str, str], profiles: Sequence[HMM], cpus: int
) -> dict[str, tuple[PfamMatch, ...]]:
    alphabet = Alphabet.amino()
    block = DigitalSequenceBlock(
        alphabet,
        (
            TextSequence(name=member, sequence=sequence).digitize(alphabet)
            for member, sequence in residues.items()
        ),
    )
    matches: defaultdict[str, list[PfamMatch]] = defaultdict(list)
    with subnormals_as_zero():
        for hits in pyhmmer.hmmsearch(profiles, block, cpus=cpus, bit_cutoffs="gathering"):
            accession = str(hits.query.accession).partition(".")[0]
            for hit in hits.included:
                shares = _shares(hit, len(residues[hit.name]), hits.query.M)
                if shares is not None:
                    matches[hit.name].append(PfamMatch(accession, *shares))
    return {member: tuple(sorted(found)) for member, found in matches.items()}


def _shares(hit: Hit, member_aa: int, nodes: int) -> tuple[float, float] | None:
    """Shares of the member that all domains of a hit cover, and of the model that the longest does.

    None where it has no domain.
    """
    places = [domain.alignment for domain in hit.domains.included]
    if not places:
        return None
    covered = {at for place in places for at in range(place.target_from, place.target_to + 1)}
    longest = max(place.hmm_to - place.hmm_from + 1 for place in places)
    return len(covered) / member_aa, longest / nodes


def _to_bytes(matches: Iterable[PfamMatch]) -> bytes:
    rows = [(m.accession, round(m.of_protein, 4), round(m.of_family, 4)) for m in matches]
    return json.dumps(rows).encode()


def _from_bytes(stored: bytes) -> tuple[PfamMatch, ...]:
    return tuple(PfamMatch(*row) for row in json.loads(stored))


def attributes(
    label: Label,
    members: Sequence[TrainingProtein],
    matches: Mapping[str, tuple[PfamMatch, ...]],
    vocabulary: ProductVocabulary,
    pfam: FamilyTable,
) -> Attributes:
    """What is known of a family.

    Args:
        label: Its name.
        members: Its proteins.
        matches: Pfam matches of those of them that were searched.
        vocabulary: Products.
        pfam: What is known of Pfam families.
    """
    seen = [matches[member.hash] for member in members if member.hash in matches]
    common = _common(seen)
    product = vocabulary.products[label.product] if label.product else None
    whole = [pfam[accession] for accession in common if accession in pfam]
    whole = [family for family in whole if family.covers_protein and _covers(family, seen)]
    terms = product.go if product is not None and product.go else _terms(whole)
    letter, purity = _letter(members, product.cog if product else None, whole)
    return Attributes(
        pfam=tuple(sorted(common)),
        cog=letter,
        cog_purity=purity,
        go=tuple(sorted({term.id for term in terms})),
        ec=enzyme_numbers(label, members),
    )


NUMBERED_MEMBERS = 2
"""Curated members with an enzyme number that a number of the family needs."""
NUMBERED_SHARE = 0.8
"""Share of them that have to agree on it."""
_LEVELS = 4


def enzyme_numbers(label: Label, members: Iterable[TrainingProtein]) -> tuple[str, ...]:
    """The enzyme numbers of a family: what its curated, agreeing members share.

    Numbers of members without a curator's name are not looked at: they are automatic. Where the
    whole number differs, what is shared of it remains (1.2.3.-), from three levels on. What a
    reader of their names decided comes first.
    """
    if label.ec is not None:
        return label.ec
    curated = curated_numbers(label, members)
    if label.vague or len(curated) < NUMBERED_MEMBERS:
        return ()
    for level in (_LEVELS, _LEVELS - 1):
        counts = Counter(
            number for numbers in curated for number in {_opened(one, level) for one in numbers}
        )
        shared = {one for one, count in counts.items() if count >= NUMBERED_SHARE * len(curated)}
        if shared:
            return tuple(sorted(shared))
    return ()


def curated_numbers(label: Label, members: Iterable[TrainingProtein]) -> list[frozenset[str]]:
    """Enzyme numbers of each member that carries the family's name and has some by a curator."""
    agreeing = frozenset(label.agreeing)
    numbered = (
        frozenset(
            number
            for naming in member.namings
            if naming.origin is Origin.SWISSPROT
            for number in naming.ec
        )
        for member in members
        if member.hash in agreeing
    )
    return [numbers for numbers in numbered if numbers]


def _opened(number: str, level: int) -> str:
    """An enzyme number as far as a level: 1.2.3.4 as 1.2.3.- for three."""
    parts = number.split(".")
    return ".".join((*parts[:level], *("-" for _ in parts[level:])))


def _common(seen: Sequence[tuple[PfamMatch, ...]]) -> tuple[str, ...]:
    counts = Counter(accession for found in seen for accession in {m.accession for m in found})
    return tuple(
        accession for accession in sorted(counts) if counts[accession] >= FOUND_SHARE * len(seen)
    )


def _covers(family: Family, seen: Sequence[tuple[PfamMatch, ...]]) -> bool:
    """Whether the match is of the whole protein and the whole family in most members."""
    whole = sum(
        any(
            match.accession == family.accession
            and match.of_protein >= COVERED_SHARE
            and match.of_family >= COVERED_SHARE
            for match in found
        )
        for found in seen
    )
    return whole >= FOUND_SHARE * len(seen)


def _terms(whole: Sequence[Family]) -> tuple[GoTerm, ...]:
    """GO terms of the Pfam family that stands for the protein; none if several claim to.

    Terms of a domain or a repeat say what that part does, not what the protein is for,
    so they are not taken.
    """
    return whole[0].go if len(whole) == 1 else ()


def _letter(
    members: Iterable[TrainingProtein], of_product: str | None, whole: Sequence[Family]
) -> tuple[str | None, float]:
    """COG letter and its purity: of the members, else of the product, else of Pfam.

    A member of several letters counts a share for each.
    """
    counts: defaultdict[str, float] = defaultdict(float)
    known = 0
    for member in members:
        known += bool(member.cogs)
        for letter in member.cogs:
            counts[letter] += 1 / len(member.cogs)
    if known:
        letter = min(counts, key=lambda letter: (-round(counts[letter], 9), letter))
        purity = counts[letter] / known
        if purity >= MINIMAL_PURITY and letter != "S":
            return letter, purity
        return (of_product, purity) if of_product == letter else (None, 0.0)
    if of_product is not None:
        return of_product, 1.0
    calls = [family.cog for family in whole if family.cog is not None]
    if len(calls) == 1:
        return calls[0].letter, calls[0].purity
    return None, 0.0
