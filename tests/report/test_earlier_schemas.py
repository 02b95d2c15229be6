"""Results of earlier genint versions render; what they do not hold is left out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from genint.errors import InputError
from genint.formats import read_original
from genint.report import (
    FORMATS,
    GenintResult,
    parse_result,
    render,
    render_bytes,
    render_json,
    summary_of,
)
from genint.report.summary.content import summarise_result
from tests.builders.hostile_results import with_everything

NEW = ("features", "context", "audit", "call", "start_choice")
"""Keys of a gene that are there since 1.4."""
EARLIER = ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8")
NEED_SEQUENCES = ("ffn", "fna", "gff3-fasta")
"""Formats for results since 1.9, which hold sequences."""
FOUND = "rejected alternative_starts alternative_products crispr_arrays searches".split()
FOUND_OF_RNA = "anticodon method score score_unit accession note insdc_class".split()
"""Keys that are there since 1.5."""


def as_of(result: GenintResult, version: str) -> GenintResult:
    """The result as a version before 1.9 would have written it."""
    value = json.loads(render_json(result)) | {"schema_version": version}
    for record in value["records"]:
        del record["sequence"]
    if version == "1.8":
        return parse_result(json.dumps(value).encode())
    _take_statements(value)
    if version == "1.7":
        return parse_result(json.dumps(value).encode())
    _take_basis(value)
    if version == "1.6":
        return parse_result(json.dumps(value).encode())
    _take_online(value)
    if version == "1.5":
        return parse_result(json.dumps(value).encode())
    _take_found(value)
    if version == "1.4":
        return parse_result(json.dumps(value).encode())
    _take_new(value)
    return parse_result(json.dumps(value).encode())


def _take_statements(value: dict[str, Any]) -> None:
    for gene in value["genes"]:
        del gene["statement"]


def _take_new(value: dict[str, Any]) -> None:
    for name in ("levels", "genome_kind"):
        del value["parameters"][name]
    for gene in value["genes"]:
        for name in NEW:
            gene.pop(name, None)
        for hypothesis in gene["hypotheses"]:
            for term in hypothesis["terms"]:
                del term["evidence"]


def _take_basis(value: dict[str, Any]) -> None:
    for name in ("supported_genes", "file_only_genes"):
        del value["summary"][name]
    for gene in value["genes"]:
        del gene["basis"], gene["summary"]
        if gene["novelty"]:
            del gene["novelty"]["next_steps"]


def _take_online(value: dict[str, Any]) -> None:
    value["parameters"]["mode"] = "local"
    for name in ("online_services", "online_timeout_s"):
        del value["parameters"][name]
    for told in (value, *value["genes"]):
        del told["online"]


def _take_found(value: dict[str, Any]) -> None:
    for name in FOUND:
        del value[name]
    for record in value["records"]:
        del record["terminal_repeat_bp"]
    value["rna_genes"] = [rna for rna in value["rna_genes"] if rna["method"] is None]
    for rna in value["rna_genes"]:
        for name in FOUND_OF_RNA:
            del rna[name]
    for gene in value["genes"]:
        del gene["rescue"]


@pytest.fixture(scope="module")
def original(examples):
    path = examples / "phiX174.gbk"
    return read_original(path.read_bytes(), path.name)


@pytest.mark.parametrize("version", EARLIER)
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_renders_a_result_of_an_earlier_version(phix_result, original, name, version):
    old = as_of(phix_result, version)
    assert all(record.sequence is None for record in old.records)
    assert version == "1.8" or all(gene.statement is None for gene in old.genes)
    assert version in ("1.6", "1.7", "1.8") or not any(gene.online for gene in old.genes)
    if version not in ("1.5", "1.6", "1.7", "1.8"):
        assert all(gene.rescue is None for gene in old.genes)
    if version not in ("1.4", "1.5", "1.6", "1.7", "1.8"):
        assert all(not gene.features and gene.context is None for gene in old.genes)
    if name in NEED_SEQUENCES:
        with pytest.raises(InputError, match="interpret the genome again"):
            render_bytes(old, name, original)
    else:
        assert render_bytes(old, name, original).strip()


@pytest.mark.parametrize("name", ["md", "html"])
def test_before_1_7_the_headline_does_not_tell_support_from_the_name_in_the_file(phix_result, name):
    assert "11 genes: 10 interpreted, 1 dark" in render(as_of(phix_result, "1.6"), name)
    assert "supported by evidence, " in render(phix_result, name)


def test_a_gene_of_an_old_result_has_its_sentence_all_the_same(phix_result):
    old = as_of(phix_result, "1.6")
    assert all(summary_of(gene).endswith(".") for gene in old.genes)


@pytest.mark.parametrize("name", ["md", "tsv", "gff3"])
def test_what_an_old_result_does_not_hold_is_not_there(phix_result, name):
    full = with_everything(phix_result)
    for told in ("transmembrane", "tail by the neighbours" if name == "md" else "gpF upstream"):
        assert told in render(full, name)
        assert told not in render(as_of(full, "1.3"), name)
    for told in ("GTTTTAGAGCTATGC", "aragorn"):
        assert told in render(full, name)
        assert told not in render(as_of(full, "1.4"), name)
    for told in ("P03631", "IPR008766"):
        assert told in render(full, name)
        assert told not in render(as_of(full, "1.5"), name)


@pytest.mark.parametrize("version", EARLIER)
def test_a_summary_of_many_takes_results_of_earlier_versions(phix_result, version):
    before = as_of(phix_result, version)
    now, old = (summarise_result(one, "x") for one in (phix_result, before))
    assert old.genome.counts.total_genes == now.genome.counts.total_genes
    assert (now.genome.gc_percent is None, old.genome.gc_percent is None) == (False, True)
    assert len(old.dark) == len(now.dark) == before.summary.dark
