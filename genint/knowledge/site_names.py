"""What InterPro's entries for sites are called in a sentence."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from genint.knowledge.family_names import claim_of
from genint.knowledge.product_names import NameKind, classify_product

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
    """What having a site says of a protein.

    Attributes:
        subject: What has such sites, by which claims are compared.
        claim: In a sentence.
    """

    subject: str
    claim: str


def site_claim(heading: str, kind: str) -> SiteClaim | None:
    """Put the name of a site into a sentence; None where it says nothing of function.

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
