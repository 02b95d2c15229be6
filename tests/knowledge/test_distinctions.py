"""Distinguishing parts of names tell relatives apart, in all names at hand, and nothing else."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, islice

import pytest

from genint.knowledge import load_products
from genint.knowledge.distinctions import distinction, other_symbol

APART = (
    ("NAD-specific glutamate dehydrogenase", "NADP-specific glutamate dehydrogenase"),
    ("NADP-dependent malic enzyme", "malate dehydrogenase, decarboxylating, NAD-requiring"),
    ("fructose 1,6-bisphosphatase II", "class 1 fructose-bisphosphatase"),
    ("3-dehydroquinate dehydratase I", "type II 3-dehydroquinate dehydratase"),
    ("ribonucleotide reductase of class Ia", "ribonucleotide reductase of class Ib"),
    ("phosphoglycerate mutase, cofactor-dependent", "cofactor-independent phosphoglycerate mutase"),
    ("D-alanyl-D-alanine endopeptidase", "D-alanyl-D-alanine carboxypeptidase"),
    ("anaerobic magnesium-protoporphyrin cyclase", "aerobic magnesium-protoporphyrin cyclase"),
    ("YfgD, not an arsenate reductase", "arsenate reductase"),
    (
        "biotinyl-lipoyl attachment domain protein, GcvH-like",
        "glycine cleavage system protein GcvH",
    ),
    ("YciO protein, TsaC/YrdC paralog", "threonylcarbamoyl-AMP synthase TsaC"),
    ("outer membrane factor (OMF) lipoprotein of an efflux system", "efflux RND permease subunit"),
    ("iron ABC transporter permease", "iron ABC transporter ATP-binding protein"),
    ("ABC transporter substrate-binding protein", "ABC transporter permease"),
)
ONE = (
    ("glutamate dehydrogenase", "NADP-specific glutamate dehydrogenase"),
    ("citrate synthase I", "type I citrate synthase"),
    ("class I fructose-bisphosphate aldolase", "class Ia fructose-bisphosphate aldolase"),
    ("glyceraldehyde-3-phosphate dehydrogenase (NAD(P)+)", "NAD-dependent GAPDH"),
    ("NAD-binding protein", "NADP-dependent oxidoreductase"),
    ("RNase HII", "ribonuclease HII"),
    ("DnaA paralog Hda", "DnaA regulatory inactivator Hda"),
    ("PhoH-like protein", "PhoH-like phosphate starvation-inducible protein"),
    ("DnaB-like helicase", "replicative helicase DnaB"),
    ("GcvH-like protein", "biotinyl-lipoyl attachment domain protein, GcvH-like"),
    ("ABC transporter ATP-binding protein/permease", "ABC transporter permease"),
    ("outer membrane-specific lipoprotein transporter subunit", "LolD ABC transporter ATP-binding"),
    ("ATP-binding protein", "outer membrane protein"),
)


@pytest.mark.parametrize(("first", "second"), APART)
def test_relatives_are_told_apart(first, second):
    assert distinction(first, second)
    assert distinction(second, first) == distinction(first, second)


@pytest.mark.parametrize(("first", "second"), ONE)
def test_a_part_that_one_name_lacks_tells_nothing(first, second):
    assert distinction(first, second) is None


def test_no_term_of_the_vocabulary_is_called_after_one_class_of_several():
    """Its synonyms may be of one (class II fructose-bisphosphatase): then the name says none."""
    called = [
        (term.name, synonym)
        for term in load_products().products.values()
        for synonym in term.names
        if distinction(term.name, synonym) in {"different classes or types", "different cofactors"}
    ]
    assert called == [
        (
            "assimilatory sulfite reductase (NADPH) hemoprotein subunit",
            "sulfite reductase, beta subunit, NAD(P)-binding, heme-binding",
        ),
        ("type II DNA topoisomerase", "DNA topoisomerase IV"),
        ("type II DNA topoisomerase", "topoisomerase IV"),
        ("DNA gyrase/topoisomerase IV subunit A", "type IIA DNA topoisomerase subunit A"),
        ("DNA gyrase/topoisomerase IV subunit B", "type IIA DNA topoisomerase subunit B"),
    ]


def test_symbols_of_relatives_differ_in_their_end_and_those_of_partners_do_not_count():
    assert other_symbol(("formate transporter FocA",), ("putative formate transporter", "focB"))
    assert other_symbol(("iron-sulfur cluster assembly protein IscA",), ("protein IscU",))
    assert not other_symbol(("Clp protease subunit ClpX",), ("subunit of ClpX-ClpP protease",))
    assert other_symbol(("sensor kinase ZraS",), ("response regulator with ZraS", "zraR"))
    assert not other_symbol(("response regulator ZraR",), ("response regulator with ZraS",))
    assert not other_symbol(("formate transporter",), ("formate transporter FocB",))


@pytest.mark.slow
def test_no_name_at_hand_is_told_apart_from_itself(names_at_hand):
    some = sorted(names_at_hand)[::3]
    assert [name for name in some if distinction(name, name)] == []
    assert [name for name in some if other_symbol((name,), (name,))] == []


@pytest.mark.slow
def test_of_the_wordings_of_one_product_at_most_one_pair_in_a_hundred_is_told_apart(names_at_hand):
    """Those that are, read one by one, are of relatives that annotators do not keep apart."""
    products = load_products()
    wordings = defaultdict(list)
    for name in sorted(names_at_hand):
        if (product := products.find(name)) is not None:
            wordings[product.id].append(name)
    pairs = [pair for own in wordings.values() for pair in islice(combinations(own, 2), 250)]
    assert len(pairs) > 30_000
    apart = [pair for pair in pairs if distinction(*pair)]
    assert 0 < len(apart) < 0.01 * len(pairs)
