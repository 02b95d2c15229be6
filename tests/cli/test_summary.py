"""One table of many results: genomes, families and dark genes, for people and for programs."""

from __future__ import annotations

import csv
import gzip
import json
import os
from pathlib import Path

import pytest

from genint.cli.main import run
from genint.formats import read_genome
from genint.knowledge import load_confidence
from genint.report import build_result, render_json
from tests.builders.results import summarise

FILES = {
    "genint_summary.tsv",
    "genint_summary.html",
    "genint_families.Rtab",
    "genint_families.tsv",
    "genint_dark_genes.tsv",
    "genint_genomes_mqc.json",
    "genint_levels_mqc.json",
}


@pytest.fixture(scope="session")
def phix(examples) -> dict:
    """phiX174 by its annotation."""
    result = build_result(summarise(read_genome(examples / "phiX174.gbk")), load_confidence())
    return json.loads(render_json(result))


def family(accession: str, source: str, name: str) -> dict:
    return {
        "label": f"{accession} {name}", "source": source, "conf": 0.9, "type": "domain",
        "claim": name, "specificity": "domain", "strength": "pfam:strong", "database": None,
        "accession": accession, "evalue": 1e-9, "bits": 90.0, "threshold_bits": 20.0,
        "coverage": 0.9, "target_coverage": 0.9, "protein_start": 1, "protein_end": 9,
        "eco": None, "origin": accession,
    }  # fmt: skip


def stored(phix: dict, name: str, *, families=(), protein=None, **changed) -> Path:
    """A copy of the result, with families, another dark protein and other values."""
    copy = json.loads(json.dumps(phix))
    copy["input"] |= {"sha256": f"{abs(hash(name)):064x}"[-64:], "filename": f"{name}.gbk"}
    gene = next(gene for gene in copy["genes"] if not gene["is_dark"])
    gene["evidence"] += [family(*one) for one in families]
    dark = next(gene for gene in copy["genes"] if gene["is_dark"])
    if protein is not None:
        dark |= {"translation": protein}
    path = Path("results", f"{name}_report.json")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(copy | changed), "utf-8")
    return path


