"""What a family is called in a sentence: its bare name and the claim that it makes.

Pfam's descriptions and InterPro's names were written for headings. Here the
headings' habits go (``(DUF123)``, ``, C-terminal``, a closing ``domain``), the words
themselves stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from genint.knowledge.families import Family
from genint.knowledge.product_names import NameKind, classify_product, clean_product

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
    r"\b(\w*(?:ase|protein|factor|receptor|transporter|enzyme|antigen|channel|regulator))s\b"
)
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

_TOLD_AS_NAME = (NameKind.NAME, NameKind.HEDGED, NameKind.SYMBOL, NameKind.BROAD)
_SPELT_WITH_VOWEL = frozenset("AEFHILMNORSX")
_LONG_U = re.compile(r"u(?:ni|bi|ra|re|ri|ro|ti|se)", re.IGNORECASE)
_SPELT_OUT = ("NAD", "FAD", "FMN", "LOV", "HIS", "RES")
_SPOKEN_ACRONYM = re.compile(r"[BCDFGHJ-NP-TV-Z][AEIOU][A-Z]{1,3}(?![A-Z])")


class FamilyClaim(NamedTuple):
    """What belonging to a family says of a protein.

    Attributes:
        subject: The bare name, by which claims are compared.
        of_protein: The claim where the family stands for the whole protein.
        of_domain: The claim where it is found as a part.
    """

    subject: str
    of_protein: str
    of_domain: str


_UNKNOWN = re.compile(r"^(?:DUF|UPF)\d+|uncharacteri[sz]ed|unknown function", re.IGNORECASE)


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


def telling_name(family: Family) -> str | None:
    """The heading that says what the family does; None where its function is unknown.

    InterPro's name comes first for families that stand for proteins, as it is the
    later and the more careful one; Pfam's for domains, as it names the domain where
    InterPro may name the protein it was first seen in. A name that is itself a
    comparison (``X-like``) never replaces "unknown function".
    """
    interpro = family.interpro.name if family.interpro else ""
    headings = (family.description, interpro)
    if family.stands_for_protein and not _says_unknown(family.description):
        headings = (interpro, family.description)
    kinds = [_kind(heading) for heading in headings]
    for heading, kind in zip(headings, kinds, strict=True):
        if kind is NameKind.NAME:
            return heading
    if kinds[0] in _TOLD_AS_NAME:
        return headings[0]
    return headings[1] if kinds[1] is NameKind.SYMBOL else None


def _says_unknown(heading: str) -> bool:
    return _kind(heading) is NameKind.PLACEHOLDER


def _kind(heading: str) -> NameKind:
    """As for products, but that a family of unknown function is one whatever else it says."""
    if _UNKNOWN.search(heading):
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
    # What the protein is.
    protein = f"{parts.base}{group} protein" if parts.group else parts.base
    if parts.kind:
        protein = f"{parts.base} {parts.kind} protein"
    subject = parts.base.removeprefix("putative ")
    return FamilyClaim(subject, protein, f"contains {article(element)} {element}")


def _take_apart(heading: str) -> _Heading:
    base = _LEADING_ARTICLE.sub("", _without_asides(heading))
    start = _START.match(base)
    base = clean_product(_PLURAL.sub(r"\1", _START.sub("", base)))
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
    told = _OWN_NAME.sub("", " ".join(heading.split()))
    text = _ASIDE.sub("", told).replace("'Cold-shock'", "Cold-shock")
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
    """Whether its first letter is said by its name: HTH and NAD are, SAM and Hsp not."""
    if len(word) < 2 or not word[0].isupper() or word[1].islower():  # noqa: PLR2004 - two letters
        return False
    return word.startswith(_SPELT_OUT) or not _SPOKEN_ACRONYM.match(word)
