"""Lengths of proteins by name: what is found for a name, and what ships."""

from __future__ import annotations

import pytest

from genint.knowledge import key_of, load_name_lengths, load_products
from genint.knowledge.name_lengths import class_key_of, usual_length
from genint.knowledge.table_files import NAME_LENGTHS, read_shipped

VOCABULARY = load_products()
LENGTHS = load_name_lengths()


@pytest.mark.parametrize(
    ("name", "shortest_aa"),
    [
        ("dextranase", range(500, 900)),
        ("iduronate sulfatase", range(300, 500)),
        ("ribonucleotide reductase", range(200, 400)),
        ("portal protein", range(250, 450)),
        ("terminase large subunit", range(250, 450)),
        ("valyl-tRNA synthetase", range(700, 900)),
    ],
)
def test_names_of_long_proteins_have_the_length_that_nearly_all_reach(name, shortest_aa):
    known = LENGTHS[key_of(name, VOCABULARY.find(name))]
    assert known.shortest_aa in shortest_aa
    assert known.proteins >= 3


@pytest.mark.parametrize(
    "name",
    [
        "holin",
        "spanin",
        "tail protein",
        "head protein",
        "virion structural protein",
        "DNA packaging protein",
        "terminase",
        "early protein",
        "50S ribosomal protein L36",
    ],
)
def test_names_that_short_proteins_have_are_not_listed(name):
    assert key_of(name, VOCABULARY.find(name)) not in LENGTHS


def test_a_number_makes_no_other_enzyme():
    assert key_of("iduronate 2-sulfatase", None) == key_of("iduronate sulfatase", None)


def test_a_term_and_words_are_never_confused():
    holin = VOCABULARY.find("holin")
    assert key_of("holin", holin) != key_of("holin", None)


def test_a_name_that_says_nothing_has_no_length():
    assert key_of("hypothetical protein", None) not in LENGTHS


def test_the_table_is_small_and_holds_no_residues():
    content = read_shipped(NAME_LENGTHS).decode()
    assert len(content) < 200_000
    rows = [line.split("\t") for line in content.splitlines() if not line.startswith("#")][1:]
    assert rows == sorted(rows)
    assert all(len(row) == 3 and row[1].isdigit() and row[2].isdigit() for row in rows)


def usual(name):
    return usual_length(name, VOCABULARY.find(name), LENGTHS, VOCABULARY)


@pytest.mark.parametrize(
    ("name", "length_aa"),
    [
        ("CRISPR-associated endonuclease Cas9", 49),
        ("uracil permease", 42),
        ("RNA polymerase sigma-54 factor RpoN", 40),
        ("Pyruvate,phosphate dikinase", 37),
        ("phage integrase", 43),
        ("permeases of the major facilitator superfamily", 37),
        ("type I restriction-modification system, restriction subunit R", 128),
        ("type I restriction-modification system, DNA-methyltransferase subunit M", 71),
        ("outer membrane receptor for ferric coprogen and ferric-rhodotorulic acid", 187),
        ("Bacteriocin/lantibiotic efflux ABC transporter, permease/ATP-binding protein", 165),
        ("adhesin MafA2", 38),
        ("segregation and condensation protein B", 55),
        ("major head protein", 122),
        ("MFS transporter", 91),
        ("transcriptional regulator", 38),
        ("integrase", 73),
        ("ribonucleotide reductase", 106),
        (
            "phosphoribosylformylglycinamidine synthase, synthetase subunit / "
            "Phosphoribosylformylglycinamidine synthase, glutamine amidotransferase subunit",
            42,
        ),
    ],
)
def test_names_that_no_protein_of_a_length_can_have_are_known_for_it(name, length_aa):
    assert length_aa < 0.5 * usual(name).length.shortest_aa


@pytest.mark.parametrize(
    ("name", "length_aa"),
    [
        ("50S ribosomal protein L36", 38),
        ("thr operon leader peptide", 21),
        ("toxic membrane protein", 19),
        ("mRNA interferase toxin of the HicAB toxin-antitoxin system", 58),
        ("cytochrome d (bd-I) ubiquinol oxidase subunit X", 37),
        ("potassium ion accessory transporter subunit", 29),
        ("cold shock-induced protein", 51),
        ("holin", 60),
        ("ferredoxin", 55),
        ("4-oxalocrotonate tautomerase", 62),
        ("acylphosphatase", 90),
        ("flavinator of succinate dehydrogenase; antitoxin of CptAB toxin-antitoxin pair", 88),
        ("Fe(2+) donor and activity modulator for cysteine desulfurase", 66),
        ("multidrug efflux system protein", 105),
        ("DNA gyrase inhibitor YacG", 65),
        ("protease FtsH-inhibitory lysogeny factor CIII", 54),
        ("inhibitor of glucose uptake", 43),
        ("heme exporter protein CcmD", 47),
        ("ATP synthase (subunit c, component F0)", 70),
        ("C1 repressor inactivator", 69),
        ("repressor protein C", 99),
        ("major coat protein", 50),
        ("capsid protein G8P", 73),
        ("ribbon-helix-helix protein, CopG family", 45),
        ("prohead core protein", 69),
        ("DNA packaging protein", 38),
        ("baseplate tail tube cap", 140),
    ],
)
def test_names_of_short_proteins_raise_no_doubt(name, length_aa):
    known = usual(name)
    assert known is None or length_aa >= 0.5 * known.length.shortest_aa


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("HPr kinase", "~kinase"),
        ("choline-sulfatase", "~sulfatase"),
        ("Putative NADH dehydrogenase YfgX", "~dehydrogenase"),
        ("GNAT family acetyltransferase", "~acetyltransferase"),
        ("DNA polymerase III subunit beta", ""),
        ("ATP synthase epsilon chain", ""),
        ("kinase inhibitor", ""),
        ("modulator for cysteine desulfurase", ""),
        ("adhesin MafA2", "~adhesin"),
        ("ATP synthase (subunit c, component F0)", ""),
        ("tail protein", ""),
    ],
)
def test_a_class_is_of_what_the_protein_is_not_of_what_it_works_on(name, key):
    assert class_key_of(name) == key
