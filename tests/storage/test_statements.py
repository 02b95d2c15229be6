"""SQL statements: the same on both engines, found wherever genint is installed."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import genint.storage
from genint.errors import UnavailableError
from genint.storage import find_sql_folder, load_statements, storable

ROOT = Path(__file__).resolve().parents[2]
SQL_FILES = sorted((ROOT / "sql").rglob("*.sql"))
SQL_WORDS = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP)\b")


def make_statements(folder: Path, **files: str) -> None:
    for name, text in files.items():
        part, _, stem = name.partition("__")
        (folder / part).mkdir(exist_ok=True)
        (folder / part / f"{stem}.sql").write_text(text)


def test_both_engines_have_the_same_statements():
    sqlite, postgresql = load_statements("sqlite"), load_statements("postgresql")
    assert set(sqlite.by_name) == set(postgresql.by_name)
    for name, statement in sqlite.by_name.items():
        assert set(statement.parameters) == set(postgresql.by_name[name].parameters), name


def test_every_statement_that_is_there_is_used_and_every_one_used_is_there():
    package = Path(genint.storage.__file__).parent
    named = {
        node.value
        for file in package.glob("*.py")
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(load_statements("sqlite").by_name) <= named


@pytest.mark.parametrize("file", SQL_FILES, ids=lambda file: file.name)
def test_no_statement_selects_everything(file):
    assert not re.search(r"\*(?!\))", re.sub(r"--.*", "", file.read_text()).replace("* 1000", ""))


WHOLE_TABLES = "rows.py"
"""Reads and writes whole tables, whatever their columns are: no file could hold its statements."""


def test_no_sql_stands_in_the_code():
    package = Path(genint.storage.__file__).parent
    found = [
        (file.name, node.lineno)
        for file in package.glob("*.py")
        if file.name != WHOLE_TABLES
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and SQL_WORDS.search(node.value)
    ]
    assert found == []


def test_parameters_are_handed_over_in_the_order_of_the_statement():
    statements = load_statements("postgresql")
    text, bound = statements.bind("revoke_key", {"user_id": "u", "id": "k"})
    assert "k.id = $1 AND k.user_id = $2" in text
    assert list(bound.values()) == ["k", "u"]


@pytest.mark.parametrize("values", [{}, {"id": "k"}, {"id": "k", "user_id": "u", "more": "m"}])
def test_a_missing_or_surplus_value_is_refused(values):
    with pytest.raises(TypeError, match="revoke_key"):
        load_statements("sqlite").bind("revoke_key", values)


def test_a_statement_of_an_engine_cannot_hide_a_shared_one(tmp_path):
    text = "-- name: ask()\nSELECT 1;\n"
    make_statements(tmp_path, queries__a=text, sqlite__b=text)
    with pytest.raises(ValueError, match="ask"):
        load_statements("sqlite", tmp_path)


def test_a_statement_without_its_list_of_parameters_is_refused(tmp_path):
    make_statements(tmp_path, queries__a="-- name: ask\nSELECT 1;\n")
    with pytest.raises(Exception, match="mandatory parameter"):
        load_statements("sqlite", tmp_path)


def test_an_installed_package_has_its_own_sql(tmp_path):
    (tmp_path / "genint" / "_sql" / "queries").mkdir(parents=True)
    (tmp_path / "sql" / "queries").mkdir(parents=True)
    assert find_sql_folder(tmp_path / "genint") == tmp_path / "genint" / "_sql"


def test_a_checkout_has_its_sql_beside_the_package(tmp_path):
    (tmp_path / "sql" / "queries").mkdir(parents=True)
    assert find_sql_folder(tmp_path / "genint") == tmp_path / "sql"


def test_missing_sql_is_one_clear_error(tmp_path):
    with pytest.raises(UnavailableError, match="SQL files of genint are missing"):
        find_sql_folder(tmp_path / "genint")


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("plain", "plain"),
        ("a\0b", "a\ufffdb"),
        ("\ud800", "\ufffd"),
        ("\U0001f9ec", "\U0001f9ec"),
        ("\ud83e\uddec", "\U0001f9ec"),
        ("ü\udfff", "ü\ufffd"),
        (7, 7),
        (None, None),
        (True, True),
    ],
)
def test_what_cannot_be_stored_is_replaced(given, stored):
    assert storable(given) == stored
