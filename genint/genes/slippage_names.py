"""What the hits of genes say that matters for slipping ribosomes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from genint.model.evidence import ProfileHit, SimilarityHit

if TYPE_CHECKING:
    from genint.knowledge.loading import Knowledge


class Said(StrEnum):
    """A kind of protein that slipping ribosomes make, or that lies beside such genes."""

    CHAPERONE = "tail assembly chaperone"
    TAPE = "tape measure protein"
    TAIL = "tail protein"
    CAPSID = "major capsid protein"
    TRANSPOSASE = "transposase"
    UNBROKEN = "transposase of one reading frame"
    """Of families of insertion sequences that are not known to slip."""
    DNAX = "DNA polymerase III subunit tau"
    RELEASE_FACTOR = "peptide chain release factor 1 or 2"


_FIBER = r"fib(?:er|re)"
_PATTERNS: Mapping[Said, tuple[re.Pattern[str], re.Pattern[str] | None]] = {
    Said.CHAPERONE: (
        re.compile(r"\b(?:tail|tape ?-?measure)\b.*\bchaperone|tail assembly protein gt?\b"),
        re.compile(_FIBER + "|base ?plate|sheath"),
    ),
    Said.TAPE: (re.compile(r"tape ?-?measure|tail length"), re.compile("chaperone|base ?plate")),
    Said.TAIL: (
        re.compile(r"\btail\b"),
        re.compile(_FIBER + r"|spike|sheath|tub(?:e|ular)|terminator|completion|major|specific"),
    ),
    Said.CAPSID: (
        re.compile(r"major (?:capsid|head|coat) protein|\bcapsid protein 10|^capsid protein"),
        re.compile("scaffold|protease|portal"),
    ),
    Said.TRANSPOSASE: (
        re.compile(r"transposase|insertion (?:sequence|element)|integrase core|\binse\d?\b"),
        re.compile("site-specific|tyrosine"),
    ),
    Said.UNBROKEN: (
        re.compile(r"\bis(?:4|5|21|30|66|110|200|256|605|607|982|1182|1380|1634)\b"),
        None,
    ),
    Said.DNAX: (re.compile(r"dna polymerase iii\b.*\b(?:gamma|tau)\b|\bdnax\b"), None),
    Said.RELEASE_FACTOR: (
        re.compile(r"peptide chain release factor|\bprfb\b|\bpcrf\b"),
        re.compile(r"methyltransferase|hydrolase|factor (?:rf-?)?3|arfb"),
    ),
}
NOTHING: frozenset[Said] = frozenset()


def said_by(name: str) -> frozenset[Said]:
    """Which of the kinds a product or family name stands for.

    Cost: some 10 microseconds.
    """
    lowered = name.lower()
    return frozenset(
        said
        for said, (pattern, excluded) in _PATTERNS.items()
        if pattern.search(lowered) and not (excluded and excluded.search(lowered))
    )


def said_of_genes(
    profiles: Iterable[ProfileHit], similar: Iterable[SimilarityHit], knowledge: Knowledge
) -> Mapping[str, frozenset[Said]]:
    """What the hits of each gene say; genes of which they say nothing are left out.

    Args:
        profiles: Hits of profile searches; those below their family's threshold play no part.
        similar: Hits of similarity searches.
        knowledge: What families are called.

    Cost: 10 microseconds for every family and entry that was hit, 1 for every hit.
    """
    by_accession: dict[str, frozenset[Said]] = {}
    found: defaultdict[str, frozenset[Said]] = defaultdict(lambda: NOTHING)
    for hit in profiles:
        if hit.score_bits < hit.threshold_bits:
            continue
        said = _remembered(by_accession, hit.accession, lambda id: family_name(id, knowledge))
        if said:
            found[hit.gene_id] |= said
    for near in similar:
        name = f"{near.entry.name} {near.entry.symbol}"
        said = _remembered(by_accession, name, str)
        if said:
            found[near.gene_id] |= said
    return found


def _remembered(
    known: dict[str, frozenset[Said]], key: str, name_of: Callable[[str], str]
) -> frozenset[Said]:
    if key not in known:
        known[key] = said_by(name_of(key))
    return known[key]


def family_name(accession: str, knowledge: Knowledge) -> str:
    """Name of a family of genint's own or of Pfam, with its symbol or short name."""
    if accession in knowledge.own_families:
        own = knowledge.own_families[accession]
        return f"{own.name} {own.symbol or ''}"
    if accession in knowledge.families:
        family = knowledge.families[accession]
        return f"{family.description} {family.name}"
    return ""
