"""EMBL holds what the GenBank file holds, read back by Biopython."""

from __future__ import annotations

import io
import warnings

import pytest
from Bio import BiopythonWarning, SeqIO

from genint import interpret_genome
from genint.errors import InputError
from genint.formats import read_original
from genint.pipeline.library import as_result
from genint.report import render_embl, render_genbank
from genint.report.formats import Rendering, render_bytes


def read(text, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BiopythonWarning)
        return list(SeqIO.parse(io.StringIO(text), name))


def contents(record):
    """Places, keys and values of all features; EMBL has no order of its own."""
    return [
        (
            one.type,
            str(one.location),
            {key: [" ".join(value.split()) for value in values] for key, values in one.items()},
        )
        for one in (Feature(each) for each in record.features)
    ]


class Feature:
    """A feature with its qualifiers as items."""

    def __init__(self, feature) -> None:
        self.type, self.location = feature.type, feature.location
        self.items = feature.qualifiers.items


UNREADABLE = {
    "odd_addgene11664.gbk": 'the place of the enhancer "CMV enhancer" cannot be read',
    "odd_negative_location.gb": 'the place of the CDS "BAB69173.1" cannot be read',
    "odd_pDCAF3.gbk": 'the place of the gene "chlR gene" cannot be read',
    "odd_invalid_product.gb": "Problem with 'CDS' feature: 1..42, /note=\"Fake CDS\"",
}
"""Files that break the format, by what is said of them."""


def test_every_feature_and_base_of_the_genbank_file_is_in_the_embl_file(real):
    if real.path.name in UNREADABLE:
        with pytest.raises(InputError, match=UNREADABLE[real.path.name]) as refused:
            render_embl(real.result, real.original)
        assert "\n" not in str(refused.value)
        return
    written = read(real.genbank, "genbank")
    found = read(render_embl(real.result, real.original), "embl")
    assert all(
        mine.id in {theirs.id, f"{theirs.id}.1"}  # EMBL has no record without a version
        for mine, theirs in zip(found, written, strict=True)
    )
    for mine, theirs in zip(found, written, strict=True):
        assert mine.seq == theirs.seq
        assert contents(mine) == contents(theirs), mine.id


def test_a_genome_without_annotation_has_the_division_of_its_kind(examples):
    file = examples / "lambda.fasta"
    result = as_result(interpret_genome(file))
    [record] = read(render_genbank(result, read_original(file.read_bytes(), file.name)), "genbank")
    assert record.annotations["data_file_division"] == "PHG"


def test_the_result_of_another_file_is_refused(phix_result, examples):
    original = read_original((examples / "lambda.fasta").read_bytes(), "lambda.fasta")
    with pytest.raises(InputError, match="is not the file that was interpreted"):
        render_embl(phix_result, original)


def test_formats_that_share_something_are_the_same_as_alone(phix_result, examples):
    file = examples / "phiX174.gbk"
    original = read_original(file.read_bytes(), file.name)
    calls = []

    def read_once():
        calls.append(file)
        return original

    shared = Rendering(phix_result, ("embl", "gbk", "tbl", "json"), read_once)
    for name in ("embl", "gbk", "tbl", "json"):
        assert shared.bytes_of(name) == render_bytes(phix_result, name, original)
    assert len(calls) == 1
