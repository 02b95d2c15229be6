"""Counting what genes of prophages look like, and judging it on genomes that were left out."""

from __future__ import annotations

import re

import pytest

from genint.knowledge import load_prophages, parse_prophages
from genint.knowledge.prophages import GeneLook, Judged, Recognised, Task
from genint.overview.prophage_scan import Run
from training.overview.prophage_fit import fit, text_of
from training.overview.prophage_judgement import RegionKind, judge, judged_regions
from training.overview.prophage_material import Stretch, read_table, table_of
from training.overview.prophages import FIGURES


def test_the_figures_reach_what_is_asked_and_are_those_of_the_model():
    """Recall and precision over all genomes, alone and with their species left out."""
    text = FIGURES.read_text(encoding="utf-8")
    rows = re.findall(r"^\| all \| \d+ \| ([\d.]+) \| ([\d.]+) \| (\d+) \| (\d+) \|$", text, re.M)
    assert len(rows) == 2
    assert all(float(recall) >= 0.85 and float(precision) >= 0.80 for recall, precision, *_ in rows)
    shipped = load_prophages()
    right = shipped.complete.right + shipped.partial.right
    judged = shipped.complete.judged + shipped.partial.judged
    small = re.findall(r"of filamentous phages: (\d+) of (\d+)\.", text)[1]
    assert (right + int(small[0]), judged + int(small[1])) == (
        int(rows[1][2]),
        int(rows[1][2]) + int(rows[1][3]),
    )


def test_a_table_of_genes_reads_back_as_it_was_written():
    stretches = (made("a", True)._replace(filamentous=(Run(3, 12), Run(90, 99))), made("b", False))
    assert read_table(table_of(stretches)) == stretches


def made(genome, marked):
    house = GeneLook(Task.OTHER, Recognised.BACTERIAL_FAMILY, 250, turns=False, apart=True)
    phage = GeneLook(Task.VIRION, Recognised.PHAGE_FAMILY, 150, turns=False, apart=False)
    looks = (*[house] * 60, *[phage] * 20, *[house] * 60)
    return Stretch(genome, genome, "r", 2, looks, tuple(one is phage and marked for one in looks))


def test_marked_genes_that_were_not_predicted_count_as_missed():
    results = judge([made("a", True), made("b", True)], by_group=False)
    assert [(one.marked, one.found, one.inside) for one in results] == [(22, 20, 20)] * 2
    assert judged_regions(results) == (Judged(0, 0), Judged(2, 2))


def test_prophages_of_filamentous_phages_are_judged_apart_and_not_fitted():
    one = made("a", True)._replace(filamentous=(Run(2, 9), Run(65, 70)))
    found = judge([one, made("b", True)], by_group=False)[0]
    assert (False, RegionKind.FILAMENTOUS) in found.regions
    assert len(found.regions) == 2  # the second run lies in the region of the scan
    assert judged_regions([found]) == (Judged(0, 0), Judged(1, 1))


def test_without_genes_of_prophages_nothing_is_fitted():
    with pytest.raises(ValueError, match="both"):
        fit([made("a", False)])


def test_a_model_reads_back_from_its_text():
    model = fit([made("a", True)])
    read = parse_prophages(text_of(model, (Judged(3, 4), Judged(1, 2))))
    assert (read.looks, read.lengths, read.complete) == (model.looks, model.lengths, Judged(3, 4))
    assert read.complete.probability == pytest.approx(4 / 6)
