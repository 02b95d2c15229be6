"""Modules of tailed phages: their genes, where they lie together, what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.model import GenomeKind, Interval, Location, Strand, Topic, Topology
from genint.model.overview import Outcome
from tests.builders.overviews import GENE_BP, SPACE_BP, described, genome_of

TAILED = (
    "terminase small subunit",
    "terminase large subunit",
    "portal protein",
    "major capsid protein",
    "major tail protein",
    "tape measure protein",
    "tail fiber protein",
    "holin",
    "endolysin",
    None,
    "DNA primase",
    "DNA helicase",
)


def modules_of(products, **options):
    statements = described(genome_of(products, **options))
    return {one.subject: one for one in statements if one.topic is Topic.MODULE}


def test_each_module_rests_on_its_genes_and_says_which_play_what_is_expected():
    lysis = modules_of(TAILED)["lysis"]
    assert [(role.gene_id, role.role) for role in lysis.genes] == [
        ("g8", "holin"),
        ("g9", "endolysin"),
    ]
    assert lysis.missing == ()
    assert any("g9 (endolysin" in step for step in lysis.reasoning)


@pytest.mark.parametrize(
    ("lost", "subject", "said"),
    [
        ("holin", "lysis", "holin"),
        ("portal protein", "head", "portal protein"),
        ("terminase large subunit", "packaging", "large subunit of the terminase"),
    ],
)
def test_what_was_expected_and_not_recognised_is_missing_with_what_was_searched(
    lost, subject, said
):
    products = [None if product == lost else product for product in TAILED]
    module = modules_of(products)[subject]
    assert module.missing == (said,)
    assert said in module.text
    assert module.searched == ("Pfam (35.0)",)


def test_a_virion_protein_of_which_no_more_is_known_is_of_no_module():
    found = modules_of((*TAILED, "virion structural protein", "minor structural protein"))
    assert len(found["head"].genes) == 2
    unknown = found["virion, part not known"]
    assert {role.gene_id for role in unknown.genes} == {"g13", "g14"}


def test_a_module_without_genes_is_not_found_and_never_called_absent():
    module = modules_of(TAILED[:7])["lysis"]
    assert (module.outcome, module.genes) == (Outcome.NOT_FOUND, ())
    assert "no gene was recognised" in module.text


def test_genes_that_lie_together_give_the_place_of_a_module():
    step = GENE_BP + SPACE_BP
    assert modules_of(TAILED)["head"].interval == Interval(2 * step, 3 * step + GENE_BP)


def test_a_module_over_the_origin_of_a_circle_is_one_stretch():
    turned = (*TAILED[8:], *[None] * 10, *TAILED[:8])
    lysis = modules_of(turned, topology=Topology.CIRCULAR)["lysis"]
    assert lysis.interval is not None
    assert lysis.interval.start > lysis.interval.end % (len(turned) * (GENE_BP + SPACE_BP))


def test_what_phages_need_for_no_task_is_listed_as_moron_genes():
    found = modules_of((*TAILED, "phosphoadenosine phosphosulfate reductase"))
    assert [role.gene_id for role in found["moron genes"].genes] == ["g13"]


def test_an_esterase_like_lysin_b_is_no_endolysin_and_a_ligase_no_helicase():
    others = {"endolysin": "lysin B", "DNA primase": "DNA ligase", "DNA helicase": None}
    found = modules_of([others.get(name, name) if name else None for name in TAILED])
    assert found["lysis"].missing == ("endolysin",)
    assert len(found["replication"].missing) == 1


def test_proteins_that_transpose_like_those_of_mu_are_of_lysogeny_and_replicate():
    names = (*TAILED[:-2], "Mu-like transposase A subunit", "Mu-like transposase B subunit")
    found = modules_of(names)
    for subject in ("lysogeny", "replication"):
        assert {role.gene_id for role in found[subject].genes} == {"g11", "g12"}
    assert found["replication"].missing == ()


@pytest.mark.parametrize("kind", [GenomeKind.BACTERIUM, GenomeKind.PHAGE])
def test_records_that_are_no_tailed_phages_have_no_modules(kind):
    products = ("DNA helicase", "major spike protein") if kind is GenomeKind.PHAGE else TAILED
    assert modules_of(products, kind=kind) == {}


def test_an_enzyme_that_is_the_endolysin_is_no_moron_gene_too():
    found = modules_of(
        ["peptidoglycan endopeptidase" if name == "endolysin" else name for name in TAILED]
    )
    assert "g9" in [role.gene_id for role in found["lysis"].genes]
    assert "moron genes" not in found


def tape_hints(length_aa, strand=Strand.FORWARD, after="tail fiber protein", name="tail protein"):
    """Of a phage with a gene of this length and name behind its tail tube."""
    products = ["terminase large subunit", "major tail protein", "holin", name, after]
    genome = genome_of(products if strand is Strand.FORWARD else products[::-1])
    (contig,) = genome.contigs
    genes = tuple(
        replace(
            gene,
            location=Location.simple(gene.span, strand),
            protein="M" * (length_aa if gene.product == name else 199),
        )
        for gene in contig.genes
    )
    genome = replace(genome, contigs=(replace(contig, genes=genes),))
    (tail,) = [one for one in described(genome) if one.subject == "tail"]
    return [step for step in tail.reasoning if "may be the tape measure" in step]


@pytest.mark.parametrize("strand", list(Strand))
def test_a_long_unnamed_gene_behind_the_tail_tube_is_a_candidate_for_the_tape_measure(strand):
    (hint,) = tape_hints(800, strand)
    gene = "g4" if strand is Strand.FORWARD else "g2"
    assert hint.startswith(f"{gene} (tail protein, 800 amino acids)")


@pytest.mark.parametrize("name", ["RNA polymerase ADP-ribosyltransferase Alt", "endopeptidase"])
def test_a_gene_with_another_task_is_no_candidate(name):
    assert tape_hints(800, name=name) == []


def test_no_candidate_is_named_where_it_is_short_or_a_tape_measure_is_known():
    assert tape_hints(300) == []
    assert tape_hints(800, after="tape measure protein") == []


def test_an_enzyme_that_cuts_peptidoglycan_counts_as_the_endolysin_where_nothing_is_named_so():
    products = ["lytic transglycosylase" if name == "endolysin" else name for name in TAILED]
    lysis = modules_of(products)["lysis"]
    assert lysis.missing == ()
    assert "g9" in [role.gene_id for role in lysis.genes]
