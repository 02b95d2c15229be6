"""Pfam families: their names as claims, InterPro entries, GO terms and COG letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property
from types import MappingProxyType
from typing import NamedTuple

from genint.knowledge.product_names import NameKind, classify_product, clean_product
from genint.knowledge.spelling import spaced
from genint.knowledge.table_files import (
    GO_TERMS,
    NOTHING_INSTALLED,
    PFAM_COG,
    PFAM_FAMILIES,
    InstalledTables,
    LazyTable,
    read_go_terms,
    read_lines,
    read_pfam2go,
    read_rows,
    read_table,
    shipped_go_terms,
)
from genint.model.evidence import GoTerm

MINIMAL_PURITY = 0.8
"""Share; on M. pneumoniae, which was not counted, the letter of the best hit with
such a family was right for 262 of 272 proteins (96 %), 59 % of those with a COG. At
0.5 it was right in 89 %, at 0.9 in 98 %, for 72 and 56 % of them."""
MINIMAL_PROTEINS = 2
"""One protein is always pure: families seen once were right for 16 of 19 (84 %)."""
_UNKNOWN_LETTER = "S"


class CogCall(NamedTuple):
    """The COG letter of a family.

    Attributes:
        letter: Functional category, one letter of ``COG_NAMES``.
        purity: Share of the proteins with this family that have this letter, 0..1.
        proteins: Proteins with this family that were counted.
    """

    letter: str
    purity: float
    proteins: int


def load_counts() -> Mapping[str, CogCall]:
    """Most frequent letter of every family that was counted, however impure."""
    rows = read_rows(PFAM_COG)
    return MappingProxyType(
        {
            accession: CogCall(letter, int(with_letter) / int(proteins), int(proteins))
            for accession, letter, with_letter, proteins in rows
        }
    )


def is_reliable(call: CogCall) -> bool:
    """Whether a letter is pure and frequent enough, and names a function, to be claimed."""
    if call.letter == _UNKNOWN_LETTER:
        return False
    return call.purity >= MINIMAL_PURITY and call.proteins >= MINIMAL_PROTEINS


@cache
def load_cog_calls() -> Mapping[str, CogCall]:
    """Accession -> COG letter, for the families whose letter is reliable."""
    return MappingProxyType(
        {accession: call for accession, call in load_counts().items() if is_reliable(call)}
    )


class EntryType(StrEnum):
    """What an InterPro entry describes."""

    FAMILY = "family"
    """Whole proteins of common descent and function."""
    DOMAIN = "domain"
    REPEAT = "repeat"
    CONSERVED_SITE = "conserved_site"
    PTM = "ptm"
    """Site that is modified after translation."""


@dataclass(frozen=True, slots=True)
class InterProEntry:
    """The InterPro entry that a family belongs to."""

    accession: str
    type: EntryType
    name: str


@dataclass(frozen=True, slots=True)
class Family:
    """One Pfam family.

    Attributes:
        accession: Without version, such as PF03237.
        version: Version of the accession.
        name: Short name, such as Terminase_6N.
        description: What Pfam says that it is.
        length_aa: Match positions of the profile.
        gathering_bits: Score from which a protein is a member.
        interpro: Entry that it belongs to; None where there is none.
        go: Terms of that entry; they hold for every member.
        cog: COG letter learned from proteins that carry it; None where it is not reliable.
    """

    accession: str
    version: int
    name: str
    description: str
    length_aa: int
    gathering_bits: float
    interpro: InterProEntry | None
    go: tuple[GoTerm, ...]
    cog: CogCall | None

    @property
    def covers_protein(self) -> bool:
        """Whether it describes whole proteins, not only a domain of them."""
        return self.interpro is not None and self.interpro.type is EntryType.FAMILY


PACK_DATABASE = "Pfam 35.0"
"""Name and release of the families that ship."""


@dataclass(frozen=True)
class FamilyTable:
    """All families by accession without version.

    Attributes:
        families: Those of the pack, or of the installed Pfam-A.
        database: Name and release of what they come from.
    """

    families: Mapping[str, Family]
    database: str = PACK_DATABASE

    def __getitem__(self, accession: str) -> Family:
        return self.families[accession]

    def __contains__(self, accession: object) -> bool:
        return accession in self.families

    def __len__(self) -> int:
        return len(self.families)

    @cached_property
    def by_name(self) -> Mapping[str, Family]:
        """Families by their short name."""
        return MappingProxyType({family.name: family for family in self.families.values()})


def load_families(installed: InstalledTables = NOTHING_INSTALLED) -> FamilyTable:
    """Read the Pfam families.

    Args:
        installed: Tables of Pfam-A and of the Gene Ontology that are used instead of those
            that ship. InterPro entries, and letters of COG, are those that ship.

    Raises:
        UnavailableError: an installed table is gone.

    Cost: 5 ms; each family is read on demand. Installed tables 60 ms.
    """
    shipped = _shipped_families(_go_of_families(installed))
    if installed.pfam_families is None:
        return FamilyTable(shipped)
    go_of, cog = _go_of_families(installed), load_cog_calls()

    def read(row: tuple[str, ...]) -> Family:
        versioned, name, length, gathering, _type, _clan, description = row
        accession, _, version = versioned.partition(".")
        known = shipped.get(accession)
        shipped_go = known.go if known else ()
        return Family(
            accession=accession,
            version=int(version or 0),
            name=name,
            description=description,
            length_aa=int(length),
            gathering_bits=float(gathering),
            interpro=known.interpro if known else None,
            go=shipped_go if go_of is None else go_of(accession),
            cog=cog.get(accession),
        )

    rows = read_table(installed.pfam_families)[1:]  # behind the heading
    return FamilyTable(LazyTable(rows, read, _unversioned), installed.pfam_database)


GoOf = Callable[[str], tuple[GoTerm, ...]]
"""Terms of a Pfam accession."""


def _shipped_families(go_of: GoOf | None) -> Mapping[str, Family]:
    terms, cog = read_pfam_go_terms(), load_cog_calls()

    def read(row: tuple[str, ...]) -> Family:
        family = _family(row, terms, cog)
        return family if go_of is None else replace(family, go=go_of(family.accession))

    return LazyTable(read_lines(PFAM_FAMILIES), read, _unversioned)


def _go_of_families(installed: InstalledTables) -> GoOf | None:
    """Terms by the installed mapping; None where there is none."""
    if installed.pfam2go is None or installed.go_terms is None:
        return None
    mapping, terms = read_pfam2go(installed.pfam2go), read_go_terms(installed.go_terms)

    def go_of(accession: str) -> tuple[GoTerm, ...]:
        # A mapping may be newer than the ontology, or still name a term that became obsolete.
        known = (terms[id_] for id_ in mapping.get(accession, ()) if id_ in terms)
        return tuple({term.id: term for term in known}.values())

    return go_of


def read_pfam_go_terms() -> Mapping[str, GoTerm]:
    """The terms of the families by id."""
    return shipped_go_terms(GO_TERMS)


def _unversioned(accession: str) -> str:
    return accession.partition(".")[0]


def _family(
    row: tuple[str, ...], terms: Mapping[str, GoTerm], cog: Mapping[str, CogCall]
) -> Family:
    versioned, name, length, gathering, entry, kind, entry_name, go, description = row
    accession, _, version = versioned.partition(".")
    return Family(
        accession=accession,
        version=int(version),
        name=name,
        description=description,
        length_aa=int(length),
        gathering_bits=float(gathering),
        interpro=InterProEntry(entry, EntryType(kind), entry_name) if entry else None,
        go=tuple(terms[term] for term in go.split()),
        cog=cog.get(accession),
    )


_ASIDE = re.compile(
    r"""[\s,]*\((?:
        (?:DUF|UPF)\d+ | a\.k\.a\.[^)]* | (?:\d+|\w+)[ ](?:copies|repeats) | (?:branch|group)[ ]\d+
    )\)""",
    re.VERBOSE,
)
_OWN_NAME = re.compile(r"^[\w-]+: (?=\w)")
"""Short name that sets of profiles of old releases put before the description."""
_START = re.compile(
    r"^(?P<end>[NC])[ -]terminal (?:domain|region|half|part|motif) (?:of|found in) (?:the )?", re.I
)
_LEADING_ARTICLE = re.compile(r"^(?:an?|the) (?=\w{2})", re.IGNORECASE)
_PLURAL = re.compile(
    r"\b(\w*(?:ase|protein|factor|receptor|transporter|enzyme|antigen|channel|regulator"
    r"|homolog|homologue))s\b"
)
_HOLDER = re.compile(r"[ -]containing proteins?$", re.IGNORECASE)
"""What has the domain that a heading names."""
_TRAILING_PROTEIN = re.compile(r" protein$")
_NAMES_AN_ELEMENT = re.compile(r"\b(?:domain|repeat|motif|region|finger|fold)s?\b", re.IGNORECASE)
_SERIAL = re.compile(r"[\s,]+(?:family |domain )?(?:DUF|UPF|COG)\d+$")
_END = re.compile(
    r"""[\s,]*\(?\b(?P<end>[NC])[ -]?term(?:inal|inus)?
        (?:\s+(?:region|half|part|extension|domains?))?\)?$""",
    re.VERBOSE | re.IGNORECASE,
)
_KIND = re.compile(
    r"[\s,]+(?:conserved |functional )?(?P<kind>domain|repeat|motif|region|fold)s?$", re.IGNORECASE
)
_GROUP = re.compile(
    r"[\s,]+(?:protein )?(?P<group>superfamily|family|subfamily)(?: domains?| proteins?)?$",
    re.IGNORECASE,
)
_SUPERFAMILY = re.compile(r"superfamily", re.IGNORECASE)

_LIKENESS = re.compile(r"-(?:like|related)$", re.IGNORECASE)
_NAMES_PROTEIN = re.compile(r"protein", re.IGNORECASE)
"""Families named after a gene alone name none: a protein is one of the DegV family."""
_NAMING_KINDS = (NameKind.NAME, NameKind.HEDGED, NameKind.SYMBOL, NameKind.BROAD)
_SPELT_WITH_VOWEL = frozenset("AEFHILMNORSX")
_UNSPEAKABLE = re.compile(r"[HLMNRX][bcdfgj-np-tvwxz][a-z]?[A-Z]")
"""Gene symbols that begin with two consonants no word begins with."""
_LONG_U = re.compile(r"u(?:ni|bi|ra|re|ri|ro|ti|se)", re.IGNORECASE)
_SPELT_OUT = ("NAD", "FAD", "FMN", "LOV", "HIS", "RES")
_SPOKEN_ACRONYM = re.compile(r"[BCDFGHJ-NP-TV-Z][AEIOU][A-Z]{1,3}(?![A-Z])")


class FamilyClaim(NamedTuple):
    """What membership of a family means for a protein.

    Attributes:
        subject: The bare name, by which claims are compared.
        of_protein: The claim where the family covers the whole protein.
        of_domain: The claim where it is found as a part.
    """

    subject: str
    of_protein: str
    of_domain: str


_UNKNOWN_FUNCTION = re.compile(
    r"^(?:DUF|UPF)\d+|uncharacteri[sz]ed|unknown function", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading taken apart."""

    base: str
    end: str | None
    kind: str | None
    group: str | None


