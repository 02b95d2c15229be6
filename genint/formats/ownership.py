"""Which ``gene`` feature belongs to which CDS or RNA."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from genint.formats.annotation import RawFeature
from genint.model.interval import Location

_MAX_PROBES = 50
"""Products of one symbol that are looked at for one gene feature; bounds the cost."""


class PlacedFeature(NamedTuple):
    """A feature on its contig; ``remote`` where part of it lies on another record."""

    feature: RawFeature
    location: Location
    remote: bool


class Owners:
    """Gene features and products of one record, to be asked for each other.

    Cost: O(features log features) to build, O(log features) to ask.
    """

    def __init__(self, placed: Iterable[PlacedFeature]) -> None:
        self._gene_by_tag: dict[str, RawFeature] = {}
        self._gene_by_outline: dict[tuple[int, int, int], RawFeature] = {}
        self._product_tags: set[str] = set()
        self._product_outlines: set[tuple[int, int, int]] = set()
        self._product_spans: dict[str, list[tuple[int, int]]] = {}
        for feature, location, _ in placed:
            tag, symbol = feature.value("locus_tag"), feature.value("gene")
            outline = _outline(location)
            if feature.key == "gene":
                self._gene_by_outline.setdefault(outline, feature)
                if tag:
                    self._gene_by_tag.setdefault(tag, feature)
                continue
            self._product_outlines.add(outline)
            if tag:
                self._product_tags.add(tag)
            if symbol:
                self._product_spans.setdefault(symbol, []).append(outline[:2])
        for spans in self._product_spans.values():
            spans.sort()

    def gene_over(self, product: RawFeature, location: Location) -> RawFeature | None:
        """The gene feature with a product's locus tag or at its very place."""
        found = self._gene_by_tag.get(product.value("locus_tag") or "")
        return found or self._gene_by_outline.get(_outline(location))

    def has_product(self, gene: RawFeature, location: Location) -> bool:
        """Whether a CDS or RNA stands for a gene feature.

        By locus tag, by place, or (where the gene has no tag) by a symbol that they
        share with the product inside the gene.
        """
        tag = gene.value("locus_tag")
        outline = _outline(location)
        if tag in self._product_tags or outline in self._product_outlines:
            return True
        if tag:
            return False
        spans = self._product_spans.get(gene.value("gene") or "", [])
        start, end, _ = outline
        first = bisect_left(spans, (start, start))
        return any(span[1] <= end for span in spans[first : first + _MAX_PROBES])


def _outline(location: Location) -> tuple[int, int, int]:
    span = location.span
    return span.start, span.end, int(location.strand)
