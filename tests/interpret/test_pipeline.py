import pytest

from genint.formats import read_genome
from genint.interpret import interpret, novel_genes
from genint.model import (
    ConfidenceLevel,
    Contig,
    FileFormat,
    Genome,
    GenomeSource,
    Interval,
    Location,
    Strand,
    Topology,
)
from genint.sources import annotation


@pytest.fixture
def phix(examples) -> Genome:
    return read_genome(examples / "phiX174.gbk")


def test_every_gene_has_one_result_in_order(phix, judgement):
    results = interpret(phix, annotation.observe(phix.genes), (), judgement)
    assert [result.gene_id for result in results] == [gene.id for gene in phix.genes]


def test_a_gene_is_dark_exactly_when_nothing_claims_a_function(phix, judgement):
    claims = annotation.observe(phix.genes)
    results = interpret(phix, claims, (), judgement)
    claimed = {item.gene_id for item in claims}
    for result in results:
        assert result.is_dark == (result.gene_id not in claimed)
        assert (result.novelty is not None) == result.is_dark
        assert (result.confidence_level is ConfidenceLevel.NONE) == result.is_dark


def test_the_locus_is_the_tag_or_record_span_and_strand(gene, judgement):
    contig = Contig(
        "c",
        "A" * 900,
        topology=Topology.CIRCULAR,
        genes=(
            gene(locus_tag="tag1"),
            gene(id="g2", location=Location.simple(Interval(800, 1000), Strand.REVERSE)),
        ),
    )
    genome = Genome((contig,), GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK))
    first, second = interpret(genome, (), (), judgement)
    assert first.locus == "tag1"
    assert second.locus == "c:801-100(-)"


def test_dark_genes_are_ranked_and_know_their_neighbours(gene, annotated, judgement):
    def at(number, length_aa):
        start = number * 1000
        return gene(
            id=f"g{number}",
            protein="M" * length_aa,
            location=Location.simple(Interval(start, start + 600), Strand.FORWARD),
        )

    genes = (at(1, 200), at(2, 90), at(3, 290))
    contig = Contig("c", "A" * 5000, genes=genes)
    genome = Genome((contig,), GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK))
    results = interpret(genome, (annotated("tail fiber protein", gene_id="g1"),), (), judgement)
    report = novel_genes(results)
    assert report.dark_matter_count == 2
    # Of equal priority, the longer comes first.
    assert [result.gene_id for result in report.genes] == ["g3", "g2"]
    assert results[1].novelty.neighbours == (
        "upstream: g1 (tail fiber protein)",
        "downstream: g3 (unknown function)",
    )


def test_a_pseudogene_says_so(gene, annotated, judgement):
    contig = Contig("c", "A" * 900, genes=(gene(pseudo=True, product="integrase"),))
    genome = Genome((contig,), GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK))
    (result,) = interpret(genome, (annotated("integrase"),), (), judgement)
    assert result.interpretation.hypothesis == "pseudogene of integrase"


def test_the_products_of_a_domain_claim_name_the_domain(gene, domain, judgement):
    contig = Contig("c", "A" * 900, genes=(gene(),))
    genome = Genome((contig,), GenomeSource("x.fa", "0" * 64, FileFormat.FASTA))
    (result,) = interpret(genome, (domain("PF1", "ABC transporter"),), (), judgement)
    assert result.normalized_product == "ABC transporter domain-containing protein"


def test_a_dark_pseudogene_ranks_behind_every_other_dark_gene(gene, judgement):
    genes = (
        gene(id="a", pseudo=True, protein="M" * 900),
        gene(id="b", protein="M" * 40),
        gene(id="c", protein=""),
    )
    genome = Genome(
        (Contig("c", "A" * 5000, genes=genes),), GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK)
    )
    report = novel_genes(interpret(genome, (), (), judgement))
    assert [result.gene_id for result in report.genes] == ["b", "c", "a"]
    assert report.dark_matter_count == 3


@pytest.mark.parametrize(
    ("topology", "stated", "doubted"),
    [
        (Topology.CIRCULAR, False, True),
        (Topology.CIRCULAR, True, False),
        (Topology.LINEAR, False, False),
    ],
)
def test_a_gene_over_ends_that_were_joined_unasked_is_doubted(
    gene, annotated, judgement, topology, stated, doubted
):
    over = Location.simple(Interval(800, 1000), Strand.FORWARD)
    inside = Location.simple(Interval(100, 400), Strand.FORWARD)
    genes = (
        gene(id="over", location=over),
        gene(id="dark", location=over),
        gene(id="inside", location=inside),
    )
    contig = Contig("c", "A" * 900, topology=topology, topology_stated=stated, genes=genes)
    genome = Genome((contig,), GenomeSource("x.fa", "0" * 64, FileFormat.FASTA))
    evidence = tuple(annotated("portal protein", gene_id=id_) for id_ in ("over", "inside"))
    told, dark, whole = interpret(genome, evidence, (), judgement)
    assert told.interpretation is not None
    assert whole.interpretation is not None
    assert dark.novelty is not None
    assert ("joined ends" in " ".join(told.interpretation.uncertainties)) is doubted
    assert ("joined ends" in " ".join(dark.novelty.observations)) is doubted
    assert "joined ends" not in " ".join(whole.interpretation.uncertainties)


def test_identifiers_in_names_tags_and_symbols_of_the_file_stay_as_they_are(gene, judgement):
    named = gene(
        id="P22_gp10",
        locus_tag="P22_gp10",
        symbol="gp_10",
        product="P22_gp10 tail_accessory factor",
    )
    contig = Contig("my_phage", "A" * 900, genes=(named,))
    genome = Genome((contig,), GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK))
    (result,) = interpret(genome, annotation.observe(genome.genes), (), judgement)
    assert result.normalized_product == "P22_gp10 tail_accessory factor"
    assert result.interpretation
    assert result.interpretation.hypothesis == "P22_gp10 tail_accessory factor"
    assert result.locus == "P22_gp10"
    assert "P22 gp10" not in " ".join(result.interpretation.reasoning)


def test_a_gene_that_the_file_joins_over_the_ends_of_a_linear_record_is_doubted(
    gene, annotated, judgement
):
    over = gene(id="g1", location=Location.simple(Interval(800, 1000), Strand.FORWARD))
    contig = Contig("c", "A" * 900, topology_stated=True, genes=(over,))
    genome = Genome((contig,), GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK))
    (result,) = interpret(genome, (annotated("portal protein"),), (), judgement)
    assert result.interpretation
    assert any("calls linear" in doubt for doubt in result.interpretation.uncertainties)
