"""Fit of lifestyles, its bands, and the tables that ship."""

from __future__ import annotations

import pytest

from genint.knowledge.lifestyles import (
    LifestyleMarks,
    LifestyleModel,
    load_lifestyles,
    parse_lifestyles,
)
from genint.knowledge.relatives import load_relatives
from training.overview.lifestyles import (
    CONTRADICTION_FROM,
    Example,
    bands_of,
    fit,
    left_out,
    small_families,
    text_of,
)
from training.overview.material import Known, plain_name, read_known

STAYS = LifestyleMarks(1.0, 0.3, 0.3, 0.0, 0.0, 0.0)
KILLS = LifestyleMarks(0.0, 0.0, 0.0, 1.0, 0.75, 0.6)


def example(number, lifestyle, marks):
    known = Known(f"R{number}", f"phage {number}", "", lifestyle, f"group {number % 5}", "", "", "")
    return Example(known, marks)


EXAMPLES = [
    example(at, "temperate" if at % 2 else "virulent", STAYS if at % 2 else KILLS)
    for at in range(40)
]


def made_model(examples):
    bands = bands_of(tuple(left_out(examples)))
    return LifestyleModel("1", *fit(examples), CONTRADICTION_FROM, bands, small_families())


def test_phages_of_clear_marks_are_told_without_their_group():
    told = tuple(left_out(EXAMPLES))
    assert len(told) == len(EXAMPLES)
    assert all(
        (one.temperate > 0.5) == (one.example.known.lifestyle == "temperate") for one in told
    )


def test_bands_count_what_was_told_and_right_once():
    bands = made_model(EXAMPLES).bands
    assert sum(band.judged for band in bands) == len(EXAMPLES)
    assert all(band.right == band.judged for band in bands)


def test_one_lifestyle_alone_cannot_be_fitted():
    with pytest.raises(ValueError, match="both"):
        fit([one for one in EXAMPLES if one.known.lifestyle == "virulent"])


def test_the_model_is_read_back_as_it_was_written():
    model = made_model(EXAMPLES)
    assert parse_lifestyles(text_of(model)) == model


def test_repressors_without_a_way_to_stay_are_a_contradiction_whatever_the_sum_says():
    model = load_lifestyles()
    assert model.band_of(KILLS._replace(controls=1.0)) is None
    assert model.band_of(KILLS).lifestyle == "virulent"


@pytest.mark.parametrize(
    ("organism", "name"),
    [
        ("Siphoviridae Mycobacterium phage Adjutor", "Mycobacterium phage Adjutor"),
        ("T4-like viruses Enterobacteria phage RB49", "Enterobacteria phage RB49"),
        ("Viruses Salmonella phage Fels-1 Viruses.", "Salmonella phage Fels-1"),
    ],
)
def test_words_of_the_classification_are_no_part_of_a_name(organism, name):
    assert plain_name(organism) == name


def test_every_known_lifestyle_has_a_group_and_a_source():
    known = read_known().values()
    assert {one.lifestyle for one in known} == {"", "temperate", "virulent", "chronic"}
    assert all(bool(one.lifestyle) == bool(one.source) == bool(one.group) for one in known)
    assert all(bool(one.ends) == bool(one.ends_source) for one in known)


def test_the_table_that_ships_is_of_the_phages_that_are_known():
    known, shipped = read_known(), load_relatives().phages
    assert len(shipped) > len(known) / 2
    for one in shipped:
        of = known[one.record]
        assert (one.name, one.host, one.lifestyle, one.group, one.ends) == (
            of.name,
            of.host,
            of.lifestyle,
            of.group,
            of.ends,
        )
