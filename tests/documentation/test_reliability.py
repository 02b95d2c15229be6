"""The reliability diagram of the documents shows what was measured."""

from __future__ import annotations

import re

import pytest

from benchmarks.accuracy.diagram import write_panels
from documentation.reliability import FIGURES, PICTURE, main, panels_of


def test_the_picture_is_that_of_the_table(tmp_path, monkeypatch):
    """Renew it with `python -m documentation.reliability` after a measurement."""
    drawn = tmp_path / "drawn.svg"
    monkeypatch.setattr("sys.argv", ["reliability", "--output", str(drawn)])
    main()
    assert drawn.read_bytes() == PICTURE.read_bytes()


def test_every_claim_of_the_table_is_in_a_panel():
    panels = list(panels_of(FIGURES.read_text(encoding="utf-8")))
    assert [panel.title for panel in panels] == [
        "local, bacterium",
        "local, phage",
        "offline, bacterium",
        "offline, phage",
    ]
    phage = panels[-1].bins
    assert phage[-1].claims > 100
    assert phage[-1].predicted == pytest.approx(0.97, abs=0.03)
    assert 0.9 < phage[-1].observed <= 1.0


def test_other_figures_give_another_picture(tmp_path):
    text = FIGURES.read_text(encoding="utf-8")
    changed = re.sub(r"(0\.97: )0\.9\d\d", r"\g<1>0.500", text)
    assert changed != text
    write_panels(list(panels_of(changed)), "other", tmp_path / "other.svg")
    assert (tmp_path / "other.svg").read_bytes() != PICTURE.read_bytes()


def test_a_text_without_the_table_is_refused():
    with pytest.raises(ValueError, match="no table of reliability"):
        list(panels_of("# Something else"))
