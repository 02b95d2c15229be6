"""Products that were swapped between the genes of real genomes, and what the audit says of them.

In the files as they are nearly every product is right, so they show how often the audit is wrong;
swapped ones show how often it finds what is wrong. Both figures belong together.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest

from genint import interpret_genome
from genint.formats import read_genome
from genint.knowledge import load_products
from genint.knowledge.name_comparison import Verdict, compare_names
from genint.knowledge.product_names import NameKind, classify_product
from genint.model import AuditVerdict, ConfidenceLevel, Gene, Genome
from genint.model.interpretation import Audit, InterpretationSummary

pytestmark = pytest.mark.slow

GENOMES = (
    "T7_NC_001604.gb",
    "lambda_NC_001416.gb",
    "AcinetobacterApostate_NC_049491.gbk",
    "phiX174_NC_001422.gb",
    "B3_NC_006548.gbk",
    "S_pyogenes_M1_NC_002737.gb.gz",
)
MOST_GENES = 150
"""Of one genome: the first ones."""
PASTED_GENES = 280
"""Of a bacterium whose genes have symbols, EC numbers and GO terms."""
SEED = 20
FOUND = 0.75
"""Score from which evidence besides the file has found the true function."""


class Swapped(NamedTuple):
    """A gene with another gene's product.

    Attributes:
        own: Its product in the record.
        given: What it was given.
        audit: Of what it was given.
    """

    own: str
    given: str
    audit: Audit


@pytest.fixture(scope="module")
def genomes(shared_data) -> Sequence[Genome]:
    found = [read_genome(shared_data / "genomes" / name) for name in GENOMES]
    return [
        replace(
            one,
            contigs=tuple(
                replace(contig, genes=contig.genes[:MOST_GENES]) for contig in one.contigs
            ),
        )
        for one in found
    ]


@pytest.fixture(scope="module")
def as_recorded(genomes, searched) -> Sequence[InterpretationSummary]:
    return [interpret_genome(genome, cache_folder=searched) for genome in genomes]


@pytest.fixture(scope="module")
def swapped(genomes, searched) -> Sequence[Swapped]:
    """Genes with unrelated products whose function is found without the file."""
    products, found = load_products(), []
    for genome in genomes:
        own = {gene.id: gene.product for gene in genome.genes}
        summary = interpret_genome(_swapped(genome), cache_folder=searched)
        for result in summary.results:
            name, given, audit = own[result.gene_id], result.gene.product, result.audit
            if name == given or audit is None or audit.found is None or audit.score < FOUND:
                continue
            if not compare_names(name, audit.found, products).right:
                continue
            if compare_names(name, given, products) in (Verdict.WRONG, Verdict.OPPOSITE):
                found.append(Swapped(name, given, audit))
    assert len(found) > 60
    return found


def _swapped(genome: Genome, *, with_identifiers: bool = True) -> Genome:
    """The genome with half of its named genes called as one another.

    Args:
        genome: Of a record.
        with_identifiers: Gene symbols, EC numbers and GO terms go with the products; else each
            gene keeps its own, as where somebody pasted a product into the wrong line.
    """
    named = [gene for gene in genome.genes if _is_named(gene)]
    picked = random.Random(SEED).sample(named, len(named) // 2)
    called = {
        gene.id: replace(
            gene, product=other.product, symbol=other.symbol, qualifiers=other.qualifiers
        )
        if with_identifiers
        else replace(gene, product=other.product)
        for gene, other in zip(picked, picked[1:] + picked[:1], strict=True)
    }
    return replace(
        genome,
        contigs=tuple(
            replace(one, genes=tuple(called.get(gene.id, gene) for gene in one.genes))
            for one in genome.contigs
        ),
    )


def _is_named(gene: Gene) -> bool:
    return bool(gene.product) and classify_product(gene.product) is NameKind.NAME


def test_the_audit_finds_half_of_the_products_that_were_swapped(swapped):
    found = [one for one in swapped if one.audit.verdict is AuditVerdict.CONTRADICTS]
    missed = [one for one in swapped if one not in found]
    assert len(found) >= 0.5 * len(swapped), missed


def test_the_audit_confirms_next_to_no_product_that_was_swapped(swapped):
    agreed = [
        one for one in swapped if one.audit.verdict in (AuditVerdict.CONFIRMS, AuditVerdict.REFINES)
    ]
    assert len(agreed) <= 0.02 * len(swapped), agreed


def test_no_identifier_makes_the_audit_confirm_a_product_that_has_nothing_in_common(
    genomes, searched
):
    *_, bacterium = genomes
    products = load_products()
    summary = interpret_genome(_swapped(bacterium, with_identifiers=False), cache_folder=searched)
    own = {gene.id: gene.product for gene in bacterium.genes}
    wrong = [
        (own[result.gene_id], result.gene.product, result.audit)
        for result in summary.results
        if result.gene.product != own[result.gene_id]
        and compare_names(own[result.gene_id], result.gene.product or "", products) is Verdict.WRONG
    ]
    assert len(wrong) > 45
    confirmed = [one for one in wrong if one[2].verdict is AuditVerdict.CONFIRMS]
    assert len(confirmed) <= 0.05 * len(wrong), confirmed


def test_identifiers_of_the_file_support_no_product_that_was_pasted_beside_them(
    searched, shared_data
):
    genome = read_genome(shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz")
    [contig] = genome.contigs
    genome = replace(genome, contigs=(replace(contig, genes=contig.genes[:PASTED_GENES]),))
    own = {gene.id: gene.product or "" for gene in genome.genes}
    products = load_products()
    summary = interpret_genome(_swapped(genome, with_identifiers=False), cache_folder=searched)
    pasted = [
        result
        for result in summary.results
        if result.gene.product != own[result.gene_id]
        and compare_names(own[result.gene_id], result.gene.product or "", products)
        in (Verdict.WRONG, Verdict.OPPOSITE)
    ]
    assert len(pasted) > 70
    believed = [
        (own[result.gene_id], result.gene.product, result.audit)
        for result in pasted
        if result.audit is not None
        and (
            result.audit.verdict is AuditVerdict.CONFIRMS
            or (
                result.confidence_level is ConfidenceLevel.HIGH
                and result.interpretation is not None
                and result.interpretation.hypotheses[0].subject == result.gene.product
            )
        )
    ]
    assert len(believed) <= 0.02 * len(pasted), believed


def test_in_the_records_themselves_the_audit_contradicts_only_what_holds_when_read(as_recorded):
    contradicted = {
        (result.gene.product, result.audit.found)
        for summary in as_recorded
        for result in summary.results
        if result.audit is not None and result.audit.verdict is AuditVerdict.CONTRADICTS
    }
    assert contradicted <= {
        # The protein has the length and the family of a single-stranded DNA-binding protein.
        ("FIG107367: tRNA-binding protein", "single-stranded DNA-binding protein"),
        # Its note says 57B, putative RNA 2',3'-cyclic phosphodiesterase: in T4 that is Acb1.
        ("RNA ligase", "anti-CBASS protein"),
    }
