"""The finder's table of starts is read as plain Python reads it."""

from __future__ import annotations

import random

import pytest

from genint.native.start_table import read_start_table


def line(chance: random.Random, number: int) -> list[str]:
    scores = [f"{chance.uniform(-99, 99) * chance.choice((0, 0.001, 1)):.2f}" for _ in range(6)]
    words = [
        chance.choice(("ATG", "GTG", "TTG", "Edge")),
        chance.choice(("None", "GGA/GAG/AGG", f"{number:x}Base/6BMM")),
        chance.choice(("None", "5-10bp")),
    ]
    first = chance.randrange(1, 9_000_000)
    places = [str(first), str(first + 3 * chance.randrange(20, 900)), chance.choice("+-")]
    return [*places, *scores[:3], *words, *scores[3:], f"{chance.random():.3f}"]


def test_every_cell_is_what_python_makes_of_it() -> None:
    chance = random.Random(5)
    rows = [line(chance, number) for number in range(500)]
    text = "\n" + "".join("\t".join(row) + "\n" * chance.randint(1, 2) for row in rows)
    found = read_start_table(text, "Edge")
    kept = [row for row in rows if row[6] != "Edge"]
    for row, place in zip(kept, found.places.T.tolist(), strict=True):
        assert place == [int(row[0]), int(row[1]), 1 if row[2] == "+" else -1]
    for row, scores in zip(kept, found.scores.T.tolist(), strict=True):
        assert [f"{one!r}" for one in scores] == [f"{float(row[at])!r}" for at in _SCORES]
    assert found.words.T.tolist() == [row[6:9] for row in kept]


_SCORES = (3, 4, 5, 9, 10, 11)


def test_an_empty_table_has_no_rows() -> None:
    assert read_start_table("", "Edge").places.shape == (3, 0)


@pytest.mark.parametrize("cells", [12, 14])
def test_a_line_with_other_cells_is_refused(cells: int) -> None:
    row = [*line(random.Random(5), 1), "0.5"][:cells]
    with pytest.raises(ValueError, match="cannot be read"):
        read_start_table("\t".join(row), "Edge")


@pytest.mark.parametrize("cell", ["", "-", "nan", "1e5", "1.2.3", "1234567890123456"])
def test_what_is_no_plain_number_is_refused(cell: str) -> None:
    row = line(random.Random(5), 1)
    row[4] = cell
    with pytest.raises(ValueError, match="cannot be read"):
        read_start_table("\t".join(["1", "90", "+", *row[3:6], "ATG", *row[7:]]), "Edge")
