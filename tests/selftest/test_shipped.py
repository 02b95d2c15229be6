import shutil
from functools import partial
from pathlib import Path

import pytest

from genint.knowledge import table_files
from genint.selftest import Check, Outcome, run_checks
from genint.selftest.checks import INSTALL_AGAIN, SHIPPED_PACKS, pack_check, shipped_tables


@pytest.fixture
def knowledge(tmp_path) -> Path:
    """A copy of the tables and packs that ship."""
    source = Path(table_files.__file__).parent / "data"
    return Path(shutil.copytree(source, tmp_path / "knowledge"))


async def outcome(places, look):
    (result,) = await run_checks([Check("files", INSTALL_AGAIN, look)], places)
    return result


def with_a_flipped_byte(content: bytes) -> bytes:
    at = len(content) // 2
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@pytest.mark.parametrize("file", SHIPPED_PACKS)
async def test_a_whole_pack_passes(knowledge, places, file):
    found = await outcome(places, pack_check(file, knowledge))
    assert found.outcome is Outcome.OK
    assert "digest" in found.text


@pytest.mark.parametrize(
    "damage",
    [
        with_a_flipped_byte,
        lambda content: content[: len(content) // 2],
        lambda content: b"",
        lambda content: b"<html>" + content,
        # the digest of the header alone
        lambda content: content[:30] + bytes([content[30] ^ 1]) + content[31:],
    ],
)
async def test_a_damaged_pack_is_found(knowledge, places, damage):
    file = table_files.PHAGE_FAMILIES
    path = knowledge / file
    path.write_bytes(damage(path.read_bytes()))
    result = await outcome(places, pack_check(file, knowledge))
    assert result.outcome is Outcome.FAILED
    assert "install genint again" in result.cure


async def test_a_missing_pack_is_found(knowledge, places):
    (knowledge / table_files.PFAM_PACK).unlink()
    result = await outcome(places, pack_check(table_files.PFAM_PACK, knowledge))
    assert result.outcome is Outcome.FAILED


async def test_tables_that_belong_together_pass(knowledge, places):
    look = partial(shipped_tables, families_folder=knowledge)
    assert (await outcome(places, look)).outcome is Outcome.OK


async def test_a_table_that_lost_rows_is_found(knowledge, places):
    table = knowledge / table_files.OWN_FAMILIES
    lines = table.read_text().splitlines(keepends=True)
    table.write_text("".join(lines[:-10]))
    found = await outcome(places, partial(shipped_tables, families_folder=knowledge))
    assert found.outcome is Outcome.FAILED
    assert "profiles, the table" in found.text


async def test_a_table_with_a_broken_row_is_found(knowledge, places):
    table = knowledge / table_files.OWN_FAMILIES
    lines = table.read_text().splitlines(keepends=True)
    lines[-1] = lines[-1].rpartition("\t")[0] + "\n"
    table.write_text("".join(lines))
    result = await outcome(places, partial(shipped_tables, families_folder=knowledge))
    assert result.outcome is Outcome.FAILED


PACKAGED = "files of the package"


def test_files_are_compared_with_what_was_installed(installation, pressed_cache):
    found = installation.check(PACKAGED, pressed_cache)
    assert found.startswith("ok|")
    assert "files are as installed" in found


@pytest.mark.parametrize("file", ["knowledge/data/roles.toml", "report/result.schema.json"])
def test_a_file_that_was_changed_is_named(installation, pressed_cache, file):
    installation.damage(file, b"something else")
    found = installation.check(PACKAGED, pressed_cache)
    assert found.startswith(f"FAILED|genint/{file} differs from what was installed|")


def test_a_file_that_is_gone_is_named(installation, pressed_cache):
    (installation.package / "knowledge" / "data" / "go_terms.tsv").unlink()
    found = installation.check(PACKAGED, pressed_cache)
    assert found.startswith("FAILED|genint/knowledge/data/go_terms.tsv: No such file")
