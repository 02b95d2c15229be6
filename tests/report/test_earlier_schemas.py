"""Results of earlier genint versions render; what they do not hold is left out."""

from __future__ import annotations

import json

import pytest

from genint.formats import read_original
from genint.report.formats import FORMATS, render
from genint.report.json_format import render_json
from genint.report.reading import parse_result
from genint.report.result import GenintResult

from .hostile_results import with_everything

NEW = ("features", "context", "audit", "call", "start_choice")
"""Keys of a gene that are there since 1.4."""
EARLIER = ("1.0", "1.1", "1.2", "1.3")


def as_of(result: GenintResult, version: str) -> GenintResult:
    """The result as a version before 1.4 would have written it."""
    value = json.loads(render_json(result)) | {"schema_version": version}
    for name in ("levels", "genome_kind"):
        del value["parameters"][name]
    for gene in value["genes"]:
        for name in NEW:
            gene.pop(name, None)
        for hypothesis in gene["hypotheses"]:
            for term in hypothesis["terms"]:
                del term["evidence"]
    return parse_result(json.dumps(value).encode())


@pytest.fixture(scope="module")
def original(examples):
    path = examples / "phiX174.gbk"
    return read_original(path.read_bytes(), path.name)


@pytest.mark.parametrize("version", EARLIER)
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_renders_a_result_of_an_earlier_version(phix_result, original, name, version):
    old = as_of(phix_result, version)
    assert all(not gene.features and gene.context is None for gene in old.genes)
    text = render(old, name, original)
    assert text.strip()


@pytest.mark.parametrize("name", ["md", "tsv", "gff3"])
def test_what_an_old_result_does_not_hold_is_not_there(phix_result, name):
    full = with_everything(phix_result)
    for told in ("transmembrane", "gpF upstream"):
        assert told in render(full, name)
        assert told not in render(as_of(full, "1.3"), name)
