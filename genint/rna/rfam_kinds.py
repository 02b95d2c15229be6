"""What the types of Rfam are in the vocabularies of INSDC.

Source: Feature Table Definition 11.3 of INSDC (feature keys, ``/ncRNA_class`` and
``/regulatory_class``); types of Rfam as its documentation lists them.
"""

from __future__ import annotations

from typing import NamedTuple


class RnaKind(NamedTuple):
    """How INSDC calls a family.

    Attributes:
        key: Feature key.
        insdc_class: ``/ncRNA_class`` or ``/regulatory_class``; None where the key has none.
        product: Name that is the usual one; None to take the family's description.
    """

    key: str
    insdc_class: str | None
    product: str | None = None


_TMRNA = RnaKind("tmRNA", None, "transfer-messenger RNA")
_BY_NAME = (
    ("tmRNA", _TMRNA),
    ("RNaseP", RnaKind("ncRNA", "RNase_P_RNA", "RNase P RNA component")),
    ("RNase_P", RnaKind("ncRNA", "RNase_P_RNA", "RNase P RNA component")),
    ("_SRP", RnaKind("ncRNA", "SRP_RNA", "signal recognition particle RNA")),
)
"""Part of a family's name -> kind, where the type alone does not tell."""
_BY_TYPE = (
    ("Cis-reg; riboswitch", RnaKind("regulatory", "riboswitch")),
    ("Cis-reg; frameshift_element", RnaKind("regulatory", "recoding_stimulatory_region")),
    ("Cis-reg", RnaKind("regulatory", "other")),
    ("Gene; antisense", RnaKind("ncRNA", "antisense_RNA")),
    ("Gene; ribozyme", RnaKind("ncRNA", "ribozyme")),
    ("Gene; rRNA", RnaKind("rRNA", None)),
    ("Gene; tRNA", RnaKind("tRNA", None)),
    ("Gene", RnaKind("ncRNA", "other")),
    ("Intron", RnaKind("misc_feature", None)),
)
"""Beginning of a type -> kind, the narrower ones first."""


def kind_of(family_type: str, name: str) -> RnaKind:
    """Key and class of a family.

    Args:
        family_type: Rfam's, such as ``Gene; ribozyme;``.
        name: Rfam's, such as ``RNaseP_bact_a``.
    """
    for part, kind in _BY_NAME:
        if part in name and family_type.startswith("Gene"):
            return kind
    for beginning, kind in _BY_TYPE:
        if family_type.startswith(beginning):
            return kind
    return RnaKind("misc_feature", None)
