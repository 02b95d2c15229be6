"""What figures call a gene: its function in a few words, and the landmarks of bacteria.

Short forms are those of the map of the HTML page (``page/scripts/map_names.js``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from genint.knowledge.product_names import NameKind, classify_product
from genint.model.vocabulary import EvidenceSource
from genint.report.insdc import OWN_NAMED
from genint.report.result import GeneItem
from genint.report.wording import shown_text

LONGEST_LABEL: Final = 60
"""Characters; what is longer is cut at a blank, and shorter where there is less room."""
_NAMED: Final = frozenset({NameKind.NAME, NameKind.HEDGED, NameKind.BROAD})
_SYMBOL: Final = re.compile(r"[a-z]{0,4}[A-Z0-9]?")
"""What is written like a gene symbol (bet, gam, xis), as some files do instead of a product."""
_SHORTER: Final = tuple(
    (re.compile(long), short)
    for long, short in (
        (r" \((?:EC|[Ff]ragment|partial)[^()]*\)", ""),
        (r"^pseudogene(?: of |; )", "ψ "),
        (
            r"^(?:contains|protein with) a region like (?:an? )?(.*?)(?: family protein)?$",
            r"\1-like region",
        ),
        (r"-like-like ", "-like "),
        (r"^contains (?:an? )?", ""),
        (r"\b[Ss]ingle-?stranded DNA\b", "ssDNA"),
        (r"\b[Dd]ouble-?stranded DNA\b", "dsDNA"),
        (r"\b[Ss]ingle-strand\b", "ss"),
        (r"(?i)\bribonucleoside-?triphosphate\b", "rNTP"),
        (r"(?i)\bribonucleoside-?diphosphate\b", "rNDP"),
    )
)
_PART: Final = re.compile(r"^(.+?)( (?:domain|region|repeat|motif)s?)$")
_FAMILY: Final = re.compile(r"^GF\w+ (.+?)(?: \(\d.*)?$")
_LANDMARKS: Final = tuple(
    (label, re.compile(rf"^(?:{pattern})$", re.IGNORECASE))
    for label, pattern in (
        ("replication initiator DnaA", r"(?:chromosom\w+ )?replication initiat\w+ .*DnaA"),
        ("DNA gyrase subunit B", r"DNA gyrase,? subunit B"),
        ("DNA gyrase subunit A", r"DNA gyrase,? subunit A"),
        ("topoisomerase IV subunit A", r"DNA topoisomerase IV,? subunit A"),
        ("DNA polymerase I", r"DNA polymerase I"),
        (
            "DNA polymerase III subunit alpha",
            r"DNA polymerase III,? (?:subunit alpha|alpha subunit)",
        ),
        ("replicative helicase", r"replicative DNA helicase(?: DnaB)?"),
        ("recombinase RecA", r"(?:DNA )?recombina\w+ (?:protein )?RecA"),
        ("mismatch repair MutS", r"DNA mismatch repair protein MutS"),
        ("SOS repressor LexA", r"(?:transcriptional )?repressor LexA"),
        (
            "RNA polymerase subunit beta",
            r"(?:DNA-directed )?RNA polymerase,? (?:subunit beta|beta subunit)",
        ),
        ("RNA polymerase sigma factor RpoD", r"RNA polymerase sigma factor (?:RpoD|SigA)"),
        ("termination factor Rho", r"transcription termination factor Rho"),
        ("elongation factor G", r"(?:translation )?elongation factor (?:EF-)?G"),
        ("initiation factor IF-2", r"translation initiation factor IF-2"),
        ("cell division protein FtsZ", r"cell division protein FtsZ"),
        ("preprotein translocase SecA", r"preprotein translocase subunit SecA"),
        ("preprotein translocase SecY", r"preprotein translocase subunit SecY"),
        ("chaperone DnaK", r"(?:molecular )?chaperone (?:protein )?DnaK"),
        ("chaperonin GroEL", r"(?:\d+ kDa )?chaperonin GroEL"),
        ("ATP synthase subunit beta", r"(?:F0F1 )?ATP synthase,? (?:subunit beta|beta subunit)"),
        ("flagellin", r"flagellin"),
        ("beta-galactosidase", r"beta-galactosidase"),
    )
)


def shortened(text: str, most: int) -> str:
    """A text of at most so many characters, cut at a blank where that leaves half of it."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    blank = cut.rfind(" ")
    return (cut[:blank] if blank >= most // 2 else cut).rstrip(" ,;:-/(") + "…"


def function_label(name: str) -> str | None:
    """A function as a label, or None where a name states none.

    A protein that is only like another in a region is no such protein, and its label says so.
    """
    text = " ".join(shown_text(name).split())
    if _SYMBOL.fullmatch(text) or classify_product(text) not in _NAMED:
        return None
    for long, short in _SHORTER:
        text = long.sub(short, text).strip()
    part = _PART.match(text)
    what, end = (part[1], part[2]) if part else (text, "")
    return shortened(what, LONGEST_LABEL - len(end)) + end


def label_of(gene: GeneItem) -> str | None:
    """What a gene does, as genint found it; with a "?" where that is hardly more than a guess."""
    label = None if gene.is_dark else function_label(gene.function or "")
    return f"{label}?" if label and gene.confidence not in OWN_NAMED else label


def landmark_of(gene: GeneItem) -> str | None:
    """The landmark that a gene is: by its function or the family that it belongs to.

    Words of a file differ from file to file, so the name in the file alone makes none.
    """
    if gene.is_dark or gene.pseudo or gene.confidence not in OWN_NAMED:
        return None
    names = tuple(_names(gene))
    return next((label for label, known in _LANDMARKS if any(map(known.match, names))), None)


def _names(gene: GeneItem) -> Iterator[str]:
    yield " ".join((gene.function or "").split())
    for item in gene.evidence:
        family = item.source is EvidenceSource.GENINT_FAMILY and _FAMILY.match(item.label)
        if family:
            yield family[1]
