"""Verdicts by reading stand before the judge of names."""

from __future__ import annotations

import csv

import pytest

from genint.knowledge import Setting, load_products
from genint.model import GenomeKind, Hypothesis, Interval, Location, Specificity, Strand
from genint.model.genome import CalledBy, Contig, FileFormat, Gene, Genome, GenomeSource
from training.confidence.examples import Judged, judged, judged_by_words
from training.confidence.measuring import Told, as_by_words, by_level
from training.confidence.observations import Observed
from training.confidence.panel import PanelGenome, Truth
from training.confidence.reading_list import COLUMNS as LIST_COLUMNS
from training.confidence.reading_list import LEAST, SAMPLE, write_reading_list, write_sample
from training.confidence.readings import (
    COLUMNS,
    PATH,
    Reading,
    is_part,
    read_readings,
    reading_of,
)

LINES = PATH.read_text(encoding="utf-8").splitlines()
ROWS = list(csv.DictReader(LINES, delimiter="\t", quoting=csv.QUOTE_NONE))
NAMES = [row for row in ROWS if not is_part(row["claim"])]
MEANS = {
    Reading.RIGHT: Judged(true=True, full=True),
    Reading.WIDER: Judged(true=True, full=False),
    Reading.WRONG: Judged(true=False, full=False),
    Reading.NOTHING: None,
}
GENE = "g1"


def told(record, claim, probability=0.9, by_words=None):
    best = Hypothesis(claim, claim, Specificity.PROTEIN, 0.7, (), (), frozenset())
    setting = Setting("offline", GenomeKind.PHAGE)
    return Told("made up", "group", setting, GENE, record, best, by_words, probability, by_words)


def observed(record):
    place = Location.simple(Interval(0, 30), Strand.FORWARD)
    gene = Gene(GENE, "made up", place, "MKLVWASTR", 11, CalledBy.GENBANK)
    contig = Contig(id="made up", bases="N" * 40, genes=(gene,))
    source = GenomeSource(filename="made up", sha256="", format=FileFormat.FASTA)
    truth = {GENE: Truth(record, telling=True, others=("another name",))}
    genome = Genome((contig,), source)
    panel = PanelGenome("made up", GenomeKind.PHAGE, (), genome, truth, {})
    return Observed(panel, "group", {})


def test_the_table_is_complete_sorted_and_gives_each_pair_one_verdict():
    assert list(ROWS[0]) == list(COLUMNS)
    assert all(row["record"] and row["claim"] and row["verdict"] for row in ROWS)
    assert len(read_readings()) == len(ROWS)
    pairs = [(row["record"], row["claim"]) for row in ROWS]
    assert pairs == sorted(pairs)


def test_every_pair_that_was_read_is_judged_as_it_was_read():
    products = load_products()
    for row in NAMES:
        truth = Truth(row["record"], telling=True)
        assert judged(truth, row["claim"], products) == MEANS[Reading(row["verdict"])], row


def test_readings_say_more_than_the_judge_says_by_words():
    products = load_products()
    differ = [
        row
        for row in NAMES
        if judged_by_words(Truth(row["record"], telling=True), row["claim"], products)
        != MEANS[Reading(row["verdict"])]
    ]
    assert len(differ) > len(NAMES) / 4


def test_pairs_are_found_whatever_their_case_and_spaces():
    row = ROWS[0]
    assert reading_of(f" {row['record'].upper()} ", row["claim"].lower()) == row["verdict"]
    assert reading_of(row["record"], row["claim"] + " of nobody") is None


def test_two_verdicts_on_one_pair_and_unknown_verdicts_are_refused(tmp_path):
    table = tmp_path / "readings.tsv"
    head = "\t".join(COLUMNS)
    table.write_text(f"{head}\nholin\tlysin\twrong\t\nHolin\tlysin\tright\t\n", encoding="utf-8")
    with pytest.raises(ValueError, match="two verdicts on holin and lysin"):
        read_readings(table)
    table.write_text(f"{head}\nholin\tlysin\tperhaps\t\n", encoding="utf-8")
    with pytest.raises(ValueError, match="perhaps"):
        read_readings(table)


def test_figures_by_words_leave_the_readings_out():
    one = told("a", "b", by_words=Judged(true=False, full=False))
    one = one._replace(judged=Judged(true=True, full=True))
    [by_reading] = by_level([one]).values()
    [by_words] = by_level(list(as_by_words([one]))).values()
    assert (by_reading.true, by_words.true) == (1, 0)


def test_the_reading_list_has_unread_claims_that_may_be_moderate_disagreements_first(tmp_path):
    read = ROWS[0]
    agrees, disagrees = Judged(true=True, full=True), Judged(true=False, full=False)
    some = [
        told("holin", "holin", by_words=agrees),
        told("holin", "lysin of nobody", by_words=disagrees),
        told("holin", "lysin of nobody", probability=0.95, by_words=disagrees),
        told("holin", "too weak a name", probability=LEAST - 0.01, by_words=disagrees),
        told(read["record"], read["claim"], by_words=disagrees),
    ]
    table = tmp_path / "to_read.tsv"
    write_reading_list(some, [observed("holin")], table)
    head, *lines = table.read_text(encoding="utf-8").splitlines()
    assert tuple(head.split("\t")) == LIST_COLUMNS
    first, second = (dict(zip(LIST_COLUMNS, line.split("\t"), strict=True)) for line in lines)
    assert (first["judge"], first["claim"], first["aa"]) == ("disagrees", "lysin of nobody", "9")
    assert first["genes"].startswith("2 ")
    assert first["best"].startswith("0.95")
    assert first["other_names"] == "another name"
    assert (second["judge"], second["claim"]) == ("agrees", "holin")


def test_the_sample_has_thirty_claims_of_each_genome_and_level_at_most(
    tmp_path,
):
    right = Judged(true=True, full=True)
    some = [told("holin", "holin", by_words=right)._replace(gene=f"g{at}") for at in range(40)]
    dark = told("holin", "holin")._replace(best=None)
    table = tmp_path / "sample.tsv"
    write_sample([*some, dark], table)
    _, *lines = table.read_text(encoding="utf-8").splitlines()
    genes = [line.split("\t")[2] for line in lines]
    assert len(set(genes)) == SAMPLE
    assert genes != sorted(genes)
    assert {line.split("\t")[1] for line in lines} == {"MODERATE"}
    write_sample([dark, *reversed(some)], table)
    assert table.read_text(encoding="utf-8").splitlines()[1:] == lines


def test_parts_are_judged_by_their_words_alone():
    products = load_products()
    read = next(row for row in ROWS if is_part(row["claim"]) and row["verdict"] == "wider")
    truth = Truth(read["record"], telling=True)
    assert judged(truth, read["claim"], products) == judged_by_words(truth, read["claim"], products)
    parts = [row for row in ROWS if is_part(row["claim"])]
    assert sum(row["verdict"] != "wrong" for row in parts) > 0.95 * len(parts)


def test_an_enzyme_number_beside_a_claim_is_a_word_of_it():
    truth = Truth("Homoserine acetyltransferase (EC 2.3.1.31)", telling=True)
    claim, names = "serine trafficking enzyme", load_products()
    assert judged(truth, claim, names) == Judged(true=False, full=False)
    assert judged(truth, claim, names, ("2.3.1.31",)) == Judged(true=True, full=True)
    assert judged(truth, claim, names, ("2.3.1.-",)) == Judged(true=False, full=False)
