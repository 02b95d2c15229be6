"""Colours and words of figures: those of the map on the HTML page.

The groups of categories are those of ``page/scripts/map_groups.js``, the colours those of the
light theme (``page/scripts/map_colours.js``); tests compare them, and hold the distances between
the colours for eyes without red or green cones.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NamedTuple

from genint.model.vocabulary import Category


class Look(NamedTuple):
    """How a kind of gene is drawn and what the legend calls it.

    Attributes:
        key: Short name.
        word: Of the legend.
        fill: Colour of the inside, ``#rrggbb``.
        edge: Colour of the outline; the same as the inside where there is no outline to see.
    """

    key: str
    word: str
    fill: str
    edge: str


def _group(key: str, word: str, colour: str) -> Look:
    return Look(key, word, colour, colour)


INK: Final = "#1c2733"
SOFT: Final = "#55636f"
LINE: Final = "#dbe2e8"
PAPER: Final = "#ffffff"

HEAD: Final = _group("head", "head and packaging", "#226ce7")
TAIL: Final = _group("tail", "tail", "#49a844")
LYSIS: Final = _group("lysis", "lysis", "#b9510f")
LYSOGENY: Final = _group("lysogeny", "lysogeny and mobility", "#dc6c93")
REPLICATION: Final = _group("replication", "replication and nucleotides", "#9236a7")
EXPRESSION: Final = _group("expression", "transcription and translation", "#29500d")
DEFENCE: Final = _group("defence", "host takeover and defence", "#56204e")
METABOLISM: Final = _group("metabolism", "metabolism and transport", "#320e9a")
CELL: Final = _group("cell", "envelope and cell processes", "#8b8fcf")
OTHER: Final = _group("other", "other or unknown", "#5b6670")
DARK: Final = Look("none", "dark matter", "#d9e0e5", "#7c8a96")
"""Pale with an outline; the dashes of the page would be lost in print."""
RNA: Final = Look("rna", "RNA gene", "#000000", "#000000")
"""Low bars, and darker than on the page, where their shape tells them from other genes."""
CRISPR: Final = Look("crispr", "CRISPR array", "#f2c14e", INK)

LOOKS: Final = (
    HEAD, TAIL, LYSIS, LYSOGENY, REPLICATION, EXPRESSION, DEFENCE, METABOLISM, CELL, OTHER,
    DARK, RNA, CRISPR,
)  # fmt: skip
"""In the order of legends."""

GC_CONTENT: Final = "#7c8a96"
SKEW_ABOVE: Final = "#0b4f8a"
SKEW_BELOW: Final = "#c98a1b"
SAME_STRAND: Final = ("#eef1f4", "#5a6774")
"""Links from the least identity to identical proteins, read in the same direction."""
OTHER_STRAND: Final = ("#fdeede", "#b9561f")
"""The same for genes that are read in opposite directions."""

_BY_CATEGORY: Final = MappingProxyType(
    {
        Category.PACKAGING: HEAD,
        Category.HEAD: HEAD,
        Category.CONNECTOR: HEAD,
        Category.TAIL: TAIL,
        Category.LYSIS: LYSIS,
        Category.INTEGRATION: LYSOGENY,
        Category.LYSOGENY: LYSOGENY,
        Category.MOBILE: LYSOGENY,
        Category.REPLICATION: REPLICATION,
        Category.NUCLEOTIDES: REPLICATION,
        Category.TRANSCRIPTION: EXPRESSION,
        Category.TRANSLATION: EXPRESSION,
        Category.PROTEIN_FATE: EXPRESSION,
        Category.HOST_TAKEOVER: DEFENCE,
        Category.DEFENCE: DEFENCE,
        Category.METABOLISM: METABOLISM,
        Category.TRANSPORT: METABOLISM,
        Category.ENVELOPE: CELL,
        Category.CELL_PROCESSES: CELL,
    }
)
VIRION: Final = frozenset({Category.PACKAGING, Category.HEAD, Category.CONNECTOR, Category.TAIL})
"""Categories of genes that only phages have."""


def look_of(category: Category | None) -> Look:
    """How a gene of a category is drawn; what has none is among the others."""
    return OTHER if category is None else _BY_CATEGORY.get(category, OTHER)


def mixed(colours: tuple[str, str], share: float) -> str:
    """A colour between two.

    Args:
        colours: ``#rrggbb``, for 0 and for 1.
        share: 0..1; what is beyond counts as the end.
    """
    part = min(max(share, 0.0), 1.0)
    low, high = ([int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in colours)
    values = (round(a + (b - a) * part) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{value:02x}" for value in values)
