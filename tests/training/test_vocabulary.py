"""The sources of the vocabulary: what they refuse, and that the shipped tables are theirs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from genint.knowledge import ProductKind, ProductVocabulary, load_products, load_roles, read_shipped
from genint.model import Category
from training.vocabulary.sources import build_vocabulary, parse, read_sources
from training.vocabulary.tables import tables_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def sources() -> ProductVocabulary:
    roles = frozenset(role.id for role in load_roles().roles)
    return build_vocabulary(read_sources(), roles)


def vocabulary_of(*entries: str) -> ProductVocabulary:
    text = 'version = "1"\n[go]\n"GO:0019073" = { name = "x", aspect = "biological_process" }\n'
    text += "\n".join(f"[[product]]\n{entry}" for entry in entries)
    return build_vocabulary([parse(text, ProductKind.PHAGE)], frozenset({"portal"}))


def entry(id_: str, name: str, more: str = "") -> str:
    return f'id = "{id_}"\nname = "{name}"\ncategory = "tail"\n{more}'


# What ships.


def test_the_shipped_tables_are_exactly_what_the_sources_give(sources: ProductVocabulary) -> None:
    for name, content in tables_of(sources).items():
        stale = f"{name} is not of these sources: run python -m training.vocabulary"
        assert read_shipped(name).decode() == content, stale


def test_reading_the_tables_gives_the_vocabulary_of_the_sources(
    sources: ProductVocabulary,
) -> None:
    shipped = load_products()
    assert dict(shipped.products) == dict(sources.products)
    assert dict(shipped.keys) == dict(sources.keys)
    assert shipped.version == sources.version


def test_the_command_writes_every_table_and_says_what_it_holds(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "training.vocabulary", "--output", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert {path.name for path in tmp_path.iterdir()} == {
        "products.tsv",
        "product_keys.tsv",
        "product_go_terms.tsv",
    }
    for path in tmp_path.iterdir():
        assert path.read_bytes() == read_shipped(path.name)
    assert "phage: " in done.stdout


# Mistakes in a file.


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([entry("a", "holin", 'role = "none"')], "product a: has an unknown role: none"),
        ([entry("a", "holin", 'broader = "b"')], "product a: has an unknown broader product: b"),
        ([entry("a", "holin", 'opposite = ["b"]')], "product a: has unknown opposites: b"),
        ([entry("a", "holin", 'opposite = ["a"]')], "product a: is its own opposite: a"),
        ([entry("a", "holin", 'broader = "a"')], "product a: is broader than itself, through: a"),
        ([entry("a", "holin", 'cog = "9"')], "product a: has an unknown COG letter: 9"),
        ([entry("a", "holin", 'go = ["GO:1"]')], "product a: has GO terms that the file does not"),
        ([entry("a", "holin", 'colour = "red"')], "product a: has unknown fields: colour"),
        ([entry("a", "holin"), entry("a", "portal")], "product a: the id stands twice"),
        ([entry("a", "holin"), entry("b", "phage holins")], "product b: 'holin' is a name of a"),
        (
            [entry("a", "holin", 'symbols = ["hol"]'), entry("b", "portal", 'symbols = ["hol"]')],
            "product b: 'hol' is a name of a",
        ),
        (
            [entry("a", "recT"), entry("b", "portal", 'symbols = ["RecT"]')],
            "product b: 'rect' is a name of a",
        ),
        ([entry("a", "protein F")], "product a: has a name that tells nothing"),
        ([entry("a", "putative protein")], "product a: has a name that tells nothing"),
        ([entry("a", "membrane-associated 30 kD protein")], "product a: has a name that tells"),
        ([entry("a", "small protein B")], "product a: has a name that tells nothing"),
        ([entry("a", "host factor I protein")], "product a: has a name that tells nothing"),
        ([entry("a", "holin|pinholin")], "product a: has a tab or a bar in: holin"),
        ([entry("a", "holin", 'symbols = ["h 1"]')], "product a: has a space in the symbols: h 1"),
        (['id = "a"\ncategory = "tail"'], "product a: lacks: name"),
        (['id = "a"\nname = "holin"\ncategory = "x"'], "product a: has an unknown category: x"),
        (
            [entry("a", "holin", 'broader = "b"\nopposite = ["b"]'), entry("b", "portal")],
            "product a: is a kind of its opposite: b",
        ),
    ],
)
def test_a_mistake_names_the_entry(entries: list[str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        vocabulary_of(*entries)


def test_an_entry_is_read_as_written() -> None:
    more = 'role = "portal"\ncog = "X"\ngo = ["GO:0019073"]\nec = ["1.1.1.1"]\nsymbols = ["hol"]'
    product = vocabulary_of(entry("a", "holin", more)).products["a"]
    assert product.category is Category.TAIL
    assert (product.role, product.cog, product.ec) == ("portal", "X", ("1.1.1.1",))
    assert [term.id for term in product.go] == ["GO:0019073"]
    assert product.symbols == ("hol",)
