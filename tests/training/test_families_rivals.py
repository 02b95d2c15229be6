"""Rivals of a family: proteins that clearly are something else."""

from __future__ import annotations

import pytest

from genint.knowledge import load_products
from training.families.corpus import sequence_hash
from training.families.corrections import parse
from training.families.naming import label
from training.families.rivals import Rivals, in_parts
from training.families.values import Lineage, Naming, Origin, TrainingProtein


def protein(product, at=0):
    residues = "MKT" + "ACDEFGHIKLMNPQRSTVWY"[at] * 40
    naming = Naming(f"R{at}", product, "", Origin.SUBMITTER, Lineage.PHAGE)
    return TrainingProtein(sequence_hash(residues), residues, (naming,))


@pytest.fixture(scope="module")
def rivals_of():
    vocabulary, corrections = load_products(), parse({})

    def made(name):
        own = label("GF0", [protein(name, at) for at in range(3)], vocabulary, corrections)
        assert own is not None
        return Rivals(own, vocabulary, corrections)

    return made


@pytest.mark.parametrize(
    ("family", "other"),
    [
        ("major capsid protein", "integrase"),
        ("terminase large subunit", "terminase small subunit"),
        ("aspartate--tRNA ligase", "asparagine--tRNA ligase"),
        ("portal protein", "prohead protease/major capsid protein"),
    ],
)
def test_a_protein_of_another_function_is_a_rival(rivals_of, family, other):
    assert rivals_of(family)(protein(other, 5))


@pytest.mark.parametrize(
    ("family", "other"),
    [
        ("major capsid protein", "major head protein"),
        ("major capsid protein", "HK97 family prohead protease/HK97 family major capsid protein"),
        ("major capsid protein", "prohead protease and major capsid protein"),
        ("major capsid protein", "hypothetical protein"),
        ("histidinol dehydrogenase", "histidine biosynthesis trifunctional protein"),
        ("thiazole synthase", "Bifunctional protein ThiO/ThiG"),
    ],
)
def test_a_protein_that_also_has_the_function_or_is_unknown_is_none(rivals_of, family, other):
    assert not rivals_of(family)(protein(other, 5))


def test_commas_and_symbols_inside_one_name_are_no_border_between_functions():
    one = protein("DNA polymerase III, alpha subunit")
    assert in_parts(one) is one
    parts = [naming.product for naming in in_parts(protein("GyrA; DNA gyrase")).namings]
    assert parts == ["GyrA; DNA gyrase", "DNA gyrase"]
