"""The fit of the models of left-out genes."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from genint.knowledge import FrameModel, load_rescue, logit, parse_rescue
from genint.model import RescueKind
from training.confidence.panel import PANEL as NAMES_PANEL
from training.genes.examples import read_decoys, read_frames
from training.genes.fitting import Table, first_of_each, fit, log_odds, offset
from training.genes.homology import Counted
from training.genes.measuring import Measured, measure
from training.genes.models import Models, fit_models
from training.genes.panel import read_panel
from training.genes.writing import PATTERNS, text_of


def table(seed: int, rows: int) -> Table:
    """Genes are likelier the larger the first column is; the second says nothing."""
    rng = np.random.default_rng(seed)
    telling, mute = rng.normal(size=rows), rng.normal(size=rows)
    is_gene = rng.random(rows) < 1 / (1 + np.exp(-(2.0 * telling - 2.0)))
    columns = {"telling": telling, "mute": mute}
    return Table(columns, np.arange(rows), is_gene, np.ones(rows))


def test_a_fit_finds_what_tells_genes_and_what_does_not() -> None:
    model = fit(table(1, 4000), ("telling", "mute"), ridge=1.0, threshold=0.5)
    assert model.columns["telling"].weight == pytest.approx(2.0, abs=0.2)
    assert model.columns["mute"].weight == pytest.approx(0.0, abs=0.15)


def test_probabilities_sum_to_the_genes_that_there_are() -> None:
    known = table(2, 3000)
    model = fit(known, ("telling",), ridge=1.0, threshold=0.5)
    told = 1 / (1 + np.exp(-log_odds(model, known.columns, len(known))))
    assert told.sum() == pytest.approx(known.is_gene.sum(), rel=0.01)


def test_decoys_change_what_tells_but_not_how_many_frames_are_genes() -> None:
    known = table(3, 2000)
    decoys = Table(
        {"telling": np.full(2000, 2.0), "mute": np.full(2000, 3.0)},
        np.arange(2000, 4000),
        np.zeros(2000, dtype=np.bool_),
        np.full(2000, 0.3),
    )
    both = Table(
        {
            name: np.concatenate([known.columns[name], decoys.columns[name]])
            for name in known.columns
        },
        np.concatenate([known.stop, decoys.stop]),
        np.concatenate([known.is_gene, decoys.is_gene]),
        np.concatenate([known.weight, decoys.weight]),
    )
    model = fit(both, ("telling", "mute"), ridge=1.0, threshold=0.5)
    assert model.columns["mute"].weight < -0.3
    told = 1 / (1 + np.exp(-log_odds(model, known.columns, len(known))))
    assert told.sum() == pytest.approx(known.is_gene.sum(), rel=0.01)


def test_each_stop_codon_is_known_by_its_best_start() -> None:
    rows = Table(
        {"telling": np.array([1.0, 3.0, 2.0])},
        np.array([7, 7, 9]),
        np.array([True, True, False]),
        np.ones(3),
    )
    assert first_of_each(rows, rows.columns["telling"]).tolist() == [1, 2]


def test_an_offset_makes_the_expected_number_right() -> None:
    odds = np.full(100, logit(0.5))
    is_gene = np.arange(100) < 10
    assert offset(odds, is_gene) == pytest.approx(logit(0.1), abs=1e-3)


def test_written_parameters_are_read_back() -> None:
    shipped = load_rescue()
    models = Models(
        shipped.nested, shipped.outside, shipped.filtered, shipped.internal, shipped.in_bacteria
    )
    text = text_of(
        models,
        shipped.homology,
        version=shipped.version,
        basis=shipped.basis,
        measured=shipped.measured,
    )
    assert parse_rescue(text) == shipped
    assert set(shipped.patterns) == set(PATTERNS)


def test_what_homology_adds_is_the_ratio_of_shares() -> None:
    counted = Counted(Counter(family=9, none=9), Counter(none=99))
    adds = counted.log_odds
    assert adds["family"] > 3
    assert adds["none"] < 0
    assert set(adds) == set(load_rescue().homology)


def test_groups_of_the_panel_share_no_genome() -> None:
    groups = read_panel()
    files = [file for group in groups for file in group.genomes.values()]
    assert len(files) == len(set(files))
    assert sum(group.reported for group in groups) >= 9


def right_and_wrong(measured: Measured) -> tuple[int, int]:
    taken = [one for one in measured.rescued if one.accepted]
    return sum(one.is_gene for one in taken), sum(not one.is_gene for one in taken)


def test_models_that_never_saw_a_microvirus_recover_the_genes_of_phix174(
    shared_data: Path,
) -> None:
    groups = [group for group in read_panel() if not group.bacterium]
    frames = read_frames(groups, shared_data / "genomes")
    decoys = read_decoys(groups, shared_data / "genomes")
    others = [one for one in (*frames, *decoys) if one.group.name != "phiX174"]
    models = fit_models(others, ())
    text = text_of(models, load_rescue().homology, version="0", basis="a test")
    parameters = parse_rescue(text)
    (phix,) = (one for one in frames if one.genome == "phiX174")
    measured = measure(phix, parameters)
    assert (measured.genes, measured.called) == (10, 7)
    assert right_and_wrong(measured) == (3, 0)
    kinds = Counter(one.kind for one in measured.rescued if one.accepted)
    assert kinds == {RescueKind.NESTED: 2, RescueKind.OVERLAPPING: 1}
    of_decoys = [measure(one, parameters) for one in decoys if one.genome == "phiX174"]
    assert sum(right_and_wrong(one)[1] for one in of_decoys) == 0


def test_a_model_without_columns_has_its_prior_for_every_frame() -> None:
    model = FrameModel(0.5, 0.5, {})
    assert log_odds(model, {}, 3).tolist() == [0.5] * 3


def test_the_build_for_frames_of_a_genome_is_the_one_that_hides_it() -> None:
    groups = tomllib.loads(NAMES_PANEL.read_text(encoding="utf-8"))["group"]
    folds = {file: group["fold"] for group in groups for file in group["genomes"].values()}
    searched = [group for group in read_panel() if group.fold is not None]
    assert len(searched) > 5
    for group in searched:
        assert {folds[file] for file in group.genomes.values()} == {group.fold}
        assert group.blind_build(Path("builds")) == Path(f"builds/fold_{group.fold}")
