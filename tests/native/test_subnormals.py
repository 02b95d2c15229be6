"""Subnormal numbers are zero where HMMER and Infernal compare, and only there."""

from __future__ import annotations

import ast
import platform
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import genint
from genint.native.subnormals import subnormals_as_zero

ROOT = Path(genint.__file__).parent
COMPARING = {"search_hmm", "search_cm", "hmmsearch"}
has_setting = pytest.mark.skipif(
    platform.machine().lower() not in {"x86_64", "amd64", "aarch64", "arm64"},
    reason="processors of other kinds have no such setting",
)


def half_of_the_smallest_normal_number() -> float:
    smallest = np.full(4, np.finfo(np.float32).tiny, np.float32)
    return float((smallest * np.float32(0.5))[0])


@has_setting
def test_subnormal_numbers_are_zero_within_and_numbers_of_their_own_after():
    assert half_of_the_smallest_normal_number() > 0
    with subnormals_as_zero():
        assert half_of_the_smallest_normal_number() == 0
        with subnormals_as_zero():
            pass
        assert half_of_the_smallest_normal_number() == 0
    assert half_of_the_smallest_normal_number() > 0


def test_an_error_leaves_the_processor_as_it_was():
    with pytest.raises(ValueError, match="of a search"), subnormals_as_zero():
        raise ValueError("of a search")
    assert half_of_the_smallest_normal_number() > 0


@has_setting
def test_threads_that_are_there_already_compute_as_before():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(half_of_the_smallest_normal_number).result()
        with subnormals_as_zero():
            assert pool.submit(half_of_the_smallest_normal_number).result() > 0


def called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def comparisons(tree: ast.AST) -> list[ast.AST]:
    return [node for node in ast.walk(tree) if called(node) in COMPARING]


COMPARING_FILES = {
    file.relative_to(ROOT).as_posix()
    for file in ROOT.rglob("*.py")
    if comparisons(ast.parse(file.read_text(encoding="utf-8")))
}


def test_the_searches_of_profiles_and_of_rna_are_among_what_is_looked_at():
    assert {"sources/profiles.py", "rna/rrna.py", "rna/rfam.py"} <= COMPARING_FILES


@pytest.mark.parametrize("file", sorted(COMPARING_FILES))
def test_every_comparison_with_a_model_is_made_so(file):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    blocks = (node for node in ast.walk(tree) if isinstance(node, ast.With))
    within = [
        inner
        for block in blocks
        if any(called(item.context_expr) == "subnormals_as_zero" for item in block.items)
        for inner in comparisons(block)
    ]
    assert {id(node) for node in comparisons(tree)} == {id(node) for node in within}
