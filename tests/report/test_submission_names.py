"""Product names are what GenBank takes: by its published rules, and by its own program."""

from __future__ import annotations

import re
import subprocess

import pytest

from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import load_products
from genint.report.submission_names import LONGEST, submission_name

REFUSED = {
    "likeness": r"\b(?:homolog(?!ous (?:recomb|end))|ortholog|paralog|similar(?:ity)? (?:to|with))",
    "evidence": r"\b(?:probabl[ey]|possibl[ey]|predicted|likely|potential|uncharacteri[sz]ed)\b",
    "state": r"\b(?:fragment|truncated|partial|pseudogene|interrupted|frameshift)\b",
    "contents": r"\bcontains\b|\bincludes\b",
    "enzyme numbers": r"\bEC[ :]?\d|(?<![\d.])[1-6]\.\d+\.\d+\.(?:\d+|-)(?![\d.])",
    "accessions": r"\b(?:COG|TIGR|PRK|IPR|PTHR)\d{4}|\bPF\d{5}",
    "symbols": r"[;#%=?@|\"\\_]|, |[^ -~]",
    "edges": r"^[ ,;:.\-/]|[,;:.\-/ ]$",
    "plural nouns": r"(?:proteins|ases|subunits|regulators|factors)$",
    "British spelling": r"sulph|haem|fibre\b|tumour|colour|signalling",
    "ends in what it is not": r"(?:\bdomain|\bfamily|-like|\bbinding|\bmotif|\brepeat)$",
    "only a doubt": r"^putative(?: protein)?$",
}
"""What the guidelines and the rules for suspect names refuse, by what it is."""
EXAMPLES = {
    "ABC transporter, ATP-binding protein": "ABC transporter ATP-binding protein",
    "DNA polymerase III, alpha subunit": "DNA polymerase III alpha subunit",
    "PTS system, mannose family, IIC component": "PTS system mannose family IIC component",
    "alanine racemase, biosynthetic, PLP-binding": "alanine racemase",
    "membrane-associated, rRNA-binding GTPase": "membrane-associated rRNA-binding GTPase",
    "hypothetical protein": "hypothetical protein",
    "conserved hypothetical protein": "hypothetical protein",
    "uncharacterized protein YqeY": "hypothetical protein",
    "uncharacterized zinc protease YmfH": "putative zinc protease YmfH",
    "probable integrase": "putative integrase",
    "phage shock protein C, putative; regulator": "putative phage shock protein C",
    "repressor; putative element": "repressor",
    "CcdA homolog": "CcdA-like protein",
    "similar to RNA polymerase sigma factor": "RNA polymerase sigma factor-like protein",
    "SNF2-related protein": "SNF2-related protein",
    "protein with a region like protease": "hypothetical protein",
    "DUF853 family protein": "DUF853 family protein",
    "RadC-like JAB domain protein": "RadC-like JAB domain-containing protein",
    "cold shock protein of CSP family": "CSP family cold shock protein",
    "sulphate haemolysin": "sulfate hemolysin",
    "thymidine kinase (EC 2.7.1.21)": "thymidine kinase",
    "urease [Escherichia coli]": "urease",
    "NADH dehydrogenase (quinone)": "NADH dehydrogenase (quinone)",
    "putative phosphoesterases (PHP family)": "putative phosphoesterase",
    "Kinase A / Phosphatase B": "bifunctional kinase A/phosphatase B",
    "4-alpha-glucanotransferase; β-glucosidase": "4-alpha-glucanotransferase",
    "late competence protein ComGF, FIG012620": "late competence protein ComGF",
    "CP4-6 prophage; uncharacterized protein": "hypothetical protein",
    "CP4-6 prophage; putative DNA repair protein": "putative DNA repair protein",
    "rut operon transcriptional repressor for": "rut operon transcriptional repressor",
    "inactive polymerase": "inactive polymerase",
    "2,4-dienoyl-CoA reductase": "2,4-dienoyl-CoA reductase",
    "homologous recombination mediator": "homologous recombination mediator",
    "\t": "hypothetical protein",
    "RNA polymerase, sigma 70 (sigma D) factor": "RNA polymerase sigma 70 (sigma D) factor",
    "transcriptional activator of cyn operon; self": "transcriptional activator of cyn operon",
    "transcriptional repressor of phenylacetic acid degradation paa operon, phenylacetyl-CoA "
    "inducer": "transcriptional repressor of phenylacetic acid degradation paa operon",
    "formamidopyrimidine/5-formyluracil/ 5-hydroxymethyluracil DNA glycosylase": (
        "formamidopyrimidine/5-formyluracil/5-hydroxymethyluracil DNA glycosylase"
    ),
    "thiamine/thiamine pyrophosphate/thiamine monophosphate ABC transporter periplasmic substrate-"
    "binding protein": (
        "thiamine pyrophosphate/thiamine monophosphate ABC transporter periplasmic "
        "substrate-binding protein"
    ),
    "NinB/ Orf homologous recombination mediator": "NinB/Orf homologous recombination mediator",
    "CRISPR RNA": "CRISPR RNA",
    "UPF0174 family protein": "UPF0174 family protein",
    "UPF0102 protein YraN": "UPF0102 protein YraN",
    "stress-induced protein, UPF0337 family": "UPF0337 family protein",
    "YibB family protein, function unknown": "YibB family protein",
    "multidrug resistance efflux transporter conferring overexpression resistance to norfloxacin "
    "and enoxacin": "multidrug resistance efflux transporter",
    "fused diaminohydroxyphosphoribosylaminopyrimidine deaminase and 5-amino-6-(5-"
    "phosphoribosylamino) uracil reductase": (
        "diaminohydroxyphosphoribosylaminopyrimidine deaminase"
    ),
    "bifunctional thiamine pyrimidine pyrophosphate hydrolase and thiamine pyrophosphate "
    "hydrolase": "bifunctional thiamine pyrimidine pyrophosphate hydrolase and thiamine "
    "pyrophosphate hydrolase",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_names_are_worded_as_the_guidelines_say(name):
    assert submission_name(name) == EXAMPLES[name]


def vocabulary() -> list[str]:
    """Names and synonyms of all terms."""
    terms = load_products().products.values()
    return sorted({*EXAMPLES, *(name for term in terms for name in term.names)})


def refused(names) -> list[tuple[str, str, str]]:
    """Rule, name and what was made of it, where a rule still refuses that."""
    return [
        (rule, name, made)
        for name in names
        for made in [submission_name(name)]
        for rule, pattern in REFUSED.items()
        if re.search(pattern, made)
    ]


def unsteady(names) -> list[str]:
    """Names that become something else when they are made fit again."""
    return [name for name in names if submission_name(made := submission_name(name)) != made]


def test_no_name_of_the_vocabulary_is_left_that_the_rules_refuse():
    names = vocabulary()
    assert len(names) > 1000
    assert refused(names) == []
    assert unsteady(names) == []
    assert all(0 < len(submission_name(name)) <= LONGEST for name in names)


def test_no_name_at_hand_is_left_that_the_rules_refuse(names_at_hand):
    # each eighth: all of them, which were looked at when the rules were made, take minutes
    names = sorted(names_at_hand)[::8]
    assert refused(names) == []
    assert unsteady(names) == []
    assert all(0 < len(submission_name(name)) <= LONGEST for name in names)


def test_the_terms_of_the_vocabulary_are_fit_already():
    changed = {
        term.name: submission_name(term.name)
        for term in load_products().products.values()
        if submission_name(term.name) != term.name and classify_product(term.name) is NameKind.NAME
    }
    assert len(changed) <= len(load_products().products) // 50, changed


PLAINLY_WRONG = (
    "British",
    "evolutionary relationship",
    "underscore",
    "unbalanced",
    "contains '#'",
    "contains ';'",
    "contains '='",
    "contains 'homolog",
    "contains 'partial'",
    "ends with ','",
    "starts with '-'",
    "May be nonfunctional",
)
"""Titles of the report that must not occur; others ask to look at a name once more."""


def test_the_discrepancy_report_has_nothing_against_the_vocabulary(tbl2asn, tmp_path):
    judge(vocabulary()[::4], tbl2asn, tmp_path)


def test_the_discrepancy_report_has_little_against_the_names_at_hand(
    names_at_hand, tbl2asn, tmp_path
):
    # each fortieth: the program takes minutes for all of them
    judge(sorted(names_at_hand)[::40], tbl2asn, tmp_path)


def judge(names, tbl2asn, folder) -> None:
    """At most one of fifty is left to be looked at, and nothing that is plainly wrong."""
    made = sorted({submission_name(name) for name in names})
    report = discrepancies(made, tbl2asn, folder)
    assert "Discrepancy Report Results" in report
    summary = report.partition("Detailed Report")[0]
    found = re.search(r"SUSPECT_PRODUCT_NAMES:(\d+)", summary)
    assert (int(found[1]) if found else 0) <= len(made) // 50, summary
    for wrong in PLAINLY_WRONG:
        assert wrong not in summary, summary


def discrepancies(products, tbl2asn, folder) -> str:
    """The report on suspect names of proteins called so."""
    bases = "ATG" + "GCT" * 20 + "TAA"
    (folder / "g.fsa").write_text(f">x [organism=Foo bar] [gcode=11]\n{bases * len(products)}\n")
    lines = [">Feature x"]
    for at, name in enumerate(products):
        place = f"{at * len(bases) + 1}\t{(at + 1) * len(bases)}"
        lines += [f"{place}\tgene", f"\t\t\tlocus_tag\tABC_{at}", f"{place}\tCDS"]
        lines += [f"\t\t\tproduct\t{name}", f"\t\t\tprotein_id\tgnl|ABC|ABC_{at}"]
    (folder / "g.tbl").write_text("\n".join(lines) + "\n")
    tbl2asn(folder)
    command = ["asndisc", "-i", "g.sqn", "-o", "g.dr", "-e", "SUSPECT_PRODUCT_NAMES"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
    return (folder / "g.dr").read_text()
