"""No name of a file gives way to that of a relative, in the bacteria at hand.

Only genes are interpreted whose name has a part that sets it apart from relatives
(cofactor, class, type, kind of peptidase): of others there is nothing to mistake. Of those,
every fifth one, for time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from genint import interpret_genome
from genint.formats import read_genome
from genint.knowledge.distinctions import distinction, marks_of, other_symbol
from genint.model import ConfidenceLevel, Gene
from genint.model.interpretation import AuditVerdict, InterpretationSummary
from genint.pipeline.library import as_result
from genint.report import GeneItem

pytestmark = pytest.mark.slow

BACTERIA = (
    "E_coli_K12_MG1655_NC_000913.gbk.gz",
    "S_pyogenes_M1_NC_002737.gb.gz",
    "prophages/Neisseria_meningitidis_MC58.gb.gz",
)


@pytest.fixture(scope="module")
def genes(shared_data, searched) -> list[GeneItem]:
    """Those with a function, and with a distinguishing part in the file's name."""
    found: list[GeneItem] = []
    for name in BACTERIA:
        genome = read_genome(shared_data / "genomes" / name)
        marked = tuple(replace(one, genes=_marked(one.genes)[::5]) for one in genome.contigs)
        summary = interpret_genome(replace(genome, contigs=marked), cache_folder=searched)
        found.extend(_interpreted(summary))
    assert len(found) > 150
    return found


def _marked(genes: Sequence[Gene]) -> tuple[Gene, ...]:
    return tuple(gene for gene in genes if any(marks_of(gene.product or "")))


def _interpreted(summary: InterpretationSummary) -> Iterator[GeneItem]:
    return (gene for gene in as_result(summary).genes if not gene.is_dark)


def test_a_high_name_has_the_distinguishing_parts_of_the_files_name(genes):
    high = [gene for gene in genes if gene.confidence == ConfidenceLevel.HIGH]
    assert len(high) > 70
    assert [
        (gene.id, gene.product, gene.function)
        for gene in high
        if distinction(gene.product, gene.function)
        or other_symbol((gene.product, gene.name), (gene.function,))
    ] == []


def test_the_audit_confirms_no_name_by_that_of_a_relative(genes):
    confirmed = [gene for gene in genes if gene.audit.verdict is AuditVerdict.CONFIRMS]
    assert len(confirmed) > 70
    assert [
        (gene.id, gene.product, gene.audit.found)
        for gene in confirmed
        if distinction(gene.product, gene.audit.found)
    ] == []


def test_relatives_contradict_no_name_of_the_file(genes):
    contradicted = [
        (gene.id, gene.product, gene.audit.found)
        for gene in genes
        if gene.audit.verdict is AuditVerdict.CONTRADICTS
    ]
    assert contradicted == []
