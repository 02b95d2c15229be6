"""Distinguishing parts of names: what tells two otherwise equal names of proteins apart.

A cofactor (NAD or NADP), a class, type or form (I or II; Roman numerals are Arabic ones), what an
enzyme depends on or does without, the end of a chain that a peptidase attacks, the last letter
or number of a gene symbol, and "not an X" decide which of several related proteins is meant.
Most other words of such names are the same, so neither shared words nor the vocabulary, which
lists names of relatives as one term, may bring them together.

Only a part that both names have tells them apart: *formate transporter* may well be FocA.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from genint.knowledge.product_names import words_of

_PYRIDINE: Final = re.compile(r"\bNAD(\(P\)|P)?H?(?:\(\+\)|\+)?(?![A-Za-z])(?![- ]+binding)")
"""NAD, NADP or either; the nucleotide that a domain binds is none that the enzyme needs."""
_NEEDED: Final = re.compile(
    r"\b(NAD\(P\)|NADP?|FAD|FMN|F420|ATP|ADP|GTP|GDP|PQQ)H?\d?(?:\(\+\)|\+)?"
    r"[- ](?:dependent|specific|linked|requiring|utili[sz]ing|forming)\b"
)
_SAME_COFACTOR: Final = {"ADP": "ATP", "GDP": "GTP"}
"""What a reaction forms of a cofactor names that one too."""
_DEPENDENCE: Final = re.compile(r"\b([\w+()]+)[- ](in)?dependent\b", re.IGNORECASE)
_NUMERAL: Final = r"(?:\d{1,2}|[IVX]{1,4})"
_KIND: Final = re.compile(
    rf"\b(class|type|form)[- ](?:({_NUMERAL})(?:[- ]?([A-Ha-h]))?|([A-Ha-h]))(?![\w/,])",
)
_KIND_IN_LOWER: Final = re.compile(r"\b(?:Class|Type|Form)\b")
_BARE: Final = re.compile(rf"(?:ase|xin) ({_NUMERAL})(?=$|[\s,;)/])")
"""A number behind an enzyme or a redoxin, which stands for its type (ribonuclease HII has none)."""
_ROMAN: Final = {
    numeral: str(at)
    for at, numeral in enumerate("I II III IV V VI VII VIII IX X XI XII".split(), start=1)
}
_PEPTIDASES: Final = re.compile(
    r"(endo|carboxy|amino|di(?:carboxy)?|tri|oligo)peptidase", re.IGNORECASE
)
_OXYGEN: Final = re.compile(r"\b(an)?aerobic\b", re.IGNORECASE)
_RESIDUES: Final = re.compile(r"\([a-z]*(\d{2,4}(?:[,/-]\d{2,4})*)\)|\b[ACGU](\d{2,4})\b")
"""Residues that an enzyme of RNA works on: (2604), (955/2504/2580), U2552."""
_NOT: Final = re.compile(r"\bnot (?:an? |the )?([^,;:()]+)", re.IGNORECASE)
_LIKE: Final = re.compile(
    r"\b((?:[A-Z][a-z]{2}[A-Z]\d?/?)+)(?:-like(?: protein)?(?=$|[,;])| paralog(?:ue)?\b)"
)
"""The gene product that a protein is only like: GcvH-like, TsaC/YrdC paralog."""
_TRANSPORT: Final = re.compile(
    r"transport|permease|efflux|secretion|uptake|import|export|\bABC\b", re.IGNORECASE
)
_PARTS_OF_TRANSPORTERS: Final = {
    "membrane channel": re.compile(
        r"\bpermease|(?:trans|inner[- ])membrane (?:sub)?(?:unit|component|protein)", re.IGNORECASE
    ),
    "ATPase": re.compile(r"\bATP[- ]binding|\bATPase", re.IGNORECASE),
    "binding protein": re.compile(r"(?:substrate|solute|periplasmic)[- ]binding", re.IGNORECASE),
    "outer membrane": re.compile(
        r"\bouter[- ]membrane (?:\w+ )?(?:protein|component|factor|channel)", re.IGNORECASE
    ),
    "adaptor": re.compile(r"membrane fusion|\badapt[eo]r", re.IGNORECASE),
}
"""Subunits of transport systems, which all of them name after what is transported."""
_GENE: Final = re.compile(r"\b([A-Za-z][a-z]{2})([A-Z]{1,4})(\d{0,2})\b")
"""A symbol as genes and proteins have it; several letters stand for a complex (KtrAB)."""
_ANY_SYMBOL: Final = re.compile(r"\b[A-Z][a-z]{2}[A-Z]?\d?\b")
_PARTNER: Final = re.compile(r"\b(?:with|of|to|for|by) (?:\w+ )?(?:\w+[-/])*$|\bco-?chaperone of $")
"""What comes before a symbol that is of another protein (in two-component system with ZraS)."""


class Marks(NamedTuple):
    """Distinguishing parts of one name.

    Attributes:
        cofactors: That it needs or uses; NAD(P) is both.
        needs: Cofactors that it says it depends on.
        kinds: Number and letter by class, type or form; "" for a bare number.
        letters: The same for those that have a letter instead of a number.
        dependent: What it depends on.
        independent: What it does without.
        peptidases: Kinds of peptidases.
        aerobic: Whether it is called aerobic, anaerobic.
        residues: Positions in an RNA that it works on.
        subunits: Kinds of subunits of a transport system.
        negated: Words of each function that it says the protein has not.
        like: Symbols of gene products that it says the protein is like.
    """

    cofactors: frozenset[str]
    needs: frozenset[str]
    kinds: frozenset[tuple[str, str, str]]
    letters: frozenset[tuple[str, str]]
    dependent: frozenset[str]
    independent: frozenset[str]
    peptidases: frozenset[str]
    aerobic: frozenset[bool]
    residues: frozenset[str]
    subunits: frozenset[str]
    negated: tuple[frozenset[str], ...]
    like: frozenset[str]


@lru_cache(maxsize=32_768)
def distinction(first: str, second: str) -> str | None:
    """The distinguishing part in which two names differ, in words; None where they have none.

    Args:
        first: A product name, any wording.
        second: Another one.

    Cost: some microseconds for names seen before.
    """
    ours, theirs = marks_of(first), marks_of(second)
    on, off = ours.dependent & theirs.independent, ours.independent & theirs.dependent
    found = {
        "different cofactors": _apart(ours.cofactors, theirs.cofactors)
        or _needs_other(ours, theirs),
        "one depends on what the other does without": bool(on or off),
        "different classes or types": _are_other_kinds(ours, theirs),
        "different kinds of peptidases": _apart(ours.peptidases, theirs.peptidases),
        "one is aerobic, the other anaerobic": _apart(ours.aerobic, theirs.aerobic),
        "they work on different residues": _apart(ours.residues, theirs.residues),
        "different subunits of a transport system": _apart(ours.subunits, theirs.subunits),
        "one says that it is not what the other names": _denies(ours, second, first)
        or _denies(theirs, first, second),
        "one says that it is only like the other": _is_like(ours, first, second, theirs)
        or _is_like(theirs, second, first, ours),
    }
    return next((why for why, differs in found.items() if differs), None)


def other_symbol(first: Iterable[str], second: Iterable[str]) -> bool:
    """Whether names have gene symbols that are equal but for the last letter or number.

    Args:
        first: A product name; the gene's own symbol besides, where there is one.
        second: The same of the other.
    """
    ours, theirs = _genes(first), _genes(second)
    for stem in ours.keys() & theirs.keys():
        if not any(_same_gene(one, other) for one in ours[stem] for other in theirs[stem]):
            return True
    return False


def denies(name: str, other: str) -> bool:
    """Whether a name says that the protein is not what the other one names (not an X)."""
    return _denies(marks_of(name), other, name)


def adds_distinction(name: str, stated: str) -> bool:
    """Whether a name has a distinguishing part of a kind that the other lacks."""
    ours, theirs = marks_of(name), marks_of(stated)
    return any(
        bool(one) and not other
        for one, other in (
            (ours.cofactors | ours.needs, theirs.cofactors | theirs.needs),
            (ours.kinds | ours.letters, theirs.kinds | theirs.letters),
            (ours.dependent | ours.independent, theirs.dependent | theirs.independent),
        )
    )


@lru_cache(maxsize=32_768)
def marks_of(name: str) -> Marks:
    """The distinguishing parts of a name."""
    needs = frozenset(part for match in _NEEDED.finditer(name) for part in _nucleotides(match[1]))
    used = (part for match in _PYRIDINE.finditer(name) for part in _either(match[1]))
    lowered = _KIND_IN_LOWER.sub(lambda match: match[0].lower(), name)
    kinds = {
        (match[1], _ROMAN.get(match[2], match[2]), (match[3] or "").upper())
        for match in _KIND.finditer(lowered)
        if match[2]
    }
    bare = {("", _ROMAN.get(match[1], match[1]), "") for match in _BARE.finditer(name)}
    found = [(match[1].casefold(), bool(match[2])) for match in _DEPENDENCE.finditer(name)]
    return Marks(
        cofactors=frozenset(used),
        needs=needs,
        kinds=frozenset(kinds | bare),
        letters=frozenset(
            (match[1], match[4].upper()) for match in _KIND.finditer(lowered) if match[4]
        ),
        dependent=frozenset(what for what, without in found if not without),
        independent=frozenset(what for what, without in found if without),
        peptidases=frozenset(match[1].lower() for match in _PEPTIDASES.finditer(name)),
        aerobic=frozenset(match[1] is None for match in _OXYGEN.finditer(name)),
        residues=frozenset(
            residue
            for match in _RESIDUES.finditer(name)
            for residue in re.split("[,/-]", match[1] or match[2])
        ),
        subunits=_subunits_of_transporter(name),
        negated=tuple(words for match in _NOT.finditer(name) if (words := words_of(match[1]))),
        like=frozenset(
            symbol for match in _LIKE.finditer(name) for symbol in match[1].lower().split("/")
        ),
    )


def _subunits_of_transporter(name: str) -> frozenset[str]:
    if _TRANSPORT.search(name) is None:
        return frozenset()
    return frozenset(part for part, called in _PARTS_OF_TRANSPORTERS.items() if called.search(name))


def _either(phosphate: str | None) -> tuple[str, ...]:
    if phosphate is None:
        return ("NAD",)
    return ("NADP",) if phosphate == "P" else ("NAD", "NADP")


def _nucleotides(cofactor: str) -> tuple[str, ...]:
    if cofactor.startswith("NAD"):
        return _either(cofactor.removeprefix("NAD") or None)
    return (_SAME_COFACTOR.get(cofactor, cofactor),)


def _apart(ours: frozenset[object], theirs: frozenset[object]) -> bool:
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _needs_other(ours: Marks, theirs: Marks) -> bool:
    """Whether both say what they depend on, and neither uses what the other needs."""
    if not ours.needs or not theirs.needs:
        return False
    return (ours.needs | ours.cofactors).isdisjoint(theirs.needs | theirs.cofactors)


def _are_other_kinds(ours: Marks, theirs: Marks) -> bool:
    if _letters_differ(ours.letters, theirs.letters):
        return True
    for series in {kind[0] for kind in ours.kinds} & {kind[0] for kind in theirs.kinds}:
        if not _share_kind(_of_series(ours, series), _of_series(theirs, series)):
            return True
    one_bare = (all(not kind[0] for kind in marks.kinds) for marks in (ours, theirs))
    # Fructose-bisphosphatase II has its number of a class that the other name spells out.
    return (
        any(one_bare)
        and bool(ours.kinds and theirs.kinds)
        and not _share_kind(ours.kinds, theirs.kinds)
    )


def _letters_differ(ours: frozenset[tuple[str, str]], theirs: frozenset[tuple[str, str]]) -> bool:
    series = {one[0] for one in ours} & {one[0] for one in theirs}
    return bool(series) and ours.isdisjoint(theirs)


def _of_series(marks: Marks, series: str) -> frozenset[tuple[str, str, str]]:
    return frozenset(kind for kind in marks.kinds if kind[0] == series)


def _share_kind(
    ours: frozenset[tuple[str, str, str]], theirs: frozenset[tuple[str, str, str]]
) -> bool:
    """Whether a number is common; class I may be class Ia, and class Ib is not."""
    return any(
        one[1] == other[1] and (one[2] == other[2] or not one[2] or not other[2])
        for one in ours
        for other in theirs
    )


def _denies(marks: Marks, other: str, own: str) -> bool:
    """Whether a name says that the protein is not what the other one names."""
    if not marks.negated or _NOT.search(other) is not None:
        return False
    named = words_of(other) - words_of(_NOT.sub(" ", own))
    return any(words <= words_of(other) or named == words for words in marks.negated)


def _is_like(marks: Marks, own: str, other: str, of_other: Marks) -> bool:
    """Whether a name says that the protein is only like what another names.

    Not where that says so too, or where both have another symbol (DnaA paralog Hda).
    """
    symbols = marks.like & words_of(other)
    if symbols <= of_other.like or any(f"{symbol}-like" in other.lower() for symbol in symbols):
        return False
    of_its_own = {symbol.lower() for symbol in _ANY_SYMBOL.findall(own)} - marks.like
    return of_its_own.isdisjoint(words_of(other))


def _genes(names: Iterable[str]) -> dict[str, set[tuple[str, str]]]:
    """Letters and numbers of gene symbols by their stem, without those of partners."""
    found: dict[str, set[tuple[str, str]]] = {}
    for stem, letter, number in _symbols(names):
        found.setdefault(stem, set()).update((one, number) for one in letter)
    return found


def _symbols(names: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for name in names:
        for match in _GENE.finditer(name):
            if _PARTNER.search(name[: match.start()]) is None:
                yield match[1].lower(), match[2], match[3]


def _same_gene(one: tuple[str, str], other: tuple[str, str]) -> bool:
    numbers_differ = bool(one[1] and other[1]) and one[1] != other[1]
    return one[0] == other[0] and not numbers_differ
