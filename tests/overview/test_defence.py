"""Defence systems, counter-defence and CRISPR-Cas: what is found, and what it rests on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.knowledge.defence_names import load_defence_names
from genint.model import GenomeKind, Interval, Location, Strand, Topic, Topology
from genint.model.genome import CrisprArray, FeatureSearch
from genint.model.overview import Outcome
from tests.builders.defence import database, hit, hits, system
from tests.builders.overviews import GENE_BP, SPACE_BP, described, genome_of

STEP = GENE_BP + SPACE_BP
RM = system("RM_type_I", "MTase REase", "Specificity")


def defence_of(products, markers=None, defence=None, arrays=(), **options):
    genome = genome_of(products, **options)
    (contig,) = genome.contigs
    made = tuple(array(number, at) for number, at in enumerate(arrays, start=1))
    genome = replace(genome, contigs=(replace(contig, crispr_arrays=made),))
    statements = described(genome, markers, defence=defence)
    return {one.subject: one for one in statements if one.topic is Topic.DEFENCE}


def array(number, start):
    where = Location.simple(Interval(start, start + 200), Strand.FORWARD)
    spacers = ("ACGTTGCA" * 4,) * 3
    return CrisprArray(f"CRISPR{number}", "made", where, "GTTTTAGAGCTA" * 3, 4, spacers, "MinCED")


def systems_of(genes, *systems, count=12, groups=None, **options):
    """Titles of complete systems of a record of unnamed genes with such hits."""
    known = database(*systems, **(groups or {}))
    found = defence_of([None] * count, hits(**genes), known, **options)
    titles = {one.title for one in systems}
    return [subject for subject in found if subject.removesuffix(" 2") in titles]


def test_core_genes_close_together_are_a_system_with_its_place_and_figures():
    found = defence_of([None] * 8, hits(g3="MTase", g4="REase"), database(RM))["RM type I"]
    assert [(role.gene_id, role.role) for role in found.genes] == [("g3", "MTase"), ("g4", "REase")]
    assert found.interval == Interval(2 * STEP, 3 * STEP + GENE_BP)
    assert all("PADLOC-DB 2.0.0 profile" in role.reason for role in found.genes)
    assert found.missing == ()
    assert found.probability is None


@pytest.mark.parametrize(
    ("genes", "systems"),
    [
        ({"g1": "MTase", "g3": "REase"}, ["RM type I"]),
        ({"g1": "MTase", "g4": "REase"}, []),
        ({"g1": "MTase", "g2": "MTase"}, []),
        ({"g1": "MTase", "g2": "Specificity"}, []),
        (
            {"g1": "MTase", "g2": "REase", "g8": "MTase", "g9": "REase"},
            ["RM type I", "RM type I 2"],
        ),
    ],
    ids=["one between", "two between", "twice the same", "one core only", "two systems"],
)
def test_distance_and_different_core_proteins_decide(genes, systems):
    assert systems_of(genes, RM) == systems


def test_secondary_proteins_count_towards_the_total_and_neutral_ones_do_not():
    needs_three = system("S_I", "A B", "C", neutral="N", least_total=3)
    assert systems_of({"g1": "A", "g2": "B", "g3": "C"}, needs_three) == ["S I"]
    assert systems_of({"g1": "A", "g2": "B", "g3": "N"}, needs_three) == []


def test_a_prohibited_protein_in_the_cluster_rules_a_system_out():
    without = system("S_I", "A B", prohibited="X")
    assert systems_of({"g1": "A", "g2": "B", "g3": "X"}, without) == []
    assert systems_of({"g1": "A", "g2": "B", "g9": "X"}, without) == ["S I"]


def test_a_gene_stands_for_a_core_protein_before_a_better_hit_of_another():
    both = system("S_I", "A B", prohibited="X")
    assert systems_of({"g1": "X A", "g2": "B"}, both) == ["S I"]


def test_a_group_stands_for_each_of_its_proteins():
    grouped = system("S_I", "effector B")
    assert systems_of({"g1": "A", "g2": "B"}, grouped, groups={"A": "effector"}) == ["S I"]


def test_genes_of_both_strands_are_no_system_where_one_strand_is_demanded():
    one_strand = system("S_I", "A B", is_one_strand=True)
    genome = genome_of([None] * 4)
    (contig,) = genome.contigs
    turned = tuple(
        replace(gene, location=Location.simple(gene.span, Strand.REVERSE)) if at == 1 else gene
        for at, gene in enumerate(contig.genes)
    )
    mixed = replace(genome, contigs=(replace(contig, genes=turned),))
    markers = hits(g1="A", g2="B")
    assert "S I" in {
        one.subject for one in described(genome, markers, defence=database(one_strand))
    }
    assert "S I" not in {
        one.subject for one in described(mixed, markers, defence=database(one_strand))
    }


def test_a_system_over_the_end_is_found_on_circular_records_alone():
    genes = {"g1": "A", "g12": "B"}
    around = system("S_I", "A B")
    assert systems_of(genes, around) == []
    assert systems_of(genes, around, topology=Topology.CIRCULAR) == ["S I"]


def test_what_belongs_to_a_known_type_is_not_told_again_as_another():
    known, other = system("S_I", "A B"), system("S_other", "A B C", least_core=1, least_total=1)
    assert systems_of({"g1": "A", "g2": "B"}, known, other) == ["S I"]
    assert systems_of({"g1": "A", "g2": "B", "g9": "C"}, known, other) == ["S I", "S other"]


def test_core_proteins_that_were_not_found_are_missing_and_alternatives_are_not():
    three = system("S_I", "A B C")
    found = defence_of([None] * 8, hits(g1="A", g2="B"), database(three))["S I"]
    assert found.missing == ("C",)
    many = system("S_I", "A B C D E F")
    assert defence_of([None] * 8, hits(g1="A", g2="B"), database(many))["S I"].missing == ()


def test_candidates_are_called_so():
    candidate = system("PDC-S01", "A", group="PDC", least_core=1, least_total=1)
    found = defence_of([None] * 8, hits(g1="A"), database(candidate))["PDC-S01"]
    assert "candidate" in found.uncertainties[0]


def test_genes_of_incomplete_systems_are_listed_and_are_no_system():
    found = defence_of([None] * 8, hits(g3="MTase"), database(RM))
    assert set(found) == {"genes without their system"}
    (alone,) = found.values()
    assert [(role.gene_id, role.role) for role in alone.genes] == [("g3", "MTase")]
    assert "of RM type I" in alone.reasoning[0]
    assert "no defence system" in alone.uncertainties[0]


def test_hits_count_within_the_limits_of_their_profile_in_the_whole_genome():
    known = database(RM)
    weak = hit("g1", "MTase", evalue=1e-7)
    assert known.judged({"g1": [weak]}, 10)["g1"][0].evalue == pytest.approx(1e-6)
    assert known.judged({"g1": [weak]}, 1_000) == {}
    assert known.judged({"g1": [weak._replace(coverage=0.2996)]}, 10)
    assert known.judged({"g1": [weak._replace(coverage=0.29)]}, 10) == {}
    assert known.judged({"g1": [weak._replace(target_coverage=0.49)]}, 10) == {}


def test_hits_of_other_references_are_left_as_they_are():
    other = hit("g1", "MTase", evalue=1.0)._replace(database="another")
    assert database(RM).judged({"g1": [other]}, 1_000) == {"g1": (other,)}


CAS = ("Cas9", "CRISPR-associated endonuclease Cas1", "CRISPR-associated endoribonuclease Cas2")


def test_cas_genes_and_the_array_beside_them_are_one_system_of_a_type():
    found = defence_of([*CAS, *[None] * 20], arrays=[3 * STEP])["CRISPR-Cas"]
    assert found.value == "type II"
    assert [role.gene_id for role in found.genes] == ["g1", "g2", "g3"]
    assert "1 CRISPR array of 4 repeats" in found.text
    assert found.interval == Interval(0, 3 * STEP + 200)
    assert any("marks type II" in step for step in found.reasoning)


def test_what_a_locus_of_crispr_lacks_is_said():
    far = defence_of([*CAS, *[None] * 40], arrays=[40 * STEP])
    assert far["CRISPR-Cas 1"].missing == ("CRISPR array",)
    assert far["CRISPR-Cas 2"].missing == ("cas genes",)
    assert any("weak evidence" in doubt for doubt in far["CRISPR-Cas 2"].uncertainties)


def test_arrays_that_were_not_searched_are_not_called_missing():
    skipped = FeatureSearch("CRISPR arrays", None, None, "the file has genes of its own")
    genome = replace(genome_of([*CAS, *[None] * 20]), searches=(skipped,))
    (one,) = [one for one in described(genome) if one.subject == "CRISPR-Cas"]
    assert "CRISPR arrays were not searched" in one.text
    assert one.missing == ()


def test_a_complete_cas_system_gives_its_locus_the_type():
    cascade = system("cas_type_I-E", "Cse1 Cse2", group="CRISPR", title="CRISPR-Cas Type I-E")
    found = defence_of([None] * 8, hits(g1="Cse1", g2="Cse2"), database(cascade), [3 * STEP])
    assert set(found) == {"CRISPR-Cas"}
    assert found["CRISPR-Cas"].value == "type I-E"


def test_a_cas_gene_alone_is_a_gene_by_name():
    (found,) = defence_of([CAS[1], *[None] * 8]).values()
    assert (found.subject, found.value) == ("CRISPR-Cas", "1 gene")
    assert any("genint db install padloc" in doubt for doubt in found.uncertainties)


def test_genes_of_a_phage_against_defence_are_told_with_what_they_work_against():
    found = defence_of(["anti-restriction protein", "anti-CRISPR protein", *[None] * 20])
    assert "restriction-modification systems" in found["anti-restriction"].text
    assert "CRISPR-Cas systems" in found["anti-CRISPR"].text
    assert [role.gene_id for role in found["anti-CRISPR"].genes] == ["g2"]
    assert "counter-defence" not in found


def test_what_is_not_found_says_what_was_searched_and_what_could_be():
    found = defence_of([None] * 20)
    assert {one.outcome for one in found.values()} == {Outcome.NOT_FOUND}
    assert set(found) == {"defence systems", "counter-defence"}
    systems = found["defence systems"]
    assert systems.searched == ("Pfam (35.0)",)
    assert "genint db install padloc" in systems.uncertainties[0]
    with_padloc = defence_of([None] * 20, {}, database(RM))["defence systems"]
    assert with_padloc.searched == ("Pfam (35.0)", "PADLOC-DB 2.0.0")
    assert with_padloc.uncertainties == ()


def test_a_short_record_is_not_said_to_lack_anything():
    assert defence_of([None] * 19) == {}


def test_a_bacterium_is_not_said_to_lack_counter_defence():
    assert set(defence_of([None] * 20, kind=GenomeKind.BACTERIUM)) == {"defence systems"}


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("Ocr-like anti-restriction protein", "anti_restriction"),
        ("DarB-like antirestriction", "anti_restriction"),
        ("S-adenosyl-L-methionine hydrolase", "anti_restriction"),
        ("RecBCD inhibitor", "nuclease_inhibitor"),
        ("Mu Gam-like end protection", "nuclease_inhibitor"),
        ("AcrIIA4", "anti_crispr"),
        ("Thoeris anti-defense protein", "anti_cbass"),
        ("dCMP hydroxymethylase", "modified_bases"),
        ("DNA adenine methyltransferase", "methyltransferase"),
        ("superinfection exclusion protein", "superinfection_exclusion"),
        ("type I restriction-modification system endonuclease subunit R", "rm"),
        ("CRISPR-associated endonuclease Cas1", "cas"),
        ("abortive infection protein", "abortive"),
        ("BREX-1 system phosphatase PglZ type A", "named_system"),
        ("redox-sensing transcriptional repressor Rex", None),
        ("surface exclusion protein", None),
        ("DNA-3-methyladenine glycosylase", None),
        ("septum site-determining protein MinD", None),
        ("methylated-DNA--[protein]-cysteine S-methyltransferase", None),
        ("acriflavine resistance protein AcrB", None),
        ("exodeoxyribonuclease V subunit gamma", None),
        ("RIIB lysis inhibitor", None),
    ],
)
def test_names_tell_on_whose_side_a_gene_is(name, group):
    found = load_defence_names().group_of(name, GenomeKind.PHAGE)
    assert (found.id if found else None) == group


def test_methyltransferases_of_bacteria_are_not_counter_defence():
    names = load_defence_names()
    assert names.group_of("DNA adenine methyltransferase", GenomeKind.BACTERIUM) is None
