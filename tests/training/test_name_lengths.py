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


def copied(*lengths, name=NAME):
    return of(*lengths, name=name, by=NamedBy.COPIED)


def test_pieces_that_seed_named_after_the_whole_count_only_where_a_name_has_no_others():
    pieces = copied(*[60] * 50)
    assert learned(*pieces, *of(*[400] * 5))[KEY].shortest_aa == 400
    assert learned(*copied(49, 49, 49, 187, 619, 703, 725, 820, 744))[KEY].shortest_aa == 610
    assert learned(*copied(*[70] * 9), *of(380)) == {}


def test_few_proteins_of_one_length_tell_nothing_where_copied_names_have_another():
    assert learned(*of(450, 610, 630))[KEY].shortest_aa == 450
    assert learned(*of(450, 610, 630), *copied(*[230] * 9))[KEY].shortest_aa == 230


def test_a_shortest_protein_near_the_next_is_no_piece():
    assert learned(*of(640, 820, 850, 860))[KEY].shortest_aa == 640
    assert learned(*of(353, 929, 930, 930, 1094))[KEY].shortest_aa == 920


def test_small_proteins_that_phages_have_by_a_name_are_counted_while_records_are_few():
    small = of(*[69] * 5, by=NamedBy.PHAGES)
    assert learned(*of(*[300] * 40), *small) == {}
    assert learned(*of(*[300] * 60), *small)[KEY].shortest_aa == 300


def test_a_regulator_of_an_enzyme_is_not_of_its_length():
    found = learned(
        *of(*[536] * 9, name="laminarase"), *of(*[150] * 9, name="laminarase regulator")
    )
    assert found["laminarase"].shortest_aa == 530


def test_a_word_that_says_of_what_kind_a_protein_is_has_no_length():
    assert learned(*of(*[300] * 30, name="early protein")) == {}
    assert learned(*of(*[300] * 30, name="autolysin"))["autolysin"].shortest_aa == 300


def test_a_vague_term_is_doubted_of_no_length_that_a_kind_of_it_has():
    regulators = of(*[200] * 200, name="transcriptional repressor")
    small = of(*[60] * 5, name="ribbon-helix-helix protein")
    key = key_of("", VOCABULARY.find("transcriptional regulator"))
    assert learned(*regulators)[key].shortest_aa == 200
    assert learned(*regulators, *small)[key].shortest_aa == 120


def test_a_term_of_parts_of_very_different_lengths_says_only_a_role():
    large = of(*[500] * 90, name="terminase large subunit")
    small = of(*[100] * 9, name="terminase small subunit")
    key = key_of("", VOCABULARY.find("terminase"))
    assert learned(*large)[key].shortest_aa == 500
    assert key not in learned(*large, *small)


def test_where_most_proteins_of_a_term_are_of_a_kind_the_others_are_of_its_length():
    alpha = of(*[750] * 9, name="ribonucleotide reductase subunit alpha")
    copies = of(*[106] * 5, name="ribonucleotide reductase")
    key = key_of("", VOCABULARY.find("ribonucleotide reductase"))
    assert learned(*alpha, *copies)[key].shortest_aa == 750
