"""Rivals of a family: proteins that clearly are something else."""

from __future__ import annotations

import pytest

from genint.knowledge import load_products
from training.families.corpus import sequence_hash
from training.families.corrections import parse
from training.families.inputs import InputError
from training.families.naming import label
from training.families.rivals import (
    Rivals,
    in_parts,
    load_rivals_read,
    numbers_of,
    read_alike,
)
from training.families.values import Lineage, Naming, Origin, TrainingProtein


def protein(product, at=0, *, ec=(), origin=Origin.SUBMITTER):
    residues = "MKT" + "ACDEFGHIKLMNPQRSTVWY"[at] * 40
    naming = Naming(f"R{at}", product, "", origin, Lineage.PHAGE, ec)
    return TrainingProtein(sequence_hash(residues), residues, (naming,))


@pytest.fixture(scope="module")
def rivals_of():
    vocabulary, corrections = load_products(), parse({})

    def made(name, *numbers, read=frozenset()):
        members = [
            protein(name, at, ec=numbers, origin=Origin.SWISSPROT if numbers else Origin.SUBMITTER)
            for at in range(3)
        ]
        own = label("GF0", members, vocabulary, corrections)
        assert own is not None
        return Rivals(own, vocabulary, corrections, numbers_of(own, members), read)

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


def curated(product, *numbers):
    return protein(product, 5, ec=numbers, origin=Origin.SWISSPROT)


@pytest.mark.parametrize(
    ("family", "number", "other", "others"),
    [
        (
            "aspartate aminotransferase",
            "2.6.1.1",
            "tyrosine aminotransferase",
            "2.6.1.57",
        ),
        ("methylisocitrate lyase", "4.1.3.30", "phosphoenolpyruvate phosphomutase", "5.4.2.9"),
        ("sn-glycerol-3-phosphate transporter", "3.6.3.20", "maltose transporter", "3.6.3.19"),
    ],
)
def test_a_relative_with_another_enzyme_number_of_a_curator_differs(
    rivals_of, family, number, other, others
):
    assert rivals_of(family, number).differs(curated(other, others))


@pytest.mark.parametrize(
    ("number", "others"),
    [
        ("2.6.1.1", ("2.6.1.1", "2.6.1.57")),
        ("2.6.1.1", ("2.6.1.-",)),
        ("2.6.1.1", ()),
        ("7.1.2.2", ("3.6.3.14",)),
        ("2.7.1.199", ("2.7.1.69",)),
        ("7.1.1.2", ("1.6.5.3",)),
    ],
    ids=["also its own", "open", "none", "moved", "split", "moved to class 7"],
)
def test_enzyme_numbers_that_may_be_of_one_reaction_tell_nothing(rivals_of, number, others):
    family = rivals_of("aspartate aminotransferase", number)
    assert not family.differs(curated("aspartate aminotransferase", *others))


def test_enzyme_numbers_that_no_curator_gave_tell_nothing(rivals_of):
    family = rivals_of("aspartate aminotransferase", "2.6.1.1")
    assert not family.differs(protein("aminotransferase", 5, ec=("2.6.1.57",)))


def test_a_family_that_is_a_class_has_no_enzyme_number_of_its_own(rivals_of):
    assert not rivals_of("oxidoreductase", "1.1.1.1").numbers


def test_a_protein_of_a_pair_of_names_that_was_read_differs(rivals_of):
    pair = frozenset({(read_alike("Phosphocarrier protein NPr"), "phosphocarrier protein hpr")})
    family = rivals_of("phosphocarrier protein HPr", read=pair)
    assert family.differs(protein("phosphocarrier  protein NPr", 5))
    assert not family.differs(protein("phosphocarrier protein HPr", 5))


def test_pairs_that_ship_are_of_two_names():
    pairs = load_rivals_read()
    assert ("phosphocarrier protein npr", "phosphocarrier protein hpr") in pairs
    assert not [pair for pair in pairs if pair[0] == pair[1]]


def test_half_a_pair_is_refused_with_its_line(tmp_path):
    table = tmp_path / "pairs.tsv"
    table.write_text("protein\tfamily\na\tb\nc\t\n")
    with pytest.raises(InputError, match=r"pairs\.tsv, line 3"):
        load_rivals_read(table)
