"""The audit of a file's annotation, as the command line writes it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from genint.cli.main import run


@pytest.fixture
def phix(examples) -> str:
    return str(examples / "phiX174.gbk")


def rows_of(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", strict=True))


def test_the_audit_is_a_table_with_a_line_for_every_gene_of_the_file(phix):
    assert run(["interpret", phix, "--format", "audit"]) == 0
    rows = rows_of("phiX174_report.audit.tsv")
    assert len(rows) == 11
    assert {row["verdict"] for row in rows} <= {
        "confirms",
        "refines",
        "contradicts",
        "cannot judge",
    }
    assert all(row["reason"] for row in rows)
    assert all(row["product"] for row in rows)


def test_gene_table_and_audit_do_not_take_one_another_s_place(phix):
    assert run(["interpret", phix, "--format", "tsv", "--format", "audit", "-o", "out"]) == 0
    assert {path.name for path in Path("out").iterdir()} == {
        "phiX174_report.tsv",
        "phiX174_report.audit.tsv",
    }
    verdicts = [row["audit"] for row in rows_of("out/phiX174_report.tsv") if row["type"] == "CDS"]
    assert verdicts == [row["verdict"] for row in rows_of("out/phiX174_report.audit.tsv")]


def test_a_stored_result_gives_the_same_audit(phix):
    assert run(["interpret", phix, "--format", "json", "--format", "audit", "-o", "out"]) == 0
    assert run(["report", "out/phiX174_report.json", "--format", "audit", "-o", "again.tsv"]) == 0
    assert Path("again.tsv").read_bytes() == Path("out/phiX174_report.audit.tsv").read_bytes()


def test_with_ignored_annotations_every_gene_of_the_file_is_in_the_audit(phix):
    formats = ["--format", "audit", "--format", "json"]
    assert run(["interpret", phix, "--ignore-annotations", *formats, "-o", "out"]) == 0
    rows = rows_of("out/phiX174_report.audit.tsv")
    assert len({row["gene_in_file"] for row in rows}) == 11
    missed = [row for row in rows if not row["gene"]]
    found = json.loads(Path("out/phiX174_report.json").read_text("utf-8"))
    # A* ends where A does, and only one of them is compared with the gene that was predicted.
    assert {row["gene_in_file"] for row in missed} > set(found["comparison"]["missed"])
    assert all(row["verdict"] == "cannot judge" and row["product"] for row in missed)
    genes = {gene["id"]: gene for gene in found["genes"]}
    for row in rows:
        if row["gene"]:
            evidence = genes[row["gene"]]["evidence"]
            assert all(item["source"] != "genbank" for item in evidence)


def test_a_genome_without_annotation_has_nothing_to_audit(examples):
    fasta = str(examples / "lambda.fasta")
    assert run(["interpret", fasta, "--format", "audit", "--format", "md", "-o", "out"]) == 0
    assert len(rows_of("out/lambda_report.audit.tsv")) == 0
    assert "Audit of the annotation" not in Path("out/lambda_report.md").read_text("utf-8")
