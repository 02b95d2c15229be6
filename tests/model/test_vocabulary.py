import gzip
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.interpret import gene_context
from genint.model import COG_CATEGORIES, COG_NAMES, ECO_NAMES, ConfidenceLevel, EvidenceType
from genint.sources import annotation, homology, imported, pfam, uniprot


@pytest.mark.parametrize(
    ("score", "level"),
    [
        (1.0, "HIGH"),
        (0.80, "HIGH"),
        (0.79, "MODERATE"),
        (0.50, "MODERATE"),
        (0.49, "LOW"),
        (0.30, "LOW"),
        (0.29, "SPECULATIVE"),
        (0.0, "SPECULATIVE"),
        (None, "NONE"),
    ],
)
def test_levels_stand_where_the_specification_puts_them(score, level):
    assert ConfidenceLevel.of(score).value == level


@given(st.floats(0, 1))
def test_the_level_always_fits_the_score_as_it_is_shown(score):
    shown = float(f"{score:.2f}")
    assert ConfidenceLevel.of(score) is ConfidenceLevel.of(shown)


def test_every_cog_letter_has_a_name_and_a_category():
    assert len(COG_NAMES) == 26
    assert COG_NAMES.keys() == COG_CATEGORIES.keys()


def test_features_and_gene_calls_never_count_as_independent_agreement():
    dependent = {kind for kind in EvidenceType if not kind.independent}
    assert dependent == {EvidenceType.SEQUENCE_FEATURE, EvidenceType.GENE_CALL}


def test_every_code_that_a_source_gives_to_evidence_has_a_name():
    given_codes = {
        value
        for source in (annotation, pfam, homology, gene_context, uniprot, imported)
        for name, value in vars(source).items()
        if name.startswith("ECO_")
    }
    assert given_codes | uniprot.CODES == ECO_NAMES.keys()


def test_evidence_codes_are_called_what_the_ontology_calls_them(shared_data):
    with gzip.open(shared_data / "reference/eco/eco-basic.obo.gz", "rt") as file:
        names = dict(re.findall(r"^id: (ECO:\d{7})\nname: (.+)$", file.read(), re.MULTILINE))
    assert {code: names[code] for code in ECO_NAMES} == ECO_NAMES
