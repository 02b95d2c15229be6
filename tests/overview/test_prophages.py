"""Prophages along made-up bacteria: which genes, which borders, what is said of them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from genint.knowledge import load_prophages
from genint.knowledge.prophages import GeneLook, Recognised, Task
from genint.model import GenomeKind, Interval, Location, RnaGene, Strand, Topic, Topology
from genint.model.overview import Outcome
from genint.overview.prophage_scan import is_complete, probabilities, regions_of
from tests.builders.overviews import GENE_BP, SPACE_BP, described, genome_of

STEP = GENE_BP + SPACE_BP
HOUSE = ("ribosomal protein L2", "DNA gyrase subunit A", "acetyl-CoA carboxylase") * 12
PHAGE = (
    "integrase",
    "excisionase",
    "repressor protein CI",
    "terminase small subunit",
    "terminase large subunit",
    "portal protein",
    "head maturation protease",
    "major capsid protein",
    "head-tail connector protein",
    "major tail protein",
    "tape measure protein",
    "tail fiber protein",
    "baseplate protein",
    "holin",
    "endolysin",
)
FIRST = len(HOUSE)
WHOLE = (*PHAGE[:9], *("minor tail protein", "head morphogenesis protein") * 5, *PHAGE[9:])
"""Of as many genes as whole phages have."""


def bacterium(products=(*HOUSE, *PHAGE, *HOUSE), kind=GenomeKind.BACTERIUM):
    """Bases by chance, so that nothing is repeated that is not made so."""
    genome = genome_of(products, kind=kind)
    bases = "".join(random.Random(3).choices("ACGT", k=STEP * len(products)))
    return replace(genome, contigs=(replace(genome.contigs[0], bases=bases),))


def with_repeat(genome, left, right, core, rna_genes=()):
    contig = genome.contigs[0]
    bases = contig.bases
    for at in (left, right):
        bases = bases[:at] + core + bases[at + len(core) :]
    return replace(genome, contigs=(replace(contig, bases=bases, rna_genes=tuple(rna_genes)),))


def prophages_of(genome):
    return [one for one in described(genome) if one.topic is Topic.PROPHAGE]


def test_genes_of_a_phage_among_those_of_a_bacterium_are_one_region_with_its_genes():
    (found,) = prophages_of(bacterium())
    assert [role.gene_id for role in found.genes] == [
        f"g{FIRST + at}" for at in range(1, len(PHAGE) + 1)
    ]
    assert found.interval == Interval(FIRST * STEP, (FIRST + len(PHAGE)) * STEP - SPACE_BP)
    assert found.missing == ()
    assert 0 < found.right <= found.judged


def test_a_bacterium_without_phage_genes_has_no_region():
    assert prophages_of(bacterium((*HOUSE, *HOUSE))) == []


def test_phages_have_no_prophages():
    assert prophages_of(bacterium(kind=GenomeKind.PHAGE)) == []


def test_what_a_remnant_lacks_is_named():
    kept = [name for name in PHAGE if name not in ("integrase", "excisionase")]
    (found,) = prophages_of(bacterium((*HOUSE, *kept, *HOUSE)))
    assert found.missing == ("integrase, or proteins that transpose as those of phage Mu",)
    assert found.value == "remnant or part"


MU = ("DDE-recombinase A, Mu-like transposase A subunit", "Mu-like transposase B subunit")


def test_a_prophage_that_transposes_needs_no_integrase():
    kept = [name for name in WHOLE if name not in ("integrase", "excisionase")]
    (found,) = prophages_of(bacterium((*HOUSE, *MU, *kept, *HOUSE)))
    assert (found.value, found.missing) == ("whole by its modules", ())
    assert any("as phage Mu does" in step for step in found.reasoning)


def test_a_prophage_without_portal_capsid_and_terminase_is_a_part():
    other = "head morphogenesis protein"
    lost = {"portal protein", "major capsid protein", "terminase large subunit"}
    left = [other if name in lost else name for name in WHOLE]
    (found,) = prophages_of(bacterium((*HOUSE, *left, *HOUSE)))
    assert found.value == "remnant or part"
    assert found.missing == (
        "portal protein, major capsid protein and large subunit of the terminase",
    )


def test_a_whole_prophage_has_the_report_of_a_phage():
    (found,) = prophages_of(bacterium((*HOUSE, *WHOLE, *HOUSE)))
    modules = {one.subject: one for one in found.parts if one.topic is Topic.MODULE}
    assert [role.gene_id for role in modules["lysis"].genes] == [
        f"g{FIRST + len(WHOLE) + at}" for at in (-1, 0)
    ]
    assert {Topic.RECEPTOR_BINDING, Topic.RELATIVE, Topic.PATHOGENICITY} <= {
        one.topic for one in found.parts
    }
    assert any("No toxin was found by what was searched" in one.text for one in found.parts)


def test_nothing_in_the_report_of_a_prophage_reaches_beyond_it():
    genome = bacterium((*HOUSE, "holin", *WHOLE, *HOUSE))
    circle = replace(genome.contigs[0], topology=Topology.CIRCULAR)
    (found,) = prophages_of(replace(genome, contigs=(circle,)))
    stretches = [one.interval for one in found.parts if one.interval is not None]
    assert found.interval is not None
    assert stretches
    assert all(found.interval.contains(stretch) for stretch in stretches)


def filamentous(*around):
    genome = bacterium((*HOUSE, *around, *HOUSE))
    (contig,) = genome.contigs
    turned = tuple(
        replace(gene, location=Location.simple(gene.span, Strand.REVERSE))
        if gene.product in HOUSE
        else gene
        for gene in contig.genes
    )
    return replace(genome, contigs=(replace(contig, genes=turned),))


def test_a_filamentous_phage_is_found_by_its_assembly_protein_among_dark_genes():
    genome = filamentous(*[None] * 5, "zona occludens toxin", *[None] * 3)
    (found,) = prophages_of(genome)
    assert found.value == "filamentous"
    assert [role.gene_id for role in found.genes] == [f"g{FIRST + at}" for at in range(1, 10)]
    assert found.probability is None


def test_an_assembly_protein_among_genes_of_the_host_makes_no_prophage():
    assert prophages_of(filamentous(None, "zona occludens toxin", None)) == []
    assert prophages_of(filamentous(*[None] * 9)) == []


def test_of_a_remnant_only_what_was_found_is_said():
    kept = [name for name in PHAGE if name not in ("integrase", "excisionase")]
    (found,) = prophages_of(bacterium((*HOUSE, *kept, *HOUSE)))
    assert found.parts
    assert all(one.outcome is not Outcome.NOT_FOUND for one in found.parts)


def test_a_toxin_in_a_prophage_is_named_in_its_report():
    genes = (*PHAGE[:-1], "Shiga toxin subunit A", PHAGE[-1])
    (found,) = prophages_of(bacterium((*HOUSE, *genes, *HOUSE)))
    (toxins,) = [one for one in found.parts if one.subject == "toxins"]
    assert [role.gene_id for role in toxins.genes] == [f"g{FIRST + len(PHAGE)}"]


@pytest.mark.parametrize("between", [0, 1])
def test_a_toxin_right_beside_a_prophage_belongs_to_it(between):
    cargo = (*HOUSE[:between], "Shiga toxin subunit A")
    (found,) = prophages_of(bacterium((*HOUSE, *PHAGE, *cargo, *HOUSE)))
    assert found.genes[-1].gene_id == f"g{FIRST + len(PHAGE) + len(cargo)}"
    (toxins,) = [one for one in found.parts if one.subject == "toxins"]
    assert toxins.outcome is Outcome.FOUND


def test_a_toxin_far_from_a_prophage_does_not():
    (found,) = prophages_of(bacterium((*HOUSE, *PHAGE, *HOUSE[:3], "Shiga toxin", *HOUSE)))
    assert found.genes[-1].gene_id == f"g{FIRST + len(PHAGE)}"


def test_what_lies_between_two_prophages_is_in_one_of_them_at_most():
    between = (*HOUSE[:8], *MU, *HOUSE[:8])
    first, second = prophages_of(bacterium((*HOUSE, *WHOLE, *between, *WHOLE, *HOUSE)))
    transposase = f"g{FIRST + len(WHOLE) + 9}"
    assert transposase in {role.gene_id for role in first.genes}
    assert not {role.gene_id for role in first.genes} & {role.gene_id for role in second.genes}


def test_a_direct_repeat_gives_the_borders_and_is_shown():
    core = "GGTTCAAGTCCTGCAGGTACCA"
    left, right = FIRST * STEP - 300, (FIRST + len(PHAGE)) * STEP + 200
    (found,) = prophages_of(with_repeat(bacterium(), left, right, core))
    assert found.interval is not None
    assert found.interval.start <= left
    assert found.interval.end >= right + len(core)
    assert len(found.interval) < right - left + 2 * len(core)
    assert any(core in step and "attL" in step for step in found.reasoning)


def test_a_shorter_repeat_counts_where_one_copy_lies_in_a_trna_gene_and_not_elsewhere():
    core = "TTCGAATCCTGCA"
    left, right = FIRST * STEP - 300, (FIRST + len(PHAGE)) * STEP + 200
    place = Location.simple(Interval(left - 60, left + 16), Strand.FORWARD)
    trna = RnaGene("t1", "made", place, "tRNA", product="tRNA-Arg")
    plain = prophages_of(with_repeat(bacterium(), left, right, core))[0]
    at_trna = prophages_of(with_repeat(bacterium(), left, right, core, [trna]))[0]
    assert not any("attL" in step and core in step for step in plain.reasoning)
    assert any("attL" in step and core in step for step in at_trna.reasoning)
    assert any("tRNA-Arg (t1)" in step for step in at_trna.reasoning)


def test_nothing_found_in_a_whole_bacterium_is_said_with_what_was_searched():
    genome = bacterium((*HOUSE, *HOUSE))
    contig = replace(genome.contigs[0], bases="ACGT" * 130_000)
    (said,) = prophages_of(replace(genome, contigs=(contig,)))
    assert said.outcome is Outcome.NOT_FOUND
    assert "by what was searched" in said.text
    assert said.searched


def look(task, by=Recognised.PHAGE_FAMILY):
    return GeneLook(task, by, 250, turns=False, apart=False)


HOUSE_LOOKS = [look(Task.OTHER, Recognised.BACTERIAL_FAMILY)] * 30


def test_one_phage_gene_among_bacterial_ones_is_no_prophage():
    looks = [*HOUSE_LOOKS, look(Task.INTEGRATION), *HOUSE_LOOKS]
    assert regions_of(looks, load_prophages()) == ()


def test_insertion_sequences_alone_are_no_prophage_and_end_none():
    mobile = [look(Task.MOBILE)] * 8
    model = load_prophages()
    assert regions_of([*HOUSE_LOOKS, *mobile, *HOUSE_LOOKS], model) == ()
    virion = [look(Task.VIRION)] * 8
    (run,) = regions_of([*HOUSE_LOOKS, *mobile, *virion, *mobile, *HOUSE_LOOKS], model)
    assert run == (38, 45)


def test_an_integrase_near_a_region_belongs_to_it():
    virion = [look(Task.VIRION)] * 8
    beside = [look(Task.OTHER, Recognised.BACTERIAL_FAMILY)] * 7
    looks = [*HOUSE_LOOKS, look(Task.INTEGRATION), *beside, *virion, *HOUSE_LOOKS]
    (run,) = regions_of(looks, load_prophages())
    assert run.first == len(HOUSE_LOOKS)


@pytest.mark.parametrize("lost", [Task.INTEGRATION, Task.LYSIS, Task.VIRION])
def test_a_region_is_whole_only_with_integrase_virion_and_lysis(lost):
    whole = [look(Task.INTEGRATION), *[look(Task.VIRION)] * 6, look(Task.LYSIS)]
    rest = [look(Task.UNKNOWN, Recognised.NOTHING)] * 25
    assert is_complete([*whole, *rest])
    assert not is_complete([one for one in [*whole, *rest] if one.task is not lost])


def test_probabilities_are_the_same_read_from_either_end():
    looks = [*HOUSE_LOOKS, *[look(Task.VIRION)] * 9, *HOUSE_LOOKS]
    ahead = probabilities(looks, load_prophages())
    assert all(0.0 <= one <= 1.0 for one in ahead)
    assert min(ahead[30:39]) > 0.9
    assert max(ahead[:25] + ahead[-25:]) < 0.1
