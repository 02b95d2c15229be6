"""The key that wordings of one name share, and what never shares one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.knowledge import name_key

TELLING = (
    "terminase large subunit",
    "major capsid protein",
    "tail fiber assembly protein",
    "DNA polymerase III subunit alpha",
    "single-stranded DNA-binding protein",
    "RNA-directed DNA polymerase",
    "baseplate wedge tail fiber connector",
    "N-acetylmuramoyl-L-alanine amidase",
    "type II restriction endonuclease",
    "anti-sigma 70 protein",
    "thymidylate synthase",
    "50S ribosomal protein L5",
    "two-component sensor histidine kinase",
)
names = st.sampled_from(TELLING)


@given(st.text())
def test_the_key_of_a_key_is_the_key(text: str) -> None:
    key = name_key(text)
    assert name_key(key) == key


@given(
    st.lists(
        st.sampled_from(
            "dna rna anti-repressor tail fibre type II class ia of a phage-like 5'-3' beta' gp12 "
            "Mu family co-chaperone ssDNA regulatory proteins P2-like [x y] 12 kDa # by".split()
        ),
        max_size=8,
    ).map(" ".join)
)
def test_the_key_of_a_key_is_the_key_for_words_of_names_too(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)


@given(names)
def test_case_tells_nothing(name: str) -> None:
    assert name_key(name.upper()) == name_key(name.lower()) == name_key(name)


@given(
    names,
    st.sampled_from(["putative", "probable", "Possible", "predicted", "phage", "Bacteriophage"]),
)
def test_doubt_and_phage_in_front_tell_nothing(name: str, word: str) -> None:
    assert name_key(f"{word} {name}") == name_key(name)


@given(
    names,
    st.sampled_from(
        [
            ", putative",
            ", phage-associated",
            " (EC 2.7.7.7)",
            " [Escherichia phage T4]",
            " # T4-like phage",
            " gp23",
            ", HK97 family",
            ", partial",
            " precursor",
            " from bacteriophage origin",
            " TIGR01554",
            ", 12 kDa",
        ]
    ),
)
def test_what_curators_append_tells_nothing(name: str, tail: str) -> None:
    assert name_key(name + tail) == name_key(name)


@given(st.permutations(["large", "terminase", "subunit"]))
def test_the_order_of_words_tells_nothing(words: list[str]) -> None:
    assert name_key(" ".join(words)) == name_key("terminase, large subunit")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tail fibre protein", "tail fiber proteins"),
        ("Tailspike protein", "tail spike"),
        ("tapemeasure protein", "tape-measure protein"),
        ("ssDNA-binding protein", "single strand DNA binding protein"),
        ("anti-repressor", "antirepressor protein"),
        ("DNA polymerase I", "DNA polymerase 1"),
        ("DNA methylase", "DNA methyltransferase"),
        ("transcription antitermination protein", "transcriptional antiterminator"),
        ("RNA polymerase \u03b2' subunit", "RNA polymerase subunit beta'"),
        ("type-II holin", "holin, type 2"),
        ("regulatory protein", "regulator"),
        ("sulphite reductase", "sulfite reductase"),
        ("5' to 3' exonuclease", "5'-3' exonuclease"),
        ("tail protein X", "tail protein gpX"),
        ("head protein, Mu-like", "Mu family head protein"),
        ("transcriptional regulator, LysR family", "LysR family transcriptional regulator"),
        ("major facilitator subfamily transporter", "major facilitator superfamily transporter"),
        ("integrase%2C putative", "integrase, putative"),
    ],
)
def test_wordings_of_one_name_share_a_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("holin", "antiholin"),
        ("holin", "holin inhibitor"),
        ("toxin", "antitoxin"),
        ("repressor", "antirepressor"),
        ("transcriptional activator", "transcriptional repressor"),
        ("terminase large subunit", "terminase small subunit"),
        ("major capsid protein", "minor capsid protein"),
        ("subunit alpha", "subunit beta"),
        ("RNA polymerase subunit beta", "RNA polymerase subunit beta'"),
        ("DNA polymerase", "RNA polymerase"),
        ("RNA-directed DNA polymerase", "DNA-directed RNA polymerase"),
        ("RNA-directed DNA polymerase", "DNA-directed DNA polymerase"),
        ("RNA-directed RNA polymerase", "DNA-directed RNA polymerase"),
        ("5'-3' exonuclease", "3'-5' exonuclease"),
        ("type I restriction enzyme", "type II restriction enzyme"),
        ("type II restriction enzyme", "type III restriction enzyme"),
        ("ribosomal protein S3", "ribosomal protein S4"),
        ("ribosomal protein L3", "ribosomal protein S3"),
        ("photosystem II protein D1", "photosystem II protein D2"),
        ("DNA polymerase II", "DNA polymerase III"),
        ("DNA helicase", "DNA helicase loader"),
        ("sigma factor", "anti-sigma factor"),
        ("transcription terminator", "transcription antiterminator"),
        ("HNH endonuclease", "HNH domain-containing protein"),
        ("integrase", "integrase N-terminal domain"),
        ("histone", "histone-like protein"),
        ("tail protein", "tail fiber protein"),
        ("terminase", "terminase @ intein"),
        ("lysin A", "lysin B"),
        ("thymidine kinase", "thymidylate kinase"),
        ("ABC transporter permease", "peptide ABC transporter permease"),
        ("host specificity protein", "host protein"),
        ("ribosomal protein P2", "ribosomal protein"),
        ("P4-type ATPase", "ATPase"),
        ("protein kinase", "kinase"),
        ("protein phosphatase", "phosphatase"),
        ("type II toxin-antitoxin system toxin", "type II toxin-antitoxin system antitoxin"),
        ("cytochrome bd-I oxidase subunit 1", "cytochrome bd-I oxidase subunit 2"),
        ("3-oxoacyl-[ACP] synthase 3", "3-oxoacyl-[ACP] synthase 2"),
        ("3-oxoacyl-[ACP] synthase 3", "oxoacyl-[ACP] synthase 3"),
        ("aminotransferase family protein", "aminotransferase"),
        ("LysR family transcriptional regulator", "transcriptional regulator LysR"),
        ("thioredoxin-like protein", "thioredoxin"),
        ("integrase domain-containing protein", "integrase"),
    ],
)
def test_what_differs_in_a_telling_word_never_shares_a_key(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(names, st.sampled_from(["inhibitor", "loader", "antagonist", "chaperone", "domain"]))
def test_one_telling_word_more_is_another_key(name: str, word: str) -> None:
    assert name_key(f"{name} {word}") != name_key(name)


@given(names, st.sampled_from(["anti-", "anti"]))
def test_anti_makes_another_key(name: str, anti: str) -> None:
    assert name_key(anti + name) != name_key(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "protein",
        "putative phage protein",
        "gp23",
        "12 kDa protein",
        "phage-like protein",
        "gp23-like protein",
        "family protein",
        "domain-containing protein",
    ],
)
def test_a_name_without_a_telling_word_has_no_key(name: str) -> None:
    assert name_key(name) == ""
