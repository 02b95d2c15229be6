"""The vocabulary of products: what it holds, finds, relates and refuses."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from genint.knowledge import (
    NameKind,
    Product,
    ProductKind,
    Relation,
    classify_product,
    load_products,
    load_roles,
    name_key,
)

VOCABULARY = load_products()
PRODUCTS = tuple(VOCABULARY.products.values())
PHAGE = tuple(product for product in PRODUCTS if product.kind is ProductKind.PHAGE)
any_product = st.sampled_from(PRODUCTS)
no_inhibitor = any_product.filter(lambda product: "inhibit" not in product.name)


def found(text: str) -> str | None:
    product = VOCABULARY.find(text)
    return None if product is None else product.id


# What ships.


def test_it_holds_the_promised_number_of_products_of_each_kind() -> None:
    assert len(PHAGE) >= 180
    assert len(PRODUCTS) - len(PHAGE) >= 250


def test_every_name_and_synonym_finds_its_product() -> None:
    wrong = [(p.id, name, found(name)) for p in PRODUCTS for name in p.names if found(name) != p.id]
    assert wrong == []


def test_every_symbol_finds_its_product_alone_and_as_a_protein() -> None:
    wrong = [
        (p.id, symbol)
        for p in PRODUCTS
        for symbol in p.symbols
        if {found(symbol), found(f"{symbol} protein")} != {p.id}
    ]
    assert wrong == []


def test_no_two_products_share_a_key() -> None:
    keys = [key for p in PRODUCTS for key in {name_key(one) for one in (*p.names, *p.symbols)}]
    assert len(keys) == len(set(keys))


def test_no_product_is_named_by_a_placeholder() -> None:
    assert [p.id for p in PHAGE if classify_product(p.name) is NameKind.PLACEHOLDER] == []


def test_most_phage_products_have_synonyms_and_all_that_a_role_fits_have_one() -> None:
    assert sum(len(p.synonyms) >= 3 for p in PHAGE) >= 0.6 * len(PHAGE)
    roles = load_roles()
    categories = {role.id: role.category for role in roles.roles}
    assert [
        p.id
        for p in PHAGE
        if p.role is None
        and (role := roles.role_of(p.name)) is not None
        and categories[role.id] is p.category
    ] == []


def test_opposites_hold_both_ways_and_are_never_kinds_of_each_other() -> None:
    for product in PRODUCTS:
        for other in product.opposites:
            assert product.id in VOCABULARY.products[other].opposites
            assert VOCABULARY.related(product.id, other) is Relation.OPPOSITE


@pytest.mark.parametrize(
    "pair",
    [
        ("terminase large subunit", "terminase small subunit"),
        ("major capsid protein", "minor capsid protein"),
        ("holin", "antiholin"),
        ("CI repressor", "Cro repressor"),
        ("CI repressor", "antirepressor"),
        ("integrase", "excisionase"),
        ("tail sheath protein", "tail tube protein"),
        ("inner membrane spanin", "outer membrane spanin lipoprotein"),
        ("toxin Doc", "antitoxin Phd"),
        ("endolysin", "holin"),
        ("RNA polymerase", "RNA polymerase inhibitor"),
        ("dCMP deaminase", "dCTP deaminase"),
    ],
)
def test_known_opposites_are_opposites(pair: tuple[str, str]) -> None:
    one, other = (found(name) for name in pair)
    assert one is not None
    assert other is not None
    assert VOCABULARY.related(one, other) is Relation.OPPOSITE


def test_go_terms_are_those_of_the_ontology(shared_data: Path) -> None:
    with (shared_data / "reference/go/go_terms.tsv").open(encoding="utf-8") as stream:
        real = {row["go"]: row for row in csv.DictReader(stream, delimiter="\t")}
    for term in {term for p in PRODUCTS for term in p.go}:
        assert term.name == real[term.id]["name"]
        assert real[term.id]["namespace"] in ("", term.aspect)


# Finding.


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("Putative phage terminase, large subunit (EC 3.6.4.-)", "terminase_large_subunit"),
        ("phage terminase small subunit TerS", "terminase_small_subunit"),
        ("MULTISPECIES: HK97 family phage major capsid protein", "major_capsid_protein"),
        ("coat protein", "major_capsid_protein"),
        ("Phage tail fibers", "tail_fiber_protein"),
        ("endolysin LysK", "endolysin"),
        ("phage lysozyme (muramidase)", "lysozyme"),
        ("integrase (Int)", "integrase"),
        ("portal protein [Enterobacteria phage lambda]", "portal_protein"),
        ("Phage portal protein; Phage capsid and scaffold", "portal_protein"),
        ("tail protein E", "tail_protein"),
        ("structural protein VP4", "virion_structural_protein"),
        ("RNA-directed DNA polymerase", "reverse_transcriptase"),
        ("Clamp-loader subunit #T4-like gp62", "clamp_loader"),
        ("hypothetical protein, putative excisionase", "excisionase"),
        ("DLP12 prophage; putative integrase", "integrase"),
        ("recombinase RecT, Rac prophage", "rect_protein"),
        ("terminase large subunit @ intein-containing", "terminase_large_subunit"),
        ("holin-like protein", "holin"),
        ("recombinase RecA", "recombinase_reca"),
        ("RecA recombinase", "recombinase_reca"),
        ("UvsX RecA-like recombination protein", "uvsx_protein"),
        ("thymidylate synthase ThyX", "flavin_thymidylate_synthase"),
        ("phage tail core protein", "tail_tube_protein"),
        ("type II toxin-antitoxin system toxin", "ta_toxin"),
        ("type II toxin-antitoxin system antitoxin", "ta_antitoxin"),
        ("3-oxoacyl-[ACP] synthase 3", "beta_ketoacyl_acp_synthase_iii"),
        ("LysR family transcriptional regulator", "lysr_family_transcriptional_regulator"),
    ],
)
def test_wordings_of_real_records_find_their_product(text: str, id_: str) -> None:
    assert found(text) == id_


@pytest.mark.parametrize(
    "text",
    [
        "hypothetical protein",
        "",
        "gp12",
        "terminase large subunit inhibitor",
        "lysozyme inhibitor",
        "portal protein inhibitor",
        "excisionase domain-containing protein",
        "terminase large subunit; portal protein",
        "DNA polymerase/helicase",
        "major capsid protein / prohead protease inhibitor",
        "tail fiber protein @ holin",
        "integrase N-terminal domain",
        "endolysin TerL",
        "protein E",
        "RecT-like protein",
        "RNA polymerase subunit",
        "maturase",
        "Phage maturase",
        "exonuclease subunit 1",
        "DNA polymerase subunit I",
        "peptide chain release factor subunit 1",
        "aspartate aminotransferase family protein",
        "thioredoxin-like protein",
        "DnaJ family protein",
        "gpF-like protein",
        "EAL domain-containing protein",
        "protein kinase inhibitor",
    ],
)
def test_what_is_more_or_less_than_one_product_finds_none(text: str) -> None:
    assert found(text) is None


@given(any_product, st.sampled_from(["putative", "phage", "probable phage", "possible"]))
def test_doubt_hides_no_product(product: Product, word: str) -> None:
    assert found(f"{word} {product.name}") == product.id


@given(any_product, st.sampled_from(["interacting factor", "regulation system", "cluster"]))
def test_a_telling_word_more_never_finds_the_product(product: Product, words: str) -> None:
    assert found(f"{product.name} {words}") != product.id


@given(any_product)
def test_a_domain_of_a_product_is_never_the_product(product: Product) -> None:
    text = f"{product.name} domain-containing protein"
    # A vague product may be nothing but a domain, and is then called one.
    assume(name_key(text) not in map(name_key, product.names))
    assert found(text) != product.id


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("terminase large subunit family protein", "terminase"),
        ("phage integrase family protein", "recombinase"),
        ("glycosyltransferase superfamily protein", "glycosyltransferase"),
        ("RecA-like recombinase", "recombination_protein"),
    ],
)
def test_of_a_member_of_a_family_no_more_is_known_than_the_class(text: str, id_: str) -> None:
    assert found(text) == id_
    assert VOCABULARY.products[id_].vague


@given(any_product)
def test_the_family_of_a_function_finds_the_function_only_where_the_vocabulary_says_so(
    product: Product,
) -> None:
    answer = VOCABULARY.find(f"{product.name} family protein")
    said = name_key(f"{product.name} family protein") in VOCABULARY.keys
    assert answer is None or answer.vague or said


@given(no_inhibitor)
def test_an_inhibitor_of_a_product_is_never_the_product(product: Product) -> None:
    assert found(f"{product.name} inhibitor") != product.id
    assert found(f"inhibitor of {product.name}") != product.id


@given(any_product, any_product)
def test_a_text_of_two_products_finds_one_only_where_it_is_a_kind_of_the_other(
    one: Product, other: Product
) -> None:
    answer = VOCABULARY.find(f"{one.name}; {other.name}")
    related = VOCABULARY.related(one.id, other.id)
    if related in (Relation.SAME, Relation.NARROWER):
        assert answer == one
    elif related is Relation.BROADER:
        assert answer == other
    elif related is Relation.OPPOSITE:
        assert answer not in (one, other)


# Relations.


def test_the_lineage_runs_from_the_product_to_the_widest() -> None:
    ids = [product.id for product in VOCABULARY.lineage("long_tail_fiber_distal")]
    assert ids == [
        "long_tail_fiber_distal",
        "tail_fiber_protein",
        "tail_protein",
        "virion_structural_protein",
    ]


def test_products_are_related_by_their_lineages() -> None:
    related = VOCABULARY.related
    assert related("holin", "holin") is Relation.SAME
    assert related("lysozyme", "endolysin") is Relation.NARROWER
    assert related("endolysin", "lysozyme") is Relation.BROADER
    assert related("tail_fiber_protein", "minor_tail_protein") is Relation.SIBLING
    assert related("portal_protein", "holin") is Relation.UNRELATED
    assert related("long_tail_fiber_distal", "tail_fiber_assembly_protein") is Relation.OPPOSITE


@given(any_product, any_product)
def test_relations_are_those_of_the_other_side_turned_round(one: Product, other: Product) -> None:
    turned = {Relation.NARROWER: Relation.BROADER, Relation.BROADER: Relation.NARROWER}
    there = VOCABULARY.related(one.id, other.id)
    assert VOCABULARY.related(other.id, one.id) is turned.get(there, there)


def test_an_unknown_id_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        VOCABULARY.lineage("no_such_product")


def test_classes_are_vague_and_functions_are_not() -> None:
    for vague in ("tail_protein", "head_protein", "transcriptional_regulator", "terminase"):
        assert VOCABULARY.products[vague].vague
    for telling in ("portal_protein", "holin", "integrase", "tail_fiber_protein"):
        assert not VOCABULARY.products[telling].vague


@pytest.mark.parametrize(
    "text",
    [
        "membrane associated protein",
        "small protein B",
        "outer membrane protein 2",
        "host factor 1",
        "IS1 repressor TnpA",
        "IS1 protein InsA",
        "holin/antiholin",
        "holin / antiholin",
        "holin-like antiholin",
        "antiporter inner membrane protein",
        "nitrogen regulatory protein",
        "heat shock chaperone",
        "capsid protein / scaffold protein",
        "protein required for holin function",
        "protein involved in thymidylate kinase function",
        "encoded by integrase gene",
        "essential for tail assembly",
        "regulation of integrase",
    ],
)
def test_what_several_proteins_may_be_and_what_only_speaks_of_a_function_find_nothing(
    text: str,
) -> None:
    assert found(text) is None


def test_the_polymerase_of_o_antigen_is_not_its_ligase() -> None:
    assert found("Wzy O-antigen polymerase") == "o_antigen_polymerase"
    assert VOCABULARY.related("o_antigen_polymerase", found("WaaL O-antigen ligase") or "") is (
        Relation.OPPOSITE
    )


def test_a_bare_adenylate_cyclase_is_of_no_class() -> None:
    assert VOCABULARY.products["adenylate_cyclase"].broader == found("adenylate cyclase")
