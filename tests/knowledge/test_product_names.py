import pytest

from genint.knowledge.product_names import (
    NameKind,
    classify_product,
    clean_product,
    display_product,
)


@pytest.mark.parametrize(
    "product",
    [
        "hypothetical protein",
        "Hypothetical Protein",
        "conserved hypothetical protein",
        "putative uncharacterized protein YjbD",
        "Uncharacterized protein SPy0919",
        "uncharacterised protein",
        "gp12",
        "gp5.9",
        "gpJ",
        "ORF92",
        "orf-401",
        "ea47",
        "ea8.5",
        "phage protein",
        "Phage protein",
        "DUF1382 family protein",
        "DUF1317 domain-containing protein",
        "UPF0126 family inner membrane protein",
        "putative inner membrane protein",
        "inner membrane protein",
        "lipoprotein",
        "membrane protein",
        "protein of unknown function",
        "selenoprotein, function unknown",
        "unnamed protein product",
        "Qin prophage; uncharacterized protein",
        "YfcC family protein",
        "",
        "-",
        "12 kDa protein",
    ],
)
def test_placeholders_are_no_name(product):
    assert classify_product(product) is NameKind.PLACEHOLDER


@pytest.mark.parametrize(
    "product",
    [
        "terminase large subunit",
        "portal protein",
        "endolysin",
        "HNH endonuclease",
        "DNA polymerase I",
        "threonine synthase",
        "phosphoglycerate kinase",
        "ABC transporter permease",
        "50S ribosomal protein L31",
        "outer membrane porin L",
        "membrane-bound lysozyme inhibitor",
        "SOS cell division inhibitor",
        "holin/anti-holin",
        "S49 family peptidase",
        "major capsid protein",
        "tail fiber protein",
    ],
)
def test_names_of_a_function_are_names(product):
    assert classify_product(product) is NameKind.NAME


@pytest.mark.parametrize(
    "product",
    [
        "putative portal protein",
        "probable kinase inhibitor",
        "Rz-like spanin",
        "predicted acyltransferase with acyl-CoA",
        "ead/Ea22-like family protein",
    ],
)
def test_doubt_in_a_name_is_heard(product):
    assert classify_product(product) is NameKind.HEDGED


@pytest.mark.parametrize(
    "product", ["tail protein", "oxidoreductase", "putative transporter", "DNA-binding protein"]
)
def test_wide_classes_are_told_from_functions(product):
    assert classify_product(product) is NameKind.BROAD


@pytest.mark.parametrize("product", ["NinD protein", "protein ninF", "NinE family protein", "Bet"])
def test_a_bare_symbol_is_told_from_a_function(product):
    assert classify_product(product) is NameKind.SYMBOL


@pytest.mark.parametrize(
    ("product", "clean"),
    [
        ("  Probable   DNA  helicase ", "putative DNA helicase"),
        ("Acetate kinase (EC 2.7.2.1)", "acetate kinase"),
        ("MULTISPECIES: portal protein", "portal protein"),
        ("Rac prophage; integrase", "integrase"),
        ("phage_tail_fiber", "phage tail fiber"),
        ("DNA ligase [Escherichia coli]", "DNA ligase"),
        ("HNH endonuclease.", "HNH endonuclease"),
        ("FIG009886: phosphoesterase", "phosphoesterase"),
        ("nickel ABC transporter (TC 3.A.1.5.3)", "nickel ABC transporter"),
        ("Holliday junction resolvase", "Holliday junction resolvase"),
        ("Hin recombinase", "Hin recombinase"),
        ("RecA protein", "RecA protein"),
        ("N-acetylmuramoyl-L-alanine amidase", "N-acetylmuramoyl-L-alanine amidase"),
        ("D-glucarate dehydratase", "D-glucarate dehydratase"),
    ],
)
def test_cleaning_takes_away_what_is_no_part_of_a_name(product, clean):
    assert clean_product(product) == clean


@pytest.mark.parametrize("product", ["RecA protein", "50S ribosomal protein L31", "gp12", "x"])
def test_cleaning_twice_changes_nothing(product):
    assert clean_product(clean_product(product)) == clean_product(product)


def test_placeholders_are_shown_in_one_wording():
    assert display_product("ORF92") == "hypothetical protein"


@pytest.mark.parametrize(
    ("product", "cleaned"),
    [
        ("Rieske 2Fe-2S protein", "Rieske 2Fe-2S protein"),
        ("Shiga-like toxin beta subunit", "Shiga-like toxin beta subunit"),
        ("Klenow fragment", "Klenow fragment"),
        ("Haemophilus adhesin", "Haemophilus adhesin"),
        ("Staphylococcus accessory regulator", "Staphylococcus accessory regulator"),
        ("Staphylococcal accessory regulator", "staphylococcal accessory regulator"),
        ("Lambda integrase", "lambda integrase"),
        ("Sodium channel", "sodium channel"),
    ],
)
def test_a_proper_name_at_the_start_keeps_its_capital(product, cleaned):
    assert clean_product(product) == cleaned
