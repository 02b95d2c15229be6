"""What a record says of the organism that it is from."""

from __future__ import annotations

import pytest

from genint.formats import RawFeature, RawLocation, source_organism, source_taxon
from genint.formats.genbank.genes import source_host
from genint.model import Qualifier


def _source(*qualifiers: tuple[str, str | None], key: str = "source") -> RawFeature:
    told = tuple(Qualifier(name, value) for name, value in qualifiers)
    return RawFeature(key=key, location=RawLocation(()), qualifiers=told, line=1)


def test_the_taxon_is_that_of_the_source_feature() -> None:
    features = [_source(("organism", "Phage x"), ("db_xref", "ATCC:1"), ("db_xref", "taxon:10710"))]
    assert source_taxon(features) == 10710
    assert source_organism(features) == "Phage x"


def test_two_taxa_are_none() -> None:
    assert source_taxon([_source(("db_xref", "taxon:1")), _source(("db_xref", "taxon:2"))]) is None


@pytest.mark.parametrize(
    "text", ["taxon:", "taxon:0", "taxon:1 OR 1", "taxon:-5", "taxon:" + "9" * 40, None]
)
def test_what_is_no_taxon_is_none(text: str | None) -> None:
    assert source_taxon([_source(("db_xref", text))]) is None


def test_other_features_name_no_taxon() -> None:
    assert source_taxon([_source(("db_xref", "taxon:5"), key="CDS")]) is None


def test_the_host_is_that_of_the_source_feature_or_else_the_one_of_the_laboratory() -> None:
    own = _source(("lab_host", "Escherichia coli C"), ("host", "Salmonella enterica"))
    assert source_host([own]) == "Salmonella enterica"
    assert source_host([_source(("lab_host", "Escherichia coli C"))]) == "Escherichia coli C"
    assert source_host([_source(("host", "Escherichia"), key="CDS")]) is None
