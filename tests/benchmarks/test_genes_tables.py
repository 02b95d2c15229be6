"""Tables are printed aligned, or as Markdown."""

from __future__ import annotations

from benchmarks.genes.tables import Table, as_markdown, as_text, listed, of

TABLE = Table("Genes", ("genome", "calls"), (("T7", "9"), ("lambda", "63")), ("a note",), 1)


def test_words_stand_left_and_figures_right() -> None:
    assert as_text(TABLE).splitlines() == [
        "Genes",
        "a note",
        "genome  calls",
        "T7          9",
        "lambda     63",
    ]


def test_markdown_has_a_rule_with_the_same_sides() -> None:
    lines = as_markdown(TABLE).splitlines()
    assert lines[0] == "**Genes**"
    assert lines[-4:] == ["| genome | calls |", "| --- | ---: |", "| T7 | 9 |", "| lambda | 63 |"]


def test_nothing_is_a_dash() -> None:
    assert (of(0, 0), of(1, 2), listed([]), listed(["a", "b"])) == ("-", "1 of 2", "-", "a, b")