def is_superfamily(family: Family) -> bool:
    """Whether it is a superfamily: common descent, not one function."""
    return bool(_SUPERFAMILY.search(family.description))


def informative_name(family: Family) -> str | None:
    """The heading that states the function of the family; None where it is unknown.

    InterPro's name comes first for families that cover whole proteins, as it is the
    later and the more careful one; Pfam's for domains, as it names the domain where
    InterPro may name the protein it was first seen in. A name that is itself a
    comparison (``X-like``) never replaces "unknown function".
    """
    interpro = family.interpro.name if family.interpro else ""
    headings = (family.description, interpro)
    if family.covers_protein and _kind(family.description) is not NameKind.PLACEHOLDER:
        headings = (interpro, family.description)
    kinds = [_kind(heading) for heading in headings]
    for heading, kind in zip(headings, kinds, strict=True):
        if kind is NameKind.NAME:
            return heading
    if kinds[0] in _NAMING_KINDS:
        return headings[0]
    return headings[1] if kinds[1] is NameKind.SYMBOL else None


def _kind(heading: str) -> NameKind:
    """As for products, but that a family of unknown function is one whatever else it says."""
    if _UNKNOWN_FUNCTION.search(heading):
        return NameKind.PLACEHOLDER
    return classify_product(_without_asides(heading))


