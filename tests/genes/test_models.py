"""Models lent to recoded genomes."""

from __future__ import annotations

from itertools import product

import pytest
from pyrodigal import METAGENOMIC_BINS

from genint.genes.prodigal import models_for, recoded

_STOP_WEIGHT = -5.0


@pytest.mark.parametrize("code", [4, 11, 15, 25])
def test_all_models_of_a_code_are_of_that_code(code: int) -> None:
    assert {model.training_info.translation_table for model in models_for(code)} == {code}


@pytest.mark.parametrize(("code", "freed"), [(4, "TGA"), (25, "TGA"), (15, "TAG")])
def test_freeing_a_codon_touches_exactly_the_hexamers_that_hold_it(code: int, freed: str) -> None:
    model = next(m for m in METAGENOMIC_BINS if m.training_info.translation_table == 11)
    before = list(model.training_info.coding_statistics)
    after = list(recoded(model, code).training_info.coding_statistics)
    changed = [old for old, new in zip(before, after, strict=True) if old != new]
    others = {"TAA", "TAG", "TGA"} - {freed}
    expected = sum(
        freed in (first, second) and not {first, second} & others
        for first, second in product(map("".join, product("ACGT", repeat=3)), repeat=2)
    )
    assert set(changed) == {_STOP_WEIGHT}
    assert len(changed) == expected
