"""The genomes of the bench: those of the confidence model, and those that only judge."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from benchmarks.accuracy.__main__ import parse, wanted_of
from benchmarks.accuracy.genomes import JUDGES, listed_genomes
from genint.formats import read_genome_bytes
from genint.knowledge import load_products
from genint.model import GenomeKind
from training.blind.truth import true_genes
from training.confidence.panel import read_panel

SAME_AS_S_PYOGENES = "prophages/Streptococcus_pyogenes_M1_GAS.gb.gz"
RECORD = b"""LOCUS       TEST                     60 bp    DNA     linear BCT 01-JAN-2020
FEATURES             Location/Qualifiers
     CDS             1..30
                     /product="portal protein"
                     /is_phage="1"
     CDS             complement(31..60)
                     /product="holin"
ORIGIN
        1 atgatgatga tgatgatgat gatgatgtaa ttaatgatga tgatgatgat gatgatgcat
//
"""


def accession(path: Path) -> str:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return next(line.split()[1] for line in stream if line.startswith("ACCESSION"))


def test_every_annotated_bacterium_with_prophages_judges_once(shared_data: Path) -> None:
    files = [one.file for one in listed_genomes().values()]
    folder = shared_data / "genomes"
    found = {f"prophages/{path.name}" for path in (folder / "prophages").glob("*.gb.gz")}
    assert found - set(files) == {SAME_AS_S_PYOGENES}
    assert len(set(files)) == len(files)
    same = (listed_genomes()["S_pyogenes"].file, SAME_AS_S_PYOGENES)
    assert len({accession(folder / file) for file in same}) == 1


def test_judges_are_scored_with_parameters_that_know_no_relative_of_theirs() -> None:
    listed = listed_genomes()
    judging = {one.group: one.left_out for one in listed.values() if one.only_judges}
    assert judging == {
        "Brucella": None,
        "Neisseria": None,
        "Paracoccus": None,
        "Shigella": "Escherichia",
        "Streptococcus pyogenes": "Streptococcus",
    }
    assert {left_out for left_out in judging.values() if left_out} <= {
        one.group for one in listed.values() if not one.only_judges
    }


def test_the_usual_run_has_the_judges_and_a_quick_one_has_not() -> None:
    judging = {name for name, one in listed_genomes().items() if one.only_judges}
    assert len(judging) == 6
    assert judging <= set(wanted_of(parse([])).genomes)
    assert judging.isdisjoint(wanted_of(parse(["--quick"])).genomes)


def test_genes_of_prophages_are_those_that_the_record_marks() -> None:
    genome = read_genome_bytes(RECORD, "test.gb")
    truth = {gene.product: gene.in_prophage for gene in true_genes(genome, load_products())}
    assert truth == {"portal protein": True, "holin": False}


def test_judges_are_read_as_groups_of_the_panel(shared_data: Path, tmp_path: Path) -> None:
    groups = JUDGES.read_text(encoding="utf-8")
    small = re.sub(r'"prophages/\S+"', '"phiX174_NC_001422.gb"', groups[: groups.rindex("[[")])
    table = tmp_path / "judges.toml"
    table.write_text(small, encoding="utf-8")
    read = read_panel(shared_data, load_products(), table)
    assert [group.slug for group in read] == ["brucella", "neisseria", "paracoccus", "shigella"]
    assert {genome.kind for group in read for genome in group.genomes} == {GenomeKind.BACTERIUM}
