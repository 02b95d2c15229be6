"""Comparing product names: the telling words of two, and whether they are of one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from genint.knowledge.product_names import EMPTY_WORDS

_CLASS_WORDS = frozenset(
    """
    acid acetyltransferase atp atpase binding carboxylase deacetylase decarboxylase dehydratase
    dehydrogenase dna enzyme esterase gtp gtpase hydrolase isomerase kinase ligase lyase
    metal methyltransferase mutase nad nadp nuclease oxidase oxidoreductase peptidase permease
    phosphatase phosphate protease reductase regulator regulatory rna synthase synthetase
    transcriptional transcription transferase transport transporter virion zinc
    """.split()
)
"""Words that many different functions share: they count half."""

_INHIBITION = frozenset({"inhibitor", "inhibition", "inhibitory", "antagonist", "immunity"})
"""On one side only, these say that the names are of an enzyme and of what blocks it."""
_BLOCKER = re.compile(
    r"""\b(?:inhibitors?|inhibitory|antagonists?)\b(?:[ ]of\b)?
      | \banti-(?!(?:sense|codon|biotic|microbial|bacterial|gen|port))
      | \banti(?=repressor|holin|toxin|terminat|restriction|sigma|crispr)""",
    re.VERBOSE | re.IGNORECASE,
)
"""What makes the name of a blocker of the name of what it blocks."""
_OPPOSITES = (
    (frozenset({"large"}), frozenset({"small"})),
    (frozenset({"heavy"}), frozenset({"light"})),
    (frozenset({"activator"}), frozenset({"repressor"})),
    (frozenset({"toxin"}), frozenset({"antitoxin"})),
    (frozenset({"repressor"}), frozenset({"antirepressor"})),
    (frozenset({"holin"}), frozenset({"antiholin"})),
    (
        frozenset({"termination", "terminator"}),
        frozenset({"antitermination", "antiterminator"}),
    ),
    (frozenset({"import", "importer", "uptake"}), frozenset({"export", "exporter", "efflux"})),
)
"""A word of the left on one side and of the right on the other: they cannot both hold."""
_DIFFERENT = (
    (frozenset({"alpha"}), frozenset({"beta"})),
    (frozenset({"major"}), frozenset({"minor"})),
    (frozenset({"dna"}), frozenset({"rna"})),
    (frozenset({"permease"}), frozenset({"atp"})),
)
"""The same, but both may hold of one protein: such names are merely not alike."""
_DECIDING_WORDS = _INHIBITION.union(*(side for pair in _OPPOSITES + _DIFFERENT for side in pair))
_HALF_WORDS = _CLASS_WORDS | _DECIDING_WORDS
_STOP_WORDS = (EMPTY_WORDS - _DECIDING_WORDS) | frozenset(
    """
    activity based by chain component dependent element factor for group i ii iii iv is
    involved like module motif or other member part possibly region repeat required sequence
    specific species structural structure subfamily subunit system terminal terminus that this
    """.split()
)
_SPELLINGS = {
    "tapemeasure": ("tape", "measure"),
    "fibre": ("fiber",),
    "fibres": ("fiber",),
    "endodeoxyribonuclease": ("endonuclease",),
    "endonucleases": ("endonuclease",),
    "integrases": ("integrase",),
    "tailspike": ("tail", "spike"),
    "prohead": ("head",),
    "procapsid": ("capsid",),
    "anti-termination": ("antitermination",),
    "anti-repressor": ("antirepressor",),
    "anti-holin": ("antiholin",),
    "anti-toxin": ("antitoxin",),
    "his": ("histidine",),
    "sensory": ("sensor",),
    "sulphur": ("sulfur",),
}
_WORD = re.compile(r"anti-[a-z]+|[a-z0-9]+(?:'{1,2})?")
_LONG_WORD = 4
_AGREEMENT_SHARE = 0.5
"""Share of the shorter name's weight that both names must have in common."""


@lru_cache(maxsize=32_768)
def words_of(name: str) -> frozenset[str]:
    """The telling words of a name, lower case, plural s removed.

    Remembered, as families and their aliases come back with every hit.
    """
    words: set[str] = set()
    for match in _WORD.findall(name.lower()):
        for word in _SPELLINGS.get(match, (match,)):
            singular = (
                word[:-1]
                if len(word) > _LONG_WORD and word.endswith("s") and word[-2] != "s"
                else word
            )
            if singular not in _STOP_WORDS and not singular.isdigit() and len(singular) > 1:
                words.add(singular)
    return frozenset(words)


def blocked_by(name: str) -> str | None:
    """The name of what a protein of this name blocks; None where it blocks nothing.

    ``lysozyme inhibitor`` blocks ``lysozyme``, ``antirepressor`` ``repressor``.
    """
    target, blockers = _BLOCKER.subn("", name)
    return " ".join(target.split()) or None if blockers else None


def opposed(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two names are opposites of one thing: enzyme and inhibitor, large and small.

    Opposites share what is left when the opposing words are taken away; names that
    share nothing else are strangers, not opposites.
    """
    inhibited = bool(first & _INHIBITION) != bool(second & _INHIBITION)
    if not inhibited and not _set_apart(first, second, _OPPOSITES):
        return False
    return _overlap(first - _DECIDING_WORDS, second - _DECIDING_WORDS) or bool(
        not (first - _DECIDING_WORDS) and not (second - _DECIDING_WORDS)
    )


def _set_apart(
    first: frozenset[str],
    second: frozenset[str],
    pairs: Iterable[tuple[frozenset[str], frozenset[str]]],
) -> bool:
    """Whether a pair of words tells the names apart; a name with both tells nothing."""
    if first.isdisjoint(_DECIDING_WORDS) or second.isdisjoint(_DECIDING_WORDS):
        return False
    return any(
        (_only(first, left, right) and _only(second, right, left))
        or (_only(first, right, left) and _only(second, left, right))
        for left, right in pairs
    )


def set_apart(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether a word tells two names apart: large and small, alpha and beta, DNA and RNA."""
    return _set_apart(first, second, _OPPOSITES + _DIFFERENT)


def _only(words: frozenset[str], wanted: frozenset[str], other: frozenset[str]) -> bool:
    return bool(words & wanted) and not words & other


def _weight(words: frozenset[str]) -> float:
    return len(words) - 0.5 * len(words & _HALF_WORDS)


def _overlap(first: frozenset[str], second: frozenset[str]) -> bool:
    shared = _weight(first & second)
    smaller = min(_weight(first), _weight(second))
    return shared > 0 and shared >= _AGREEMENT_SHARE * smaller


def alike(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two names share enough telling words to be of one function.

    Class words (kinase, transporter) count half. Names that a word tells apart
    (inhibitor on one side only, alpha and beta, DNA and RNA) are never alike.
    """
    if bool(first & _INHIBITION) != bool(second & _INHIBITION):
        return False
    return _overlap(first, second) and not set_apart(first, second)