def claim_of(heading: str) -> FamilyClaim:
    """Put a heading of Pfam or InterPro into a sentence.

    ``Asparaginase, N-terminal`` becomes "contains an asparaginase N-terminal domain",
    ``Hsp20/alpha crystallin family`` "Hsp20/alpha crystallin family protein".
    """
    parts = _take_apart(heading)
    # What is found in the protein, for "contains a ...".
    end = f" {parts.end}-terminal" if parts.end else ""
    named = bool(_NAMES_AN_ELEMENT.search(parts.base))
    kind = parts.kind or ("" if named and not parts.end else "domain")
    group = f" {parts.group}" if parts.group else ""
    base = parts.base if named or group or parts.end else _TRAILING_PROTEIN.sub("", parts.base)
    element = f"{base}{group}{end} {kind}".strip()
    subject = parts.base.removeprefix("putative ")
    return FamilyClaim(subject, _protein_of(parts), f"contains {article(element)} {element}")


def _protein_of(parts: _Heading) -> str:
    """What a protein is that a family covers: one of the family, where its name names none."""
    if parts.kind:
        return f"{parts.base} {parts.kind} protein"
    if parts.group:
        return f"{parts.base} {parts.group} protein"
    if _NAMES_PROTEIN.search(parts.base):
        return parts.base
    if _LIKENESS.search(parts.base):
        return f"{parts.base} protein"
    if all(classify_product(one) is NameKind.SYMBOL for one in parts.base.split("/")):
        return f"{parts.base} family protein"
    return parts.base


