import random

import pytest

from genint.model import translate
from genint.selftest.genome import ANSWERS, GENOME, REFERENCES, known_genes, read_data
from training import selftest_genome as script


@pytest.fixture(scope="module")
def made():
    return script.make_genome(script.SEED)


def test_what_ships_is_what_the_script_makes(made):
    bases, genes = made
    assert read_data(GENOME).decode().partition("\n")[2].replace("\n", "") == bases
    references, nearest = script.make_references(genes, script.SEED)
    assert read_data(REFERENCES).decode() == references
    assert [(gene.nearest, gene.identity) for gene in known_genes()] == list(nearest)
    places = [(gene.first, gene.last, gene.strand, gene.name) for gene in known_genes()]
    assert places == [(one.first, one.last, one.plan.strand, one.plan.name) for one in genes]


def test_another_seed_makes_another_genome(made):
    assert script.make_genome(script.SEED + 1)[0] != made[0]


def test_the_table_is_written_as_it_is_read():
    assert script.table(known_genes()) == read_data(ANSWERS).decode()


@pytest.mark.parametrize("length", [8, 13, 40, 120])
def test_spacers_are_as_long_as_asked_for_and_start_no_gene(length):
    spacer = script.spacer(random.Random(1), length)
    assert len(spacer) == length
    assert "G" not in spacer


def test_every_codon_of_the_table_is_one_of_its_residue():
    for residue, choices in script.CODONS.items():
        for choice in choices.split():
            assert translate(choice[:3], 11) == residue
            assert int(choice[3:]) > 0


def test_a_copy_has_as_many_residues_exchanged_as_counted():
    protein = script.made_up(200, random.Random(2))
    copy = script.exchanged(protein, 0.25, random.Random(3))
    assert sum(a != b for a, b in zip(protein, copy, strict=True)) == 50
    ends = script.UNTOUCHED_AA
    assert (copy[:ends], copy[-ends:]) == (protein[:ends], protein[-ends:])


def test_a_name_that_no_family_has_ends_the_script_in_a_line():
    with pytest.raises(SystemExit, match="perpetual motion protein"):
        script.family_of("perpetual motion protein")
