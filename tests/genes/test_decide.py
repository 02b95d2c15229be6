"""Which candidates become genes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from genint.genes import GeneCalls, call_genes, decide
from genint.knowledge import logit
from genint.model import (
    CalledBy,
    Contig,
    EvidenceSource,
    Gene,
    Genome,
    ProfileHit,
    ReferenceEntry,
    RescueKind,
    SimilarityHit,
)

PHIX_BP = 5386


@pytest.fixture(scope="module")
def calls(phix174: Genome) -> GeneCalls:
    return call_genes(phix174, phage=True)


def hit(gene_id: str, *, score_bits: float = 40.0) -> ProfileHit:
    return ProfileHit(gene_id, "PF01234", 1e-9, score_bits, 25.0, 1, 30, 0.9, 0.8)


def contig(genome: Genome) -> Contig:
    (found,) = genome.contigs
    return found


def rescued(genome: Genome) -> Iterator[Gene]:
    return (gene for gene in genome.genes if gene.rescue is not None)


def test_b_e_and_k_of_phix174_are_recovered_and_nothing_else(
    calls: GeneCalls, phix174: Genome
) -> None:
    annotated = {gene.protein for gene in phix174.genes}
    found = list(rescued(decide(calls)))
    assert [gene.protein in annotated for gene in found] == [True] * 3
    nested, overlapping = CalledBy.GENINT_NESTED, CalledBy.GENINT_OVERLAPPING
    assert sorted(gene.called_by for gene in found) == [nested, nested, overlapping]
    for gene in found:
        assert gene.note is not None
        assert gene.note.startswith("The gene finder leaves it out; it is a gene with probability")
        assert gene.note.endswith(".")


def test_rz1_and_nin_f_of_lambda_are_recovered(lambda_phage: Genome) -> None:
    found = {g.span.one_based(48502)[1] for g in decide(call_genes(lambda_phage, phage=True)).genes}
    rz1, nin_f = 46368, 42439
    assert {rz1, nin_f} <= found


def test_xis_of_lambda_is_recovered_once_a_family_recognises_it(lambda_phage: Genome) -> None:
    calls = call_genes(lambda_phage, phage=True)
    (xis,) = (
        one.gene
        for one in calls.contigs[0].candidates
        if one.gene.span.one_based(48502) == (28860, 29078)
    )
    assert xis.id not in {gene.id for gene in decide(calls, []).genes}
    assert xis.id in {gene.id for gene in decide(calls, [hit(xis.id)]).genes}


def test_a_hit_of_a_part_of_a_family_adds_less_than_one_of_the_whole(
    lambda_phage: Genome,
) -> None:
    calls = call_genes(lambda_phage, phage=True)
    weak = next(iter(contig(decide(calls)).rejected)).id
    whole = hit(weak)
    part = whole._replace(profile_coverage=0.1)

    def told(found: ProfileHit) -> float:
        decided = contig(decide(calls, [found]))
        genes = [gene.rescue for gene in decided.genes if gene.id == weak]
        (rescue,) = genes or [one.rescue for one in decided.rejected if one.id == weak]
        assert rescue is not None
        return rescue.probability

    assert told(part) < told(whole)


def test_addends_sum_to_the_probability_that_is_told(lambda_phage: Genome) -> None:
    decided = contig(decide(call_genes(lambda_phage, phage=True), []))
    told = [gene.rescue for gene in decided.genes if gene.rescue is not None]
    told += [frame.rescue for frame in decided.rejected if frame.rescue is not None]
    assert len(told) > 10
    for one in told:
        summed = sum(term.log_odds for term in one.terms)
        assert summed == pytest.approx(logit(one.probability), abs=1e-6)


def test_accepted_frames_are_as_probable_as_is_asked_and_near_misses_are_not(
    lambda_phage: Genome,
) -> None:
    decided = contig(decide(call_genes(lambda_phage, phage=True), []))
    for gene in decided.genes:
        if gene.rescue is not None:
            assert gene.rescue.probability >= gene.rescue.threshold
    assert decided.rejected
    for frame in decided.rejected:
        assert frame.rescue is not None
        assert frame.rescue.probability < frame.rescue.threshold or "is likelier" in frame.reason


def test_a_family_that_recognises_a_near_miss_makes_it_a_gene(calls: GeneCalls) -> None:
    nested = [
        frame
        for frame in contig(decide(calls)).rejected
        if frame.rescue is not None and frame.rescue.kind is RescueKind.NESTED
    ]
    weak = max(nested, key=lambda frame: frame.rescue.probability if frame.rescue else 0.0)
    decided = contig(decide(calls, [hit(weak.id)]))
    (gene,) = (gene for gene in decided.genes if gene.id == weak.id)
    assert gene.rescue is not None
    assert any("PF01234 recognises it (E-value 1.0e-09" in t.reason for t in gene.rescue.terms)
    assert all(frame.id != weak.id for frame in decided.rejected)


def test_a_search_without_hits_speaks_against_a_frame_and_no_search_says_nothing(
    calls: GeneCalls,
) -> None:
    without = {g.id: g.rescue.probability for g in rescued(decide(calls)) if g.rescue}
    searched = {g.id: g.rescue for g in rescued(decide(calls, [])) if g.rescue}
    assert searched
    for gene_id, rescue in searched.items():
        if rescue.kind is RescueKind.INTERNAL_START:
            assert rescue.probability == without[gene_id]
        else:
            assert rescue.probability < without[gene_id]


def test_a_hit_below_its_threshold_is_none(calls: GeneCalls) -> None:
    weak = contig(decide(calls)).rejected[0].id
    assert decide(calls, [hit(weak, score_bits=24.9)]) == decide(calls, [])


def test_the_function_of_the_host_raises_a_frame_of_a_known_overlap(calls: GeneCalls) -> None:
    plain = {g.id: g for g in rescued(decide(calls))}
    lysis = next(g for g in plain.values() if g.span.one_based(PHIX_BP) == (568, 843))
    assert lysis.rescue is not None
    host = lysis.rescue.host_id
    assert host is not None
    hits = [hit(host)]
    named = decide(calls, hits, lambda accession: "Phage external scaffolding protein D")
    (known,) = (g for g in named.genes if g.id == lysis.id)
    unnamed = {g.id: g for g in decide(calls, hits).genes}
    assert known.rescue is not None
    reason = known.rescue.terms[-1].reason
    assert "as E lies in D of phiX174" in reason
    other = unnamed.get(lysis.id)
    least = other.rescue.probability if other is not None and other.rescue else 0.0
    assert known.rescue.probability > least


def test_base_calls_stay_whatever_the_evidence(calls: GeneCalls) -> None:
    base = {gene.id for gene in calls.contigs[0].contig.genes}
    everything = [hit(one.gene.id) for one in calls.contigs[0].candidates]
    assert base <= {gene.id for gene in decide(calls, everything).genes}
    assert base <= {gene.id for gene in decide(calls, []).genes}


def test_two_frames_that_cover_one_another_are_not_both_genes(lambda_phage: Genome) -> None:
    calls = call_genes(lambda_phage, phage=True)
    everything = [hit(one.gene.id) for one in calls.contigs[0].candidates]
    decided = contig(decide(calls, everything))
    frames = [
        gene
        for gene in decided.genes
        if gene.rescue is not None and gene.rescue.kind is not RescueKind.INTERNAL_START
    ]
    for at, one in enumerate(frames):
        for other in frames[:at]:
            shared = one.span.overlap_bp(other.span)
            assert shared <= 0.5 * min(len(one.span), len(other.span))
    assert any("is likelier" in frame.reason for frame in decided.rejected)


def test_genes_come_by_position_and_with_ids_of_their_own(calls: GeneCalls) -> None:
    genes = decide(calls).genes
    starts = [gene.span.start for gene in genes]
    assert starts == sorted(starts)
    assert len({gene.id for gene in genes}) == len(genes)


def test_a_product_of_an_internal_start_is_a_gene_or_told_as_a_start_but_not_both(
    calls: GeneCalls, lambda_phage: Genome
) -> None:
    for genome in (decide(calls), decide(call_genes(lambda_phage, phage=True))):
        found = contig(genome)
        own = {g.span for g in found.genes if g.called_by is CalledBy.GENINT_INTERNAL_START}
        assert not own & {start.interval for start in found.alternative_starts}


def test_a_star_of_phix174_is_a_start_and_a_gene_once_its_host_is_known(calls: GeneCalls) -> None:
    place = (4497, 136)
    plain = contig(decide(calls))
    (start,) = (one for one in plain.alternative_starts if one.interval.one_based(PHIX_BP) == place)
    assert 0.1 < start.probability < 0.6
    hits = [hit(start.gene_id)]
    named = contig(decide(calls, hits, lambda accession: "rolling circle replication protein"))
    (a_star,) = (g for g in named.genes if g.span.one_based(PHIX_BP) == place)
    assert a_star.called_by is CalledBy.GENINT_INTERNAL_START
    assert all(one.gene_id != start.gene_id for one in named.alternative_starts)


def test_the_second_start_of_a_holin_is_told_once_its_function_is_known(
    lambda_phage: Genome,
) -> None:
    calls = call_genes(lambda_phage)
    (holin,) = (g for g in calls.contigs[0].contig.genes if g.span.one_based(48502)[1] == 45509)
    named = contig(decide(calls, [hit(holin.id)], lambda accession: "Phage holin family"))
    (start,) = (one for one in named.alternative_starts if one.gene_id == holin.id)
    assert start.interval.one_based(48502) == (45192, 45509)
    assert "a second start beside that of a holin" in start.reason
    unnamed = contig(decide(calls, [hit(holin.id)]))
    assert all(one.gene_id != holin.id for one in unnamed.alternative_starts)


def test_the_order_of_the_evidence_does_not_matter(calls: GeneCalls) -> None:
    hits = [hit(one.gene.id) for one in calls.contigs[0].candidates]
    other = [one._replace(accession="PF00001") for one in hits]
    assert decide(calls, [*hits, *other]) == decide(calls, [*other, *hits])


def test_nu3_of_lambda_is_told_as_a_start_once_its_host_is_known(lambda_phage: Genome) -> None:
    calls = call_genes(lambda_phage)
    (protease,) = (g for g in calls.contigs[0].contig.genes if g.span.one_based(48502)[1] == 5737)
    named = contig(decide(calls, [hit(protease.id)], lambda accession: "head maturation protease"))
    (start,) = (one for one in named.alternative_starts if one.gene_id == protease.id)
    assert start.interval.one_based(48502) == (5132, 5737)
    assert 0.05 <= start.probability < 0.3


def test_a_similar_protein_of_a_reference_counts_as_a_family_does(calls: GeneCalls) -> None:
    nested = [
        frame
        for frame in contig(decide(calls, [])).rejected
        if frame.rescue is not None and frame.rescue.kind is RescueKind.NESTED
    ]
    weak = max(nested, key=lambda frame: frame.rescue.probability if frame.rescue else 0.0)
    near = SimilarityHit(
        weak.id,
        EvidenceSource.SWISSPROT,
        "Swiss-Prot",
        ReferenceEntry("P12345", "lysis protein"),
        1e-20,
        90.0,
        0.6,
        *(1, 60, 1, 60),
        protein_coverage=0.95,
        target_coverage=0.95,
    )

    def told(similar: SimilarityHit) -> str:
        decided = contig(decide(calls, [], similar=[similar]))
        scored = {g.id: g.rescue for g in decided.genes} | {
            one.id: one.rescue for one in decided.rejected
        }
        rescue = scored[weak.id]
        assert rescue is not None
        return " ".join(term.reason for term in rescue.terms)

    assert "P12345 of Swiss-Prot is like it over its whole length" in told(near)
    assert "no protein family" in told(near._replace(target_coverage=0.3))
    assert "no protein family" in told(near._replace(evalue=0.01))


@pytest.mark.parametrize("name", ["phix174", "lambda_phage"])
def test_genes_have_the_same_ids_with_and_without_the_search_inside_genes(
    name: str, request: pytest.FixtureRequest
) -> None:
    genome: Genome = request.getfixturevalue(name)
    bases = genome.contigs[0].bases
    for turn_bp in (0, 2000):
        turned = replace(genome.contigs[0], bases=bases[turn_bp:] + bases[:turn_bp], genes=())
        rotated = replace(genome, contigs=(turned,))
        plain = {gene.id: gene.location for gene in decide(call_genes(rotated), []).genes}
        wide = {
            gene.id: gene.location for gene in decide(call_genes(rotated, phage=True), []).genes
        }
        assert plain.items() <= wide.items()
