"""Names of InterPro's signatures as headings, from which claims are made.

Each collection has its habits: PANTHER writes in capitals and names a family after one member,
CDD explains, HAMAP adds a gene, PROSITE adds "profile". What is left is put into a sentence by
:mod:`genint.knowledge.pfam`. Entries of InterPro need none of this.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from genint.knowledge.pfam import claim_of
from genint.knowledge.product_names import NameKind, classify_product, clean_product
from genint.model.online import InterProMatch

ANTIFAM: Final = "antifam"
"""Models of translations that are no proteins."""

_BETWEEN = re.compile(r"[\s_-]+")
_OTHER_NAMES = {
    "gene3d": "cathgene3d",
    "funfam": "cathfunfam",
    "supfam": "superfamily",
    "tigrfam": "ncbifam",
}
_FEATURES = ("phobius", "coils", "mobidb", "tmhmm", "deeptmhmm", "signalp")
_FOLDS = frozenset({"cathgene3d", "cathfunfam", "superfamily"})


def library_of(title: str) -> str:
    """The collection as matches have it, of any spelling: ``CATH-Gene3D`` is ``cathgene3d``."""
    bare = _BETWEEN.sub("", title.lower())
    return _OTHER_NAMES.get(bare, bare)


def is_feature(library: str) -> bool:
    """Whether it describes residues (a coil, a membrane segment), not a family."""
    return library.startswith(_FEATURES)


def is_fold(library: str) -> bool:
    """Whether its models describe folds: common descent, many functions."""
    return library in _FOLDS


def is_signature(match: InterProMatch) -> bool:
    """Whether it is a family's signature that was matched, not predicted, and no feature."""
    return not match.is_prediction and not is_feature(match.library)


_KINDS: Final = {
    "active_site": "active site",
    "binding_site": "binding site",
    "conserved_site": "conserved site",
    "ptm": "modification site",
}
_SITE: Final = re.compile(
    r"""(?P<comma>,)?[ ](?P<site>
        (?:(?:acyl-enzyme[ ]intermediate|cysteine|histidine|serine|lys|his|cys|ser|asp)[ ])?
        (?:[\w()'/+-]+[- ](?:binding|attachment)[ ](?:site|region)
          |(?:divalent[ ]|metal[ ]|cation[ ])*[\w()'/+-]*[- ]?binding
          |(?:active|binding|conserved|catalytic|adenylation|phosphorylation|hydroxylation
             |attachment|modification|cleavage)[ ](?:site|region))
        [ ]?\d*)$""",
    re.VERBOSE | re.IGNORECASE,
)
_IS_PLACE: Final = re.compile(r"\b(?:site|region|motif|centre|center|signature)\b", re.I)


class SiteClaim(NamedTuple):
    """What having a site means for a protein.

    Attributes:
        subject: What has such sites, by which claims are compared.
        claim: In a sentence.
    """

    subject: str
    claim: str


def site_claim(heading: str, kind: str) -> SiteClaim | None:
    """Put the name of a site into a sentence; None where it names no function.

    ``Catalase active site`` becomes "contains the catalase active site", of catalase.

    Args:
        heading: Name of the entry.
        kind: Its type, such as ``active_site``; may be empty.
    """
    found = _SITE.search(heading)
    # The closing word keeps "domain" and "repeat" from being cut off as habits of headings.
    whose = claim_of(f"{heading[: found.start()] if found else heading} site").subject
    subject = whose.removesuffix(" site")
    if classify_product(subject) is NameKind.PLACEHOLDER:
        return None
    site = found["site"] if found else ""
    if site.lower().endswith("binding"):
        site += " site"
    elif not found and not _IS_PLACE.search(heading):
        site = _KINDS.get(kind, "site")
    return SiteClaim(subject, f"contains the {subject} {site}".rstrip())


_GENE: Final = re.compile(r"\s*\[[^\]]*\]$")
_PROFILE: Final = re.compile(r"(?: circular)? profile$|(?: proteins?)? signatures?(?: \d+)?$", re.I)
_SERIAL: Final = re.compile(r"^C\d[\d.]*: ")
_CLAUSE_END: Final = re.compile(
    r"""[;:]\s | \.\s | \s\(also[ ]known | ,?[ ](?:and|or)[ ](?:related|similar)[ ]\w+
      | ,[ ](?:subgroup|subfamily|class|group|type)\b | [ ]includ(?:es?|ing)\b
      | [ ]homologues$ | [ ]found[ ]in[ ]""",
    re.VERBOSE | re.IGNORECASE,
)
_LONGEST = 90
_OPENING: Final = re.compile(
    r"^(?:the |an? (?:new )?)?(?:(?:first|second|third|fourth) (?:of two )?)?", re.IGNORECASE
)

