"""The command that writes the vocabulary: a mistake is one line, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.vocabulary.__main__ import main

GOOD = 'version = "1"\n[[product]]\nid = "holin"\nname = "holin"\ncategory = "lysis"\n'
OTHER = 'version = "1"\n[[product]]\nid = "enolase"\nname = "enolase"\ncategory = "metabolism"\n'


def folder_with(tmp_path: Path, phage: str) -> tuple[str, ...]:
    sources, output = tmp_path / "sources", tmp_path / "output"
    sources.mkdir()
    output.mkdir()
    (sources / "products_phage.toml").write_text(phage)
    (sources / "products_bacteria.toml").write_text(OTHER)
    return ("--sources", str(sources), "--output", str(output))


def test_sources_without_mistakes_are_written(tmp_path: Path) -> None:
    main(folder_with(tmp_path, GOOD))
    assert "holin" in (tmp_path / "output" / "products.tsv").read_text()


@pytest.mark.parametrize(
    ("phage", "said"),
    [
        (GOOD + "[[product]", "products_phage.toml: Expected"),
        ('version = "1"\n', "products_phage.toml: lacks 'product'"),
        (GOOD.replace('version = "1"', ""), "products_phage.toml: lacks 'version'"),
        (GOOD + '[go]\n"GO:1" = { name = "x" }\n', "products_phage.toml: lacks 'aspect'"),
        (GOOD + '[go]\n"GO:1" = 3\n', "products_phage.toml: "),
        ('version = "1"\nproduct = ["holin"]\n', "products begin with [[product]]: 'holin'"),
        (GOOD + "cog = 1\n", "product holin: cog is no text"),
        (GOOD + 'synonyms = "lysis pore"\n', "product holin: synonyms is no list of texts"),
        (GOOD + "symbols = [1]\n", "product holin: symbols is no list of texts"),
        (GOOD + 'vague = "no"\n', "product holin: vague is neither"),
        (GOOD + 'colour = "red"\n', "product holin: has unknown fields: colour"),
        (GOOD + 'broader = "pore"\n', "product holin: has an unknown broader product: pore"),
        (GOOD + "[[product]]\nid = 'x'\n", "product x: lacks: category, name"),
    ],
)
def test_a_mistake_is_one_line_that_names_its_entry_or_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], phage: str, said: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(folder_with(tmp_path, phage))
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith(f"error: {said}")
    assert told.count("\n") == 1
    assert not list((tmp_path / "output").iterdir())


@pytest.mark.parametrize("lacking", ["sources", "output"])
def test_a_missing_folder_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lacking: str
) -> None:
    arguments = folder_with(tmp_path, GOOD)
    (tmp_path / lacking).rename(tmp_path / "elsewhere")
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "No such file" in capsys.readouterr().err
