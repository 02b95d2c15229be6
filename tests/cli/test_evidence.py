"""``genint interpret --evidence``: results of other programs and peptides beside a genome."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from genint.cli.main import run
from genint.formats import read_genome

PEPTIDES = "peptide\tspectra\nWTLWDTLAFLLLLSLLLPSLLIMFIPSTFK\t3\nLPCVYAQETLTFLLTQK\t1\n"
"""Of protein E of phiX174."""


@pytest.fixture(scope="module")
def phix(examples) -> Path:
    return examples / "phiX174.gbk"


@pytest.fixture
def pharokka(phix) -> Path:
    """A table of genes as Pharokka writes it: one of the genome, one that is not there."""
    gene = read_genome(phix).genes[0]
    [contig] = read_genome(phix).contigs
    first, last = gene.span.one_based(len(contig))
    header = "gene\tstart\tstop\tstrand\tcontig\tmmseqs_phrog\tmmseqs_eVal\tphrog\tannot\n"
    rows = (
        f"P_1\t{first}\t{last}\t{gene.strand.symbol}\t{contig.id}\t97\t1e-30\t97\thoming thing X\n"
        f"P_2\t1\t7\t+\t{contig.id}\tNo_PHROG\tNo_PHROG\tNo_PHROG\tholin\n"
    )
    path = Path("pharokka_cds_final_merged_output.tsv")
    path.write_text(header + rows)
    return path


def test_evidence_names_its_program_and_what_is_no_gene_is_counted(phix, pharokka):
    options = ["--evidence", str(pharokka), "--format", "json", "-o", "r.json"]
    assert run(["interpret", str(phix), *options]) == 0
    result = json.loads(Path("r.json").read_text("utf-8"))
    found = (one for gene in result["genes"] for one in gene["evidence"])
    imported = [one for one in found if one["source"] == "pharokka"]
    assert [(one["accession"], one["database"]) for one in imported] == [("phrog_97", "Pharokka")]
    [warning] = [one for one in result["warnings"] if one["code"] == "evidence_not_matched"]
    assert warning["text"].startswith("1 of 2 genes of Pharokka")
    used = {one["name"]: one["version"] for one in result["databases"]}
    assert "2 genes, SHA-256" in used[f"Pharokka ({pharokka.name})"]


def test_peptides_rescue_a_nested_gene_and_are_its_experiment(phix):
    Path("peptides.tsv").write_text(PEPTIDES)
    options = ["--evidence", "peptides.tsv", "--format", "json", "--format", "gbk", "-o", "out"]
    assert run(["interpret", str(phix), "--ignore-annotations", *options]) == 0
    genes = json.loads(Path("out/phiX174_report.json").read_text("utf-8"))["genes"]
    [lysis] = [gene for gene in genes if gene["translation"].startswith("MVRWTLWDTLAF")]
    assert lysis["called_by"] == "genint_nested"
    assert [one["spectra"] for one in lysis["peptides"]] == [3, 1]
    assert any("Mass spectrometry: 2 peptides" in step for step in lysis["reasoning_chain"])
    record = Path("out/phiX174_report.gbk").read_text()
    assert '/experiment="EXISTENCE:mass spectrometry, 2 peptides"' in record


def test_a_run_over_several_files_is_done_again_with_other_evidence(phix, capsys):
    Path("peptides.tsv").write_text(PEPTIDES)
    Path("copy.gbk").write_bytes(phix.read_bytes())
    files = [str(phix), "copy.gbk", "--format", "tsv", "-o", "out", "--evidence", "peptides.tsv"]
    assert run(["interpret", *files]) == 0
    capsys.readouterr()
    assert run(["interpret", *files]) == 0
    assert "interpreted again" not in capsys.readouterr().err
    Path("peptides.tsv").write_text(PEPTIDES + "SAVGFLLR\t2\n")
    assert run(["interpret", *files]) == 0
    assert "other evidence than those of the reports" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("peptide\tspectra\nMK1R\t1\n", "given.tsv, line 2: 'MK1R' is no peptide"),
        ("some\tother\ttable\n", "given.tsv, line 1: starts with 'some'"),
    ],
)
def test_a_damaged_or_unknown_file_of_evidence_is_one_line_and_exit_2(phix, capsys, content, said):
    Path("given.tsv").write_text(content)
    assert run(["interpret", str(phix), "--evidence", "given.tsv"]) == 2
    message = capsys.readouterr().err
    assert said in message
    assert message.count("\n") == 1
    assert not Path("phiX174_report.md").exists()
