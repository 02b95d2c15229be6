"""``genint interpret --markers``: a user's file of marker proteins beside a genome."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from genint.cli.main import run
from genint.formats import read_genome


@pytest.fixture(scope="module")
def phix(examples) -> Path:
    return examples / "phiX174.gbk"


@pytest.fixture
def vfdb(phix) -> Path:
    """A protein of the genome as if VFDB called it a toxin."""
    gene = next(gene for gene in read_genome(phix).genes if gene.product == "major coat protein")
    path = Path("VFDB_setB_pro.fas")
    path.write_text(
        ">VFG000001(gb|WP_1) (toxX) imagined toxin [Tox (VF0001) - Exotoxin (VFC0235)] "
        f"[Escherichia coli]\n{gene.protein}\n"
    )
    return path


def test_a_marker_is_said_of_the_genome_and_changes_no_name(phix, vfdb):
    options = ["--format", "json", "-o"]
    assert run(["interpret", str(phix), *options, "plain.json"]) == 0
    assert run(["interpret", str(phix), "--markers", str(vfdb), *options, "r.json"]) == 0
    plain, result = (json.loads(Path(name).read_text("utf-8")) for name in ("plain.json", "r.json"))
    assert result["genes"] == plain["genes"]
    panel = {one["subject"]: one for one in result["overview"] if one["topic"] == "safety"}
    toxins = panel["toxins"]
    assert toxins["outcome"] == "found"
    [gene] = toxins["genes"]
    [marked] = [one for one in result["genes"] if one["id"] == gene["gene"]]
    assert marked["product"] == "major coat protein"
    assert "VFG000001 toxX, Exotoxin: 100% identical" in gene["reason"]
    [name] = [one for one in toxins["searched"] if one.startswith(vfdb.name)]
    assert "1 protein, SHA-256" in name
    assert any(
        "genint db install amr" in x for x in panel["antimicrobial resistance"]["uncertainties"]
    )


def test_what_is_no_file_of_proteins_is_one_line_and_exit_2(phix, capsys):
    Path("given.faa").write_text("some other text\n")
    assert run(["interpret", str(phix), "--markers", "given.faa"]) == 2
    message = capsys.readouterr().err
    assert "given.faa" in message
    assert message.count("\n") == 1
