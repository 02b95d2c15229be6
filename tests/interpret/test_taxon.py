"""Evidence from where it cannot come is told as a doubt; phages and bacteria never are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.interpret.scoring import score_evidence
from genint.interpret.uncertainty import taxon_uncertainties, uncertainties


@pytest.fixture
def of(similar):
    def make(organism, name="thymidine kinase"):
        item = similar(name)
        return replace(item, similar=item.similar._replace(organism=organism))

    return make


@pytest.mark.parametrize(
    "organism",
    [
        "Vaccinia virus (strain Western Reserve)",
        "Human herpesvirus 1 (strain 17)",
        "African swine fever virus",
        "Acanthamoeba polyphaga mimivirus",
        "Saccharomyces cerevisiae (strain ATCC 204508 / S288c)",
        "Tobacco mosaic virus",
        "Autographa californica nuclear polyhedrosis virus",
        "Fowlpox virus",
    ],
)
def test_a_protein_of_what_infects_no_bacterium_is_a_doubt(of, organism):
    [doubt] = taxon_uncertainties([of(organism)])
    assert doubt.startswith("taxon: P12345 is of ")
    assert organism in doubt


@pytest.mark.parametrize(
    "organism",
    [
        "Escherichia phage T4",
        "Enterobacteria phage lambda",
        "Bacillus phage SPbeta",
        "Escherichia coli (strain K12)",
        "Homo phage",
        "Salmonella typhimurium",
        "Haloarcula hispanica pleomorphic virus 1",
        "Sulfolobus islandicus rod-shaped virus 1",
        "Ratibacter phage 1",
        "",
    ],
)
def test_proteins_of_phages_bacteria_and_archaeal_viruses_are_none(of, organism):
    assert taxon_uncertainties([of(organism)]) == ()


def test_a_part_of_a_eukaryotic_cell_in_the_name_is_a_doubt(similar):
    [doubt] = taxon_uncertainties([similar("nuclear pore complex protein Nup98")])
    assert doubt == "taxon: “nuclear pore” in “nuclear pore complex protein Nup98” is of eukaryotes"


def test_the_doubt_stands_among_the_uncertainties(of, judgement, gene):
    found = uncertainties(gene(), score_evidence((of("Vaccinia virus"),), judgement))
    assert any(doubt.startswith("taxon: ") for doubt in found)
