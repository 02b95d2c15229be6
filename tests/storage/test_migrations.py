"""Migrations: once, in order, whole or not at all, the same tables on both engines."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing

import asyncpg
import pytest

from genint.errors import DatabaseAway, UsageError
from genint.model import GeneCounts
from genint.storage import (
    Migration,
    StorageAddress,
    load_migrations,
    migrate,
    migrate_postgresql,
    open_sqlite,
    open_storage,
    split_script,
)

FIRST = Migration(
    1, "0001_first", "CREATE FUNCTION now_us() RETURNS BIGINT LANGUAGE sql AS 'SELECT 1';"
)
"""The runner notes a time, so the first migration of PostgreSQL defines the clock."""
KINDS = {"integer": "bigint", "real": "double precision"}
COLUMNS = {
    "sqlite": """
        SELECT m.name, c.name, lower(c.type), c."notnull"
        FROM sqlite_master AS m, pragma_table_info(m.name) AS c
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'
        """,
    "postgresql": """
        SELECT table_name, column_name, data_type, CAST(is_nullable = 'NO' AS INT)
        FROM information_schema.columns WHERE table_schema = 'public'
        """,
}
INDEXES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
    "postgresql": """
        SELECT indexname FROM pg_indexes WHERE schemaname = 'public'
        AND indexname NOT LIKE '%_pkey' AND indexname NOT LIKE '%_key'
        """,
}


@pytest.fixture
def apply(address):
    """Applies migrations of the test's own."""

    async def apply_migrations(*migrations: Migration) -> tuple[str, ...]:
        if address.database_url is not None:
            return await migrate_postgresql(address.database_url, migrations)
        async with open_sqlite(address.sqlite_file) as database:
            return await database.migrate(migrations)

    return apply_migrations


@pytest.fixture
def first(engine) -> Migration:
    """What a first migration has to do."""
    return (
        FIRST if engine == "postgresql" else FIRST._replace(script="CREATE TABLE clock (t TEXT);")
    )


async def test_a_new_database_gets_all_migrations_and_an_old_one_none(address, engine):
    names = tuple(migration.name for migration in load_migrations(engine))
    assert await migrate(address) == names
    assert await migrate(address) == ()
    async with open_storage(address) as storage:
        assert await storage.jobs.get("no such job") is None


async def test_both_engines_have_the_same_tables_and_columns(tmp_path, postgresql_url):
    await migrate(StorageAddress(tmp_path, tmp_path / "db", None))
    await migrate(StorageAddress(tmp_path, tmp_path / "db", postgresql_url))
    with closing(sqlite3.connect(tmp_path / "db")) as sqlite:
        ours = {
            (table, column, KINDS.get(kind, kind), required)
            for table, column, kind, required in sqlite.execute(COLUMNS["sqlite"])
        }
        our_indexes = set(sqlite.execute(INDEXES["sqlite"]))
    connection = await asyncpg.connect(postgresql_url)
    theirs = {tuple(row) for row in await connection.fetch(COLUMNS["postgresql"])}
    their_indexes = {tuple(row) for row in await connection.fetch(INDEXES["postgresql"])}
    await connection.close()
    ours.remove(("jobs", "phage_mode", "bigint", 1))  # SQLite has no truth values
    theirs.remove(("jobs", "phage_mode", "boolean", 1))
    assert ours == theirs
    assert len(ours) > 50
    assert our_indexes == their_indexes


async def test_migrations_are_applied_in_order(apply, first, run_sql):
    second = Migration(2, "0002_second", "CREATE TABLE a (x TEXT);")
    third = Migration(3, "0003_third", "ALTER TABLE a ADD COLUMN y TEXT;")
    assert await apply(first) == (first.name,)
    assert await apply(first, second, third) == (second.name, third.name)
    assert await run_sql("SELECT x, y FROM a") == []


async def test_a_migration_that_fails_leaves_nothing(apply, first, run_sql):
    broken = Migration(2, "0002_broken", "CREATE TABLE a (x TEXT); SELECT no_such_function(1);")
    with pytest.raises((sqlite3.OperationalError, asyncpg.UndefinedFunctionError)):
        await apply(first, broken)
    assert [tuple(row) for row in await run_sql("SELECT number FROM migrations")] == [(1,)]
    mended = Migration(2, "0002_broken", "CREATE TABLE a (x TEXT);")
    assert await apply(first, mended) == (mended.name,)


async def test_a_changed_migration_is_refused(apply, first):
    await apply(first)
    with pytest.raises(UsageError, match="0001_first was changed"):
        await apply(first._replace(script=first.script + "-- another word"))


async def test_a_database_of_a_newer_program_is_refused(apply, first):
    await apply(first, Migration(2, "0002_later", "CREATE TABLE a (x TEXT);"))
    with pytest.raises(UsageError, match="newer genint: it has 0002_later"):
        await apply(first)


