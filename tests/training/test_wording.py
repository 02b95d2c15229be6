"""Product texts of the corpus: what is noise and what is a name."""

from __future__ import annotations

import pytest

from training.families.wording import bare_name, endings, plain_text


@pytest.mark.parametrize(
    "text",
    [
        "similar bacteriophage P22 ninH",
        "similar to bacteriophage lambda gene",
        "putative COG2740: nucleic-acid-binding protein implicated in transcription termination",
        "other members are part of COG1693, ArCR (archaeal conserved region)",
        "prosite motif PS50079 and pfam motif",
        "gifsy-2 prophage protein",
        "GTG start codon",
        "pi1 protein 26",
        "involved in degradation of host DNA",
        "LexA regulated function",
        "inner membrane protein regulated by LexA",
        "conserved archaeal virion protein",
        "proposed amino acid ligase found clustered with an amidotransferase",
    ],
)
def test_labels_comments_and_headings_are_no_names(text: str) -> None:
    assert bare_name(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "virion protein",
        "prophage integrase",
        "LexA repressor",
        "capsid and protease fusion protein",
        "COG1058 family ADP-ribose pyrophosphatase",
        "morphogenesis modulator",
    ],
)
def test_names_that_only_resemble_them_stay(text: str) -> None:
    assert bare_name(text) is not None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Gifsy-2 prophage probable minor tail protein", "minor tail protein"),
        ("putative Fels-1 prophage host specificity protein", "host specificity protein"),
        ("lambda tail assembly protein I", "tail assembly protein I"),
        ("lambda repressor", "lambda repressor"),
    ],
)
def test_the_prophage_is_no_part_of_a_name_of_several_words(text: str, name: str) -> None:
    assert bare_name(text) == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Phage minor tail protein #Phage minor tail protein U", "Phage minor tail protein U"),
        (
            "Phage tail fiber protein #Phage host specificity protein J",
            "Phage host specificity protein J",
        ),
        ("Phage protein # Fam0045", "Phage protein # Fam0045"),
        ("Phage baseplate hub #T4-like phage Gp27", "Phage baseplate hub #T4-like phage Gp27"),
        ("# Phage intron", "# Phage intron"),
    ],
)
def test_a_comment_that_says_more_than_the_name_stands_for_it(text: str, said: str) -> None:
    assert plain_text(text) == said


def test_an_ending_that_cuts_the_name_of_a_substrate_is_no_class():
    assert endings("L-arabinose 1-dehydrogenase") == ("dehydrogenase",)
    cut = {"acid deacetylase", "1-phosphate adenylyltransferase"}
    assert not cut.intersection(endings("N-acetyl-2,4-diaminobutyric acid deacetylase"))
    assert not cut.intersection(endings("D-beta-D-heptose 1-phosphate adenylyltransferase"))


def test_an_ending_that_lost_what_it_is_a_precursor_of_is_no_class():
    assert "precursor transporter" not in endings("queuosine precursor transporter")
    assert "transporter" in endings("queuosine precursor transporter")
