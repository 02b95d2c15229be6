"""COG letter of a Pfam family, learned from proteins whose COG is known.

``training/pfam_cog.py`` counts, per family, the COG letters of the proteins of
Escherichia coli and Synechocystis that carry it. A protein with several families
counts for each of them. Only the counts ship.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from genint.knowledge.shipped import PFAM_COG, read_rows

MINIMAL_PURITY = 0.8
"""Share; on M. pneumoniae, which was not counted, the letter of the best hit with
such a family was right for 262 of 272 proteins (96 %), 59 % of those with a COG. At
0.5 it was right in 89 %, at 0.9 in 98 %, for 72 and 56 % of them."""
MINIMAL_PROTEINS = 2
"""One protein is always pure: families seen once were right for 16 of 19 (84 %)."""
_UNKNOWN = "S"


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


def is_grounded(call: CogCall) -> bool:
    """Whether a letter is pure and frequent enough, and says anything, to be claimed."""
    if call.letter == _UNKNOWN:
        return False
    return call.purity >= MINIMAL_PURITY and call.proteins >= MINIMAL_PROTEINS


def load_cog_calls() -> Mapping[str, CogCall]:
    """Accession -> COG letter, for the families whose letter is grounded."""
    return MappingProxyType(
        {accession: call for accession, call in load_counts().items() if is_grounded(call)}
    )
