"""Lengths of proteins by name, learned from made-up proteins."""

from __future__ import annotations

import gzip

import pytest

from genint.knowledge import key_of, load_products
from genint.knowledge.name_lengths import class_key_of
from training.lengths.__main__ import (
    LEAST_AUTOMATIC,
    Named,
    NamedBy,
    learn,
    read_all,
    text_of,
)

VOCABULARY = load_products()
NAME = "xylofuranate oxidase"
KEY = key_of(NAME, None)


def learned(*proteins):
    return learn(proteins, VOCABULARY)


def of(*lengths, name=NAME, **changes):
    return [Named(name, length, **changes) for length in lengths]


def test_the_shortest_of_few_proteins_and_one_in_twenty_of_many_are_left_aside():
    assert learned(*of(40, 400, 410, 420, 430))[KEY].shortest_aa == 400
    assert learned(*of(*[40] * 5, *[400] * 95))[KEY].shortest_aa == 400
    assert learned(*of(*[200] * 6, *[400] * 94))[KEY].shortest_aa == 200


def test_too_few_proteins_tell_nothing():
    assert learned(*of(150, 400, 410, 900)) == {}
    assert learned(*of(400, 410)) == {}
    assert learned(*of(*[400] * (LEAST_AUTOMATIC - 1), by=NamedBy.AUTOMATIC)) == {}


def test_a_name_that_leaves_open_which_subunit_it_is_tells_no_length():
    assert learned(*of(*[600] * 30, name="V-type xylase complex subunit")) == {}
    assert learned(*of(*[600] * 30, name="V-type xylase complex alpha subunit")) != {}


def test_three_proteins_are_enough_where_all_but_the_shortest_are_of_about_one_length():
    assert learned(*of(49, 1082, 1368))[KEY].shortest_aa == 1080
    assert learned(*of(46, 53, 455)) == {}


def test_a_few_pieces_are_no_measure_of_whole_proteins():
    assert learned(*of(42, 44, *[403] * 10))[KEY].shortest_aa == 400
    assert learned(*of(42, 44, 45, *[403] * 9)) == {}


def test_a_class_is_every_name_that_ends_in_its_word():
    names = "xylofuranate kinase", "HPr kinase A", "kinase X, family 3", "kinase inhibitor"
    found = learned(*(one for name in names for one in of(*[150] * 12, name=name)))
    assert found[class_key_of(NAME.replace("oxidase", "kinase"))].proteins == 24


def test_a_class_tells_no_more_than_that_its_proteins_are_not_tiny():
    assert learned(*of(*[900] * 40))[class_key_of(NAME)].shortest_aa == 200


def test_short_proteins_of_a_long_class_are_known_as_such():
    found = learned(*of(*[900] * 400), *of(*[70] * 9, name="gurlose oxidase"))
    assert found[key_of("gurlose oxidase", None)].shortest_aa == 70


def test_pieces_alone_are_not_taken_for_short_proteins():
    name = "gurlose oxidase"
    found = learned(*of(*[900] * 400), *of(45, 69, 97, 874, 898, 899, 900, name=name))
    assert key_of(name, None) not in found


def test_of_a_family_more_members_are_asked_for():
    name = "XF17 family oxidase"
    key = key_of(name, None)
    assert key not in learned(*of(*[400] * (LEAST_AUTOMATIC - 1), name=name))
    assert key in learned(*of(*[400] * LEAST_AUTOMATIC, name=name))


def test_automatic_entries_count_only_where_there_are_no_others():
    fragments = of(*[60] * 50, by=NamedBy.AUTOMATIC)
    assert learned(*fragments, *of(*[400] * 5))[KEY].shortest_aa == 400
    assert learned(*of(*[400] * 30, by=NamedBy.AUTOMATIC))[KEY].proteins == 30


def test_names_that_short_proteins_have_are_left_out():
    assert learned(*of(*[79] * 40)) == {}


@pytest.mark.parametrize("name", [f"{NAME} (Fragment)", f"{NAME}, partial", "hypothetical protein"])
def test_pieces_and_names_that_say_nothing_do_not_count(name):
    assert learned(*of(*[400] * 40, name=name)) == {}


def test_a_protein_counts_for_the_wider_terms_of_its_name_too():
    found = learned(*of(*[750] * 9, name="ribonucleotide reductase subunit alpha"))
    wider = VOCABULARY.find("ribonucleotide reductase")
    assert found[key_of("", wider)].proteins == 9


def test_a_name_of_one_word_is_every_name_with_the_word():
    proteins = of(*[500] * 30, name="laminarase"), of(*[150] * 30, name="small beta laminarase")
    found = learned(*(one for of_name in proteins for one in of_name))
    assert found["laminarase"].shortest_aa == 150
    assert found["laminarase"].proteins == 60


def test_the_files_are_read_with_the_name_and_length_of_each_protein(tmp_path):
    files = {
        "uniprot_enzymes": ">U1 Xylofuranate oxidase\tunreviewed\t1.1.1.1\tX\tE\nMKV\nLL\n",
        "bacterial_proteins": ">N1 portal protein\tS. coelicolor\tRefSeq wording\nMKVA*\n",
        "phage_proteins_more": ">Q1 minor tail\tRefSeq\nMKV\n",
        "phage_proteins_139": "",
        "phage_proteins": (
            ">1_NP_1.1|NC_1.1||ocr-like anti-restriction\nMK\n"
            ">2_fig_1.1|PHACTS_1.1||Phage lysin\nM\n>3_P1|PhANNs_MCP||major capsid protein\nM\n"
        ),
    }
    for name, text in files.items():
        (tmp_path / f"{name}.faa.gz").write_bytes(gzip.compress(text.encode()))
    assert list(read_all(tmp_path)) == [
        Named("Xylofuranate oxidase", 5, NamedBy.AUTOMATIC),
        Named("portal protein", 4),
        Named("minor tail", 3),
        Named("ocr-like anti-restriction", 2),
        Named("Phage lysin", 1, NamedBy.PHAGES),
    ]


def test_the_table_is_written_in_the_order_of_its_keys():
    found = learned(*of(*[455] * 30), *of(*[300] * 30, name="abequose oxidase"))
    assert text_of(found).splitlines()[-3:-1] == [
        f"{key}\t{aa}\t30" for key, aa in (("abequose oxidase", 300), (KEY, 450))
    ]
