"""Tables, lists and diagrams of the bench say what was counted, and what failed."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from benchmarks.accuracy.diagram import write_diagram
from benchmarks.accuracy.figures import CogFigures
from benchmarks.accuracy.markdown import as_markdown
from benchmarks.accuracy.results import Contender, Result, pooled
from benchmarks.accuracy.tables import (
    COLUMNS,
    worst_first,
    write_figures,
    write_genes,
    write_wrong,
)
from benchmarks.accuracy.usage import Usage
from benchmarks.genes.figures import Figures
from genint.knowledge import Verdict
from genint.model import GenomeKind
from training.blind.truth import Claim, Place, Row, ToldGene, TrueGene

GENINT = Contender("genint", "offline", "novel")
LOCAL = Contender("genint", "local", "novel")
PROKKA = Contender("prokka")


def row(
    id_: str,
    name: str,
    verdict: Verdict | None,
    score: float | None = None,
    *,
    level: str = "",
    contender: Contender = GENINT,
) -> Row:
    gene = TrueGene(Place(0, 300, 1), id_, "portal protein", informative=True, residues="MKT")
    told = ToldGene(gene.place, name, level=level, score=score, types=2, evidence=("GF1 x",))
    return Row("T7", contender.label, gene, told, verdict)


def result(contender: Contender, *rows: Row, genome: str = "T7", kept: bool = False) -> Result:
    calls = Figures(10, 9, 8, 12, 9, 9)
    usage, cog = Usage(3.0, 2.25, 120.4), CogFigures(4, 3, 2)
    said = "fitted without t7" if contender.mode else ""
    return Result(contender, genome, GenomeKind.PHAGE, rows, calls, cog, usage, kept, said)


OWN = result(
    GENINT,
    row("g1", "portal protein", Verdict.SAME_WORDS, 0.9, level="HIGH"),
    row("g2", "head protein", Verdict.VAGUER, 0.6, level="MODERATE"),
    row("g3", "holin", Verdict.WRONG, 0.6, level="MODERATE"),
    row("g4", "endolysin", Verdict.OPPOSITE, 0.7, level="MODERATE"),
)
PEER = result(PROKKA, row("g1", "holin", Verdict.WRONG, contender=PROKKA), kept=True)


def test_the_table_has_every_figure_by_its_name(tmp_path: Path) -> None:
    write_figures([OWN, PEER], tmp_path / "table.tsv")
    with (tmp_path / "table.tsv").open() as stream:
        own, peer = csv.DictReader(stream, delimiter="\t")
    assert list(own) == list(COLUMNS)
    expected = {
        "genome": "T7",
        "mode": "offline",
        "regime": "novel",
        "parameters": "fitted without t7",
        "cds": "10",
        "called": "12",
        "gene_f1": "0.8182",
        "stop_recall": "0.9000",
        "stop_precision": "0.7500",
        "telling": "4",
        "strict": "1",
        "right": "1",
        "vaguer": "1",
        "wrong": "1",
        "opposite": "1",
        "coverage": "0.2500",
        "precision": "0.2500",
        "not_wrong": "0.5000",
        "ece": "0.5000",
        "high_share": "0.2500",
        "high_on_one_type": "0",
        "HIGH_right": "1",
        "MODERATE_judged": "3",
        "MODERATE_opposite": "1",
        "MODERATE_names_judged": "3",
        "LOW_precision": "",
        "cog_told": "3",
        "cpu_s": "2.25",
        "peak_mib": "120",
        "measured": "now",
    }
    assert {key: own[key] for key in expected} == expected
    assert (peer["ece"], peer["measured"], peer["mode"]) == ("", "earlier", "")


def test_every_column_whose_name_does_not_tell_is_explained() -> None:
    of_levels = re.compile(r"[A-Z]+_[a-z]+|precision_high")
    assert [name for name, said in COLUMNS.items() if not said and not of_levels.match(name)] == []


def test_the_surest_wrong_name_comes_first(tmp_path: Path) -> None:
    assert [one.gene.id for one in worst_first(OWN.rows)] == ["g4", "g3"]
    write_wrong([OWN, PEER], tmp_path / "wrong.tsv")
    lines = (tmp_path / "wrong.tsv").read_text().splitlines()
    assert lines[1] == (
        "genint offline, novel\tT7\tg4\tportal protein\tendolysin\topposite\twhole\t0.7000"
        "\tMODERATE\tGF1 x"
    )
    assert [line.split("\t")[0] for line in lines[2:]] == ["genint offline, novel", "prokka"]


def test_every_gene_is_listed_with_its_verdict(tmp_path: Path) -> None:
    unfound = Row("T7", GENINT.label, OWN.rows[0].gene, None, None)
    unnamed = Row("T7", GENINT.label, OWN.rows[0].gene, ToldGene(Place(0, 300, 1), ""), None)
    write_genes([result(GENINT, OWN.rows[1], unfound, unnamed)], tmp_path / "genes.tsv")
    with (tmp_path / "genes.tsv").open() as stream:
        verdicts = [line["verdict"] for line in csv.DictReader(stream, delimiter="\t")]
    assert verdicts == ["vaguer", "not_found", "unnamed"]


def test_tables_for_people_have_a_row_per_genome_and_a_column_per_contender() -> None:
    other = result(GENINT, *OWN.rows, genome="L5")
    results = [OWN, PEER, other]
    text = as_markdown(results, pooled(results), [GENINT, LOCAL, PROKKA])
    lines = text.splitlines()
    assert "| genome | genint offline, novel | genint local, novel | prokka |" in lines
    assert "| T7 | 0.25, 0.25 (0.05-0.70) | failed | 0.00, 0.00 (0.00-0.79) |" in lines
    assert "| L5 | 0.25, 0.25 (0.05-0.70) | failed | failed |" in lines
    assert "| T7 | 1/1, 1, 1, 1 | failed | 0/0, 0, 1, 0 |" in lines
    assert "| T7 | 2.2, 120 | failed | 2.2, 120* |" in lines
    assert "| T7 | genint offline, novel | 3 of 4 | 2 of 3: 0.67 (0.21-0.94) |" in lines
    assert "| genint offline, novel | fitted without t7 |" in lines
    levels, _ = (line for line in lines if line.startswith("| genint offline, novel | all |"))
    assert "| 2 of 2: 1.00 (0.34-1.00) | 0 of 6: 0.00 (0.00-0.39) | - | - |" in levels
    assert levels.endswith("| 0.25 | 0 | 0.500 | 0.250 |")


@pytest.mark.parametrize("claim", [Claim.CLASS, Claim.DOMAIN])
def test_what_claims_less_is_no_wrong_name_where_the_record_says_more(claim: Claim) -> None:
    one = OWN.rows[1]
    assert one.told is not None
    assert worst_first([one._replace(told=one.told._replace(claim=claim))]) == []


def test_the_diagram_shows_bins_with_their_counts(tmp_path: Path) -> None:
    pool = pooled([OWN])
    write_diagram(pool, "a title", tmp_path / "one.svg")
    write_diagram(pool, "a title", tmp_path / "two.svg")
    text = (tmp_path / "one.svg").read_text()
    assert text == (tmp_path / "two.svg").read_text()
    written = re.findall(r"<text[^>]*>([^<]+)</text>", text)
    # 0.9 and twice 0.6, but 0.7 is in a bin of its own.
    assert {"a title", "share that was right", "claims", "score", "2", "1"} <= set(written)
    assert "all: calibration error 0.500" in written
