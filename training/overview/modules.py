"""Modules against annotations: genes of a module by the record, and by genint told no names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from genint import interpret_genome
from genint.knowledge.products import load_products
from genint.knowledge.roles import load_roles
from genint.model.interpretation import InterpretationSummary
from genint.model.overview import Topic
from genint.model.vocabulary import Category
from genint.overview.modules import CATEGORIES
from training.gene_order.material import category_finder

GENOMES: Final = (
    "AcinetobacterApostate_NC_049491.gbk",
    "B3_NC_006548.gbk",
    "DE3_EU078592.gbk",
    "L5_Z18946.gb",
    "SodalisSO1_NC_013600.gbk",
    "T7_NC_001604.gb",
    "VT2Sakai_NC_000902.gbk",
    "Yersinia201_16_NC_070914.gbk",
    "lambda_NC_001416.gb",
    "phageK_NC_005880.gbk",
)
"""Annotated tailed phages."""


class Coverage(NamedTuple):
    """Of one module in all genomes.

    Attributes:
        module: Which.
        both: Genes that the record and the statement put in it.
        record: Genes that the record puts in it and genint has at the same stop.
        told: Genes of the statement whose name in the record tells a module.
    """

    module: str
    both: int
    record: int
    told: int


def measure_modules(data: Path, cache: Path) -> tuple[Coverage, ...]:
    """Compare on the annotated phages.

    Args:
        data: The data folder.
        cache: Folder of searches.

    Cost: 2 CPU s a genome.
    """
    counted: Counter[tuple[str, str]] = Counter()
    for name in GENOMES:
        summary = interpret_genome(
            data / "genomes" / name, ignore_annotations=True, cache_folder=cache
        )
        for what in _of_genome(summary):
            counted[what] += 1
    return tuple(
        Coverage(name, *(counted[name, what] for what in ("both", "record", "told")))
        for name in CATEGORIES
    )


def _of_genome(summary: InterpretationSummary) -> Iterable[tuple[str, str]]:
    by_record = _categories_by_record(summary)
    for one in summary.overview:
        if one.topic is not Topic.MODULE or one.subject not in CATEGORIES:
            continue
        categories = CATEGORIES[one.subject]
        told = {role.gene_id for role in one.genes}
        for gene_id, category in by_record.items():
            if category in categories:
                yield one.subject, "record"
                if gene_id in told:
                    yield one.subject, "both"
            if gene_id in told:
                yield one.subject, "told"


def _categories_by_record(summary: InterpretationSummary) -> Mapping[str, Category]:
    """By gene, the category that its name in the record tells."""
    category_of = category_finder(load_products(), load_roles())
    told = {
        result.gene_id: category_of(result.compared.product or "")
        for result in summary.results
        if result.compared is not None
    }
    return {gene_id: category for gene_id, category in told.items() if category is not None}