def _take_apart(heading: str) -> _Heading:
    base = _HOLDER.sub("", _LEADING_ARTICLE.sub("", _without_asides(heading)))
    start = _START.match(base)
    base = clean_product(spaced(_PLURAL.sub(r"\1", _START.sub("", base))))
    base, kind = _cut(base, _KIND, "kind")
    base, end = _cut(base, _END, "end")
    base, group = _cut(base, _GROUP, "group")
    end = end or (start["end"] if start else None)
    return _Heading(
        base=base,
        end=end.upper() if end else None,
        kind=kind.lower() if kind else None,
        group=group.lower() if group else None,
    )


def _cut(text: str, pattern: re.Pattern[str], group: str) -> tuple[str, str | None]:
    """Text without what matches at its end, and what that was; never all of it."""
    match = pattern.search(text)
    if match is None or match.start() == 0:
        return text, None
    return text[: match.start()].rstrip(" ,;-"), match[group]


def _without_asides(heading: str) -> str:
    name = _OWN_NAME.sub("", " ".join(heading.split()))
    text = _ASIDE.sub("", name).replace("'Cold-shock'", "Cold-shock")
    shorter = _SERIAL.sub("", text)
    return (shorter or text).rstrip(". ")


def article(phrase: str) -> str:
    """``a`` or ``an``, by sound: an ABC transporter, a UDP-sugar, an HTH, a uracil."""
    first = phrase.lstrip("'\"([")
    if _is_spelt_out(first):
        return "an" if first[0] in _SPELT_WITH_VOWEL else "a"
    if first.startswith(("8", "11-", "18")):
        return "an"
    if first.startswith("U") or _LONG_U.match(first) or first.lower().startswith(("eu", "one")):
        return "a"
    return "an" if first[:1].lower() in tuple("aeiou") else "a"


def _is_spelt_out(word: str) -> bool:
    """Whether it is spelt out when spoken: HTH, NAD and NlpC are, SAM and NusB not."""
    if _UNSPEAKABLE.match(word):
        return True
    if len(word) < 2 or not word[0].isupper() or word[1].islower():  # noqa: PLR2004 - two letters
        return False
    return word.startswith(_SPELT_OUT) or not _SPOKEN_ACRONYM.match(word)