def rows(name: str) -> list[dict[str, str]]:
    with Path("results", name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


PFAM = ("PF02305", "pfam", "contains a capsid protein domain")
OWN = ("GF00000001", "genint_family", "major capsid protein")


@pytest.fixture
def three(phix) -> None:
    """Three genomes: a and b share a family, all share phiX174's dark gene."""
    stored(phix, "a", families=[PFAM, OWN])
    stored(phix, "b", families=[PFAM])
    stored(phix, "c")


def test_a_folder_of_results_gives_all_tables_beside_them(three, phix, capsys):
    Path("results/a_report.html").touch()
    Path("results/other.json").write_text("{}")
    assert run(["summary", "results"]) == 0
    assert {path.name for path in Path("results").iterdir()} >= FILES
    assert "Summarised 3 genomes. 33 genes on 16,158 bp" in capsys.readouterr().out
    table = rows("genint_summary.tsv")
    assert [row["genome"] for row in table] == ["a", "b", "c"]
    levels = ("high", "moderate", "low", "speculative", "dark")
    for row in table:
        assert {row["length_bp"], row["gc_percent"]} == {"5386", "44.8"}
        assert int(row["genes"]) == phix["summary"]["total_genes"]
        assert [int(row[one]) for one in levels] == [phix["summary"][one] for one in levels]
    page = Path("results/genint_summary.html").read_text("utf-8")
    assert '<a href="a_report.html">a</a>' in page
    assert page.count("<a href") == 1


def test_a_report_that_is_older_than_the_result_is_not_linked(phix):
    old = stored(phix, "a").with_name("a_report.html")
    old.touch()
    os.utime(old, (1, 1))
    assert run(["summary", "results"]) == 0
    assert "<a href" not in Path("results/genint_summary.html").read_text("utf-8")


def test_a_genome_has_one_name_in_all_files_whatever_characters_it_has(phix):
    stored(phix, "=1+1")
    stored(phix, "-x\ty")
    assert run(["summary", "results"]) == 0
    names = ["'-x y", "'=1+1"]
    matrix = Path("results/genint_families.Rtab").read_text("utf-8").splitlines()
    assert matrix[0].split("\t")[1:] == names
    assert [row["genome"] for row in rows("genint_summary.tsv")] == names
    for name in ("genomes", "levels"):
        shown = json.loads(Path("results", f"genint_{name}_mqc.json").read_text("utf-8"))
        assert list(shown["data"]) == names


def test_the_matrix_says_which_genome_has_which_family(three):
    assert run(["summary", "results"]) == 0
    matrix = Path("results/genint_families.Rtab").read_text("utf-8").splitlines()
    assert matrix == ["Gene\ta\tb\tc", "PF02305\t1\t1\t0", "GF00000001\t1\t0\t0"]
    assert [tuple(row.values()) for row in rows("genint_families.tsv")] == [
        ("PF02305", "Pfam", PFAM[2], "2", "2"),
        ("GF00000001", "genint family", OWN[2], "1", "1"),
    ]


def test_dark_genes_that_are_alike_are_one_cluster(phix):
    protein = "MSKLVWRETQPNAGHDYCFIMKLSTVEQRWPANDGHYKCLFITMVSER" * 3
    other = "MAEVNDWTRKGYHSPLCFQIMTAEWKRNDLVHGYSPQCIFTKMAREWL" * 2
    stored(phix, "a", protein=protein)
    stored(phix, "b", protein=protein[:-4].replace("W", "Y"))
    stored(phix, "c", protein=other)
    assert run(["summary", "results"]) == 0
    found = rows("genint_dark_genes.tsv")
    own = [row for row in found if row["length_aa"] in {"144", "140", "96"}]
    assert [(row["cluster"], row["genomes"], row["genome"], row["is_representative"])
            for row in own] == [
        ("dark_0001", "2", "a", "yes"), ("dark_0001", "2", "b", "no"),
        ("dark_0002", "1", "c", "yes"),
    ]  # fmt: skip
    assert float(own[1]["identity"]) == pytest.approx(134 / 140, abs=0.02)
    assert run(["summary", "results", "--identity", "0.99"]) == 0
    assert {row["genomes"] for row in rows("genint_dark_genes.tsv")} == {"1"}


def test_multiqc_gets_a_table_and_bars_of_the_same_genomes(three):
    assert run(["summary", "results"]) == 0
    table = json.loads(Path("results/genint_genomes_mqc.json").read_text("utf-8"))
    bars = json.loads(Path("results/genint_levels_mqc.json").read_text("utf-8"))
    assert (table["plot_type"], bars["plot_type"]) == ("table", "bargraph")
    assert list(table["data"]) == list(bars["data"]) == ["a", "b", "c"]
    for row in table["data"].values():
        assert row.keys() <= table["headers"].keys()
    assert table["data"]["a"]["dark"] == bars["data"]["a"]["dark"]


def test_a_bad_result_is_named_and_the_others_are_summarised(three, capsys):
    Path("results/d_report.json").write_text("{")
    assert run(["summary", "results"]) == 2
    printed = capsys.readouterr()
    assert "genint: d_report.json" in printed.err
    assert "Summarised 3 genomes, 1 could not be read." in printed.out


def test_results_that_cannot_be_compared_are_remarked_on(phix, capsys):
    stored(phix, "a")
    stored(phix, "b", genint_version="0.0.1")
    path = stored(phix, "c")
    Path("again_report.json.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert run(["summary", "results", "again_report.json.gz", "-o", "results"]) == 0
    said = capsys.readouterr().err
    assert "1 of 4 results were made with other versions" in said
    assert "genint 0.0.1" in said
    assert "The same file is there more than once: c, again." in said
    assert len(rows("genint_summary.tsv")) == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["empty"], "no result (NAME_report.json) is in this folder"),
        (["gone_report.json"], "none of the results could be read"),
        (["results", "-o", "results/a_report.json"], "is a file; give a folder"),
        (["results", "--identity", "0"], "--identity"),
        (["genint_levels_mqc.json"], "would be overwritten"),
    ],
)
def test_what_cannot_be_summarised_is_said_in_one_line(phix, arguments, said, capsys):
    Path("empty").mkdir()
    stored(phix, "a")
    assert run(["summary", *arguments]) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]


def test_text_of_a_result_is_never_a_formula_a_line_or_markup(phix):
    hostile = stored(phix, "x", families=[("=PF1", "pfam", "a\tb\nc <script>")])
    hostile.rename("results/=1+1<b>_report.json")
    assert run(["summary", "results"]) == 0
    (row,) = rows("genint_summary.tsv")
    assert row["genome"].startswith("'=")
    assert len(rows("genint_families.tsv")) == 1
    page = Path("results/genint_summary.html").read_text("utf-8")
    assert "<b>" not in page
    assert "=1+1&lt;b&gt;" in page


@pytest.mark.parametrize("topic", ["safety", "pathogenicity"])
def test_toxins_of_phages_and_of_bacteria_are_in_the_summary(phix, topic):
    found = {"topic": topic, "record": phix["records"][0]["id"], "subject": "toxins"}
    found |= {"value": "1 gene", "text": "A toxin.", "outcome": "found", "probability": None}
    found |= {"level": "NONE", "right": 0, "judged": 0, "start": None, "end": None, "genes": []}
    found |= {name: [] for name in ("missing", "reasoning", "searched", "uncertainties")}
    stored(phix, "a", overview=[found, found | {"subject": "resistance", "outcome": "not found"}])
    assert run(["summary", "results"]) == 0
    assert [row["safety"] for row in rows("genint_summary.tsv")] == ["toxins"]
