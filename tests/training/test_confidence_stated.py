"""What is chosen and not fitted stands in the file that ships as the tables say."""

from __future__ import annotations

import re
import tomllib

import pytest

from genint.knowledge import load_confidence
from genint.knowledge.table_files import CONFIDENCE, read_shipped
from genint.model import Specificity
from training.confidence.stated import DECIMALS, read_stated, with_chosen

STATED = read_stated()


@pytest.mark.parametrize("name", sorted(STATED.probabilities))
def test_the_shipped_weight_of_a_chosen_class_is_what_its_table_makes_of_it(name: str) -> None:
    shipped = load_confidence()
    probability = STATED.probabilities[name]
    assert shipped.reliability[name] == probability
    for setting, calibration in shipped.calibrations.items():
        expected = STATED.leads(calibration.prior, calibration.leads)[name]
        assert calibration.leads[name] == pytest.approx(expected, abs=2 * 10**-DECIMALS), setting
        if not name.startswith("annotation"):
            assert calibration.agrees[name] == STATED.agreement(probability)


def test_every_chosen_class_says_how_much_it_claims_and_where_it_stands() -> None:
    assert set(STATED.claims) == set(STATED.files) - {"agreement"} == set(STATED.probabilities)
    assert STATED.claims["interpro_domain"] is Specificity.DOMAIN
    assert STATED.claims["annotation_broad"] is Specificity.CATEGORY
    assert STATED.claims["uniprot_curated"] is Specificity.PROTEIN


def test_no_entry_of_interpro_outweighs_what_families_of_pfam_were_found_to_weigh() -> None:
    for setting, calibration in load_confidence().calibrations.items():
        leads = calibration.leads
        assert leads["interpro_family"] <= leads["pfam_family"], setting
        assert leads["interpro_loose_family"] <= leads["interpro_family"], setting
        assert leads["interpro_loose_domain"] <= leads["pfam_domain"], setting


def test_taking_over_chosen_values_leaves_what_ships_as_it_is() -> None:
    shipped = read_shipped(CONFIDENCE).decode()
    assert with_chosen(shipped) == shipped


def test_a_class_that_is_new_or_changed_is_taken_over_without_a_fit() -> None:
    shipped = read_shipped(CONFIDENCE).decode()
    older = re.sub(r'(?m)^(antifam = .*|    "antifam",)\n', "", shipped)
    older = older.replace("interpro_site = 0.300", "interpro_site = 0.900")
    assert "antifam" not in older
    assert tomllib.loads(with_chosen(older)) == tomllib.loads(shipped)