_NO_NAME: Final = re.compile(
    r"""\b\w*(?:\d\w*){4,}\b | SHOTGUN | \bPROPHAGE\b | ^SI:\w | ^ACYL-COA$
      | \b(?:DUF|UPF)\d+ | \bCHROMOSOME[ ]\d | \bDOMAINS?\b""",
    re.VERBOSE,
)
"""Names of PANTHER that are identifiers of some genome, cut off, or of a domain, which other
collections tell better."""
_TAIL: Final = re.compile(
    r"""(?:[-, ]+(?:RELATED|LIKE|HOMOLOG|HOMOLOGUE))+$ | ,?[ ]ISOFORM[ ]\w+$ | ,[ ]CHLOROPLASTIC$
      | ,[ ]MITOCHONDRIAL$ | [ ]FAMILY[ ]MEMBER(?:[ ]\w+)?$ | [ ]\([^)]*\)$ | ,?[ ]FAMILY$
      | [ ]PROTEIN$ | [ ]\d+(?:,[ ]\d+)*$""",
    re.VERBOSE,
)
_CAPITALS: Final = frozenset(
    """
    ABC ACBP ACT AAA ADP AMP ATP CBS CDP CMP CTP DEAD DNA FAD FMN GDP GGDEF GMP GNAT GTP HAD HAMP
    HNH HTH III IIA IIB IIC KRAB LIM LOV LPXTG MATE MFS MIZ NAD NADH NADP NADPH NTP PAS PDZ PHD
    PTS RING RNA RND SAM SDR SET TIM TPR TRAP UDP UMP UTP
    """.split()
)
_AS_WRITTEN: Final = {"COA": "CoA", "TRNA": "tRNA", "RRNA": "rRNA", "MRNA": "mRNA", "CAMP": "cAMP"}
_SHORT_WORDS: Final = frozenset({"OF", "IN", "TO", "OR", "BY", "ON", "AT"})
_WORD: Final = re.compile(
    r"[A-Z0-9'.]+(?:_[A-Z0-9]+)?(?P<symbol>(?=-(?:FAMILY|TYPE|RELATED)|,? FAMILY$|$))?"
)
_SYMBOL: Final = re.compile(r"[A-Z]{3}[A-Z]?\d?")
_NO_SYMBOLS: Final = frozenset(
    """
    ARM BOX CAP END ION LID SUB TIP ACID BETA CELL COAT COIL CORE FOLD GENE HEAD HEAT HEME IRON
    LIKE LOOP PORE PUMP ROOT SALT SITE STEM TAIL TUBE TYPE UNIT WALL ZETA ZINC
    """.split()
)
_LONG_WORD: Final = 4
_SMALL: Final = frozenset({"with", "from", "like", "type", "into", "than", "containing"})
_CAPITALISED: Final = re.compile(r"[A-Z][a-z]{3,}(?:[/-][A-Z]?[a-z]+)*")
_CAPITALISED_WORD: Final = re.compile(r"(?<![\w])[A-Z][a-z]{3,}\b")


def heading_of(match: InterProMatch) -> str:
    """What a signature that belongs to no entry is called; empty where that says nothing.

    Of PANTHER's families, which are wide and named after one member, it is "... family".
    """
    text = match.description or (match.name if match.library == "pfam" else "")
    match match.library:
        case "panther":
            return _of_panther(text)
        case "cdd" | "smart":
            return _first_clause(text)
        case "hamap":
            return _GENE.sub("", text)
        case "sfld":
            return _SERIAL.sub("", text)
        case "prositeprofiles" | "prositepatterns":
            return _PROFILE.sub("", text)
    return text


def untitled(heading: str) -> str:
    """A heading without the capitals of a title: Amino Acid and Vitamin Transporters.

    Where a word of some length is written small, capitals have a meaning.
    """
    long = [word for word in heading.split() if len(word) >= _LONG_WORD and word not in _SMALL]
    if any(word[0].islower() for word in long[1:]) or not any(
        _CAPITALISED.fullmatch(word.rstrip(",;")) for word in heading.split()[1:]
    ):
        return heading
    return _CAPITALISED_WORD.sub(lambda word: clean_product(word[0]), heading)


def _first_clause(text: str) -> str:
    """What an explanation begins with; empty where that is too long for a name."""
    first = _OPENING.sub("", _CLAUSE_END.split(text, maxsplit=1)[0].strip())
    return first if len(first) <= _LONGEST else ""


def _of_panther(text: str) -> str:
    if not text or _NO_NAME.search(text):
        return ""
    bare = text
    while (shorter := _TAIL.sub("", bare)) and shorter != bare:
        bare = shorter
    bare = bare.removeprefix("PROTEIN ").strip(" ,").replace(" -", "-")
    spoken = _WORD.sub(
        lambda word: _spoken(word[0], may_be_symbol=word["symbol"] is not None), bare
    )
    return f"{spoken} family" if spoken else ""


def _spoken(word: str, *, may_be_symbol: bool) -> str:
    """A word in capitals as it is written elsewhere: DNA, gyrase, ArsB."""
    if word in _AS_WRITTEN:
        return _AS_WRITTEN[word]
    is_short = len(word) <= 2 and word not in _SHORT_WORDS  # noqa: PLR2004 - D-, II, EH
    if word in _CAPITALS or is_short or any(sign.isdigit() for sign in word):
        return word
    if may_be_symbol and _SYMBOL.fullmatch(word) and word not in _NO_SYMBOLS:
        return word[0] + word[1:3].lower() + word[3:]
    return word.lower()