async def test_a_gap_in_what_was_applied_is_refused(apply, first, run_sql):
    second = Migration(2, "0002_second", "CREATE TABLE a (x TEXT);")
    await apply(first, second)
    await run_sql("DELETE FROM migrations WHERE number = 1")
    with pytest.raises(UsageError, match="lacks migrations"):
        await apply(first, second)


async def test_of_many_processes_that_migrate_at_once_one_does_it(postgresql_url):
    migrations = load_migrations("postgresql")
    done = await asyncio.gather(*(migrate_postgresql(postgresql_url, migrations) for _ in range(5)))
    assert sorted(done) == [(), (), (), (), tuple(each.name for each in migrations)]


def test_a_process_killed_amid_a_migration_leaves_nothing(tmp_path):
    file = tmp_path / "db"
    killed = """
import asyncio, os, pathlib, sys
from genint.storage.migrations import Migration
from genint.storage.sqlite import open_sqlite
async def main():
    async with open_sqlite(pathlib.Path(sys.argv[1])) as database:
        await database._writer.create_function("die", 0, lambda: os.kill(os.getpid(), 9))
        await database.migrate([Migration(1, "0001_x", "CREATE TABLE a (x TEXT); SELECT die();")])
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", killed, file], check=False, timeout=60)
    assert done.returncode == -9
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        assert tables.fetchall() == [("migrations",)]
        assert connection.execute("SELECT number FROM migrations").fetchall() == []


async def test_a_server_connection_that_ends_amid_a_migration_leaves_nothing(
    postgresql_url,
):
    cut = Migration(
        2, "0002_cut", "CREATE TABLE a (x TEXT); SELECT pg_terminate_backend(pg_backend_pid());"
    )
    with pytest.raises(DatabaseAway):
        await migrate_postgresql(postgresql_url, [FIRST, cut])
    connection = await asyncpg.connect(postgresql_url)
    assert await connection.fetchval("SELECT to_regclass('a')") is None
    assert await connection.fetchval("SELECT max(number) FROM migrations") == 1
    await connection.close()


def test_numbers_of_migrations_have_no_gap(tmp_path):
    folder = tmp_path / "migrations" / "sqlite"
    folder.mkdir(parents=True)
    (folder / "0002_second.sql").write_text("")
    with pytest.raises(ValueError, match="1, 2, 3"):
        load_migrations("sqlite", tmp_path)


@pytest.mark.parametrize("name", ["1_short.sql", "0001-dash.sql", "0001_Upper.sql"])
def test_a_file_with_another_name_is_no_migration(tmp_path, name):
    (tmp_path / name).write_text("")
    with pytest.raises(ValueError, match="not the name of a migration"):
        Migration.read(tmp_path / name)


def test_a_script_is_split_at_the_ends_of_statements():
    script = (
        "-- a; comment\nCREATE TABLE a (x TEXT DEFAULT ';');\n"
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n DELETE FROM a;\nEND;\n\n-- end\n"
    )
    first, second, rest = split_script(script)
    assert first.endswith("DEFAULT ';');")
    assert second.strip().startswith("CREATE TRIGGER")
    assert second.rstrip().endswith("END;")
    assert rest.strip() == "-- end"


OLD_JOB = """
    INSERT INTO users (id, email, email_identity, first_name, last_name, password_hash, created_at)
    VALUES ('ada', 'a@b.org', 'a@b.org', 'A', 'B', '', 1);
    INSERT INTO jobs (id, user_id, filename, upload, phage_mode, mode, fingerprint, status,
        attempt, progress, report_attempt, report_version, total_genes, interpreted_genes,
        high_confidence, dark, created_at, queued_at, started_at, finished_at)
    VALUES ('old', 'ada', 'lambda.gb', 'old.gb', {false}, 'offline', 'f', 'COMPLETED',
        1, 1, 1, '1.0', 10, 8, 5, 2, 1, 1, 1, 2)
    """


async def test_jobs_of_before_genes_were_told_apart_keep_their_counts_and_have_no_others(
    address, engine, apply, run_sql
):
    await apply(load_migrations(engine)[0])
    false = "0" if engine == "sqlite" else "FALSE"
    for statement in split_script(OLD_JOB.format(false=false)):
        await run_sql(statement)
    later = load_migrations(engine)[1:]
    assert await migrate(address) == tuple(migration.name for migration in later)
    async with open_storage(address) as storage:
        job = await storage.jobs.get("old")
        (listed,) = (await storage.jobs.list("ada")).jobs
    assert job == listed
    assert job.counts == GeneCounts(10, 8, 5, 2, supported_genes=None, file_only_genes=None)
    assert (job.locus_tag_prefix, job.run_date) == (None, None)
