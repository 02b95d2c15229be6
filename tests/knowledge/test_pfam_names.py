"""Families' names in sentences."""

from __future__ import annotations

import pytest

from genint.knowledge import article, claim_of, informative_name, is_superfamily, load_families


@pytest.fixture(scope="module")
def families():
    return load_families()


@pytest.mark.parametrize(
    ("heading", "claim"),
    [
        ("ABC transporter", "contains an ABC transporter domain"),
        ("NUDIX domain", "contains a NUDIX domain"),
        ("Made_tail_T: minor tail protein T", "contains a minor tail protein T domain"),
        ("Asparaginase, N-terminal", "contains an asparaginase N-terminal domain"),
        (
            "FAD linked oxidases, C-terminal domain",
            "contains an FAD linked oxidase C-terminal domain",
        ),
        (
            "C-terminal domain of 1-Cys peroxiredoxin",
            "contains a 1-Cys peroxiredoxin C-terminal domain",
        ),
        ("Glutaredoxin-like domain (DUF836)", "contains a glutaredoxin-like domain"),
        (
            "Putative nucleotidyltransferase DUF294",
            "contains a putative nucleotidyltransferase domain",
        ),
        ("Phage integrase family", "contains a phage integrase family domain"),
        ("Sel1 repeat", "contains a Sel1 repeat"),
        ("Helix-hairpin-helix motif", "contains a helix-hairpin-helix motif"),
        ("MbtH-like protein", "contains an MbtH-like domain"),
        (
            "AAA domain (dynein-related subfamily)",
            "contains an AAA domain (dynein-related subfamily)",
        ),
        ("A circularly permuted ATPgrasp", "contains a circularly permuted ATPgrasp domain"),
        (
            "RNA recognition motif. (a.k.a. RRM, RBD, or RNP domain)",
            "contains an RNA recognition motif",
        ),
        (
            "Putative zinc- or iron-chelating domain containing protein",
            "contains a putative zinc- or iron-chelating domain",
        ),
        (
            "Prokaryotic homologs of the JAB domain",
            "contains a prokaryotic homolog of the JAB domain",
        ),
    ],
)
def test_a_domain_is_claimed_in_tidy_english(heading, claim):
    assert claim_of(heading).of_domain == claim


@pytest.mark.parametrize(
    ("heading", "claim", "subject"),
    [
        ("Ribosomal protein L22/L17", "ribosomal protein L22/L17", "ribosomal protein L22/L17"),
        (
            "Heat shock protein 70 family",
            "heat shock protein 70 family protein",
            "heat shock protein 70",
        ),
        (
            "Putative rhamnosyl transferase",
            "putative rhamnosyl transferase",
            "rhamnosyl transferase",
        ),
    ],
)
def test_a_family_names_the_protein(heading, claim, subject):
    assert claim_of(heading).of_protein == claim
    assert claim_of(heading).subject == subject


@pytest.mark.parametrize(
    "phrase",
    [
        "an ABC",
        "a UDP-sugar",
        "an HTH",
        "a SAM",
        "an SNF2",
        "a uracil",
        "an NAD",
        "a Hsp20",
        "an 8-oxo",
    ],
)
def test_the_article_follows_the_sound(phrase):
    expected, word = phrase.split(" ")
    assert article(word) == expected


@pytest.mark.parametrize("accession", ["PF01882", "PF04367", "PF09327", "PF03601", "PF20148"])
def test_a_family_of_unknown_function_has_no_telling_name(families, accession):
    assert informative_name(families[accession]) is None


def test_an_old_unknown_that_interpro_has_named_is_told_by_that_name(families):
    assert families["PF05787"].description.startswith("Bacterial protein of unknown function")
    assert informative_name(families["PF05787"]) == "Alkaline phosphatase PhoX"


def test_superfamilies_are_recognised(families):
    assert is_superfamily(families["PF07690"])
    assert not is_superfamily(families["PF00589"])


def test_every_claim_reads_as_one_phrase(families):
    """No doubled words, stray punctuation or serial numbers in any of them."""
    for family in families.families.values():
        heading = informative_name(family)
        if heading is None:
            continue
        claim = claim_of(heading)
        assert claim.subject
        for text in (claim.of_domain, claim.of_protein):
            assert "  " not in text
            assert text == text.strip(" ,;.")
            assert "domain domain" not in text
            assert "family family" not in text


@pytest.mark.parametrize(
    ("heading", "claim"),
    [
        ("Rieske [2Fe-2S] domain", "contains a Rieske [2Fe-2S] domain"),
        ("Rossmann-like domain", "contains a Rossmann-like domain"),
        ("Gram-negative porin", "contains a Gram-negative porin domain"),
        ("Kelch motif", "contains a Kelch motif"),
        ("Toprim domain", "contains a Toprim domain"),
        ("Cache domain", "contains a Cache domain"),
        ("Toprim-like", "contains a Toprim-like domain"),
        ("Mycoplasma virulence family", "contains a Mycoplasma virulence family domain"),
        ("Flagella basal body rod protein", "contains a flagella basal body rod domain"),
        ("Zinc-binding dehydrogenase", "contains a zinc-binding dehydrogenase domain"),
        ("Potassium channel", "contains a potassium channel domain"),
    ],
)
def test_proper_names_keep_their_capital_and_common_words_lose_it(heading, claim):
    assert claim_of(heading).of_domain == claim
