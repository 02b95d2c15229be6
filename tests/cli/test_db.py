"""``genint db``: list, install, verify, remove, path."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from genint.cli.main import run
from genint.cli.progress import Lines
from genint.databases.installation import InstallNote, InstallStep
from genint.databases.installed import look_up, using
from genint.databases.layout import changing
from tests.databases.published_content import published_file, write_large_ontology, write_mirror


@pytest.fixture(scope="session")
def mirror(tmp_path_factory) -> Path:
    return write_mirror(tmp_path_factory.mktemp("mirror"))


@pytest.fixture(autouse=True)
def databases(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "databases"
    monkeypatch.setenv("GENINT_DATABASES_DIR", str(folder))
    return folder


@pytest.fixture
def cog(mirror, capsys) -> None:
    """COG is installed."""
    assert run(["db", "install", "cog", "--mirror", str(mirror)]) == 0
    capsys.readouterr()


def test_list_shows_what_ships_and_what_could_be_installed(capsys):
    assert run(["db", "list"]) == 0
    shown = capsys.readouterr().out
    assert "ships with genint" in shown
    for name in ("pfam", "swissprot", "cog", "go", "rfam", "padloc", "amr"):
        assert f"not installed; `genint db install {name}` (" in shown


def test_list_makes_no_folder(databases):
    assert run(["db", "list"]) == 0
    assert not databases.exists()


def test_install_shows_licence_and_citation(mirror, capsys):
    assert run(["db", "install", "cog", "go", "--mirror", str(mirror)]) == 0
    said = capsys.readouterr()
    assert "cog: 2024 is installed, 3 groups" in said.out
    assert "licence: CC BY 4.0" in said.out
    assert "doi:10.1093/nar/gkae983" in said.out
    assert "cog: cog-24.def.tab" in said.err


def test_list_shows_what_is_installed(cog, capsys):
    assert run(["db", "list", "-v"]) == 0
    shown = capsys.readouterr().out
    assert "cog: COG 2024\n  3 groups, " in shown
    assert "installed and ready, licence public domain" in shown


def test_installing_twice_says_that_there_is_nothing_to_do(cog, mirror, capsys):
    assert run(["db", "install", "cog", "--mirror", str(mirror)]) == 0
    assert "already installed" in capsys.readouterr().err


def test_list_names_damage_and_the_cure(cog, databases, capsys):
    (look_up(databases, "cog").folder / "definitions.tsv").write_text("")
    assert run(["db", "list"]) == 0
    shown = capsys.readouterr().out
    assert "damaged, not used: definitions.tsv has 0 bytes" in shown
    assert "run `genint db install cog`" in shown


def test_verify_is_quiet_about_what_is_sound(cog, capsys):
    assert run(["db", "verify"]) == 0
    assert capsys.readouterr().out == "cog: sound, every byte checked\n"


def test_verify_fails_with_a_line_for_each_damage(cog, databases, capsys):
    folder = look_up(databases, "cog").folder
    for name in ("definitions.tsv", "categories.tsv"):
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[:-2] + b"?\n")
    assert run(["db", "verify", "cog"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all("run `genint db install cog`" in line for line in lines)


def test_verify_of_what_is_not_installed_fails(capsys):
    assert run(["db", "verify", "go"]) == 1
    assert "go: is not installed" in capsys.readouterr().out


def test_verify_of_nothing_says_so(capsys):
    assert run(["db", "verify"]) == 0
    assert capsys.readouterr().out == "no database is installed\n"


def test_remove_says_what_was_freed(cog, databases, capsys):
    assert run(["db", "remove", "cog", "go"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("cog: removed, ")
    assert first.endswith("freed")
    assert second == "go: not installed"
    assert look_up(databases, "cog") is None


def test_remove_refuses_what_is_in_use(cog, databases, capsys):
    with using(look_up(databases, "cog")):
        assert run(["db", "remove", "cog"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_remove_goes_on_with_the_others_where_one_is_in_use(mirror, databases, capsys):
    assert run(["db", "install", "cog", "go", "--mirror", str(mirror)]) == 0
    capsys.readouterr()
    with using(look_up(databases, "cog")):
        assert run(["db", "remove", "all"]) == 1
    said = capsys.readouterr()
    assert "go: removed, " in said.out
    assert said.err.count("\n") == 1
    assert "`genint db remove cog`" in said.err
    assert look_up(databases, "cog").name == "cog"
    assert look_up(databases, "go") is None


def test_remove_where_nobody_may_write_names_the_path_and_the_cure(cog, databases, capsys):
    (databases / ".cog.lock").unlink()
    (databases / ".cog.lock").mkdir()  # refused to the superuser too
    assert run(["db", "remove", "cog"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(databases / ".cog.lock") in said
    assert "`genint db remove cog` again" in said


@pytest.mark.parametrize("command", ["list", "verify", "verify cog", "remove all", "install cog"])
@pytest.mark.parametrize("below", ["", "below"])
def test_a_file_in_place_of_the_folder_is_one_line_with_the_cure(
    databases, monkeypatch, capsys, command, below, mirror
):
    databases.write_text("")
    monkeypatch.setenv("GENINT_DATABASES_DIR", str(databases / below))
    options = ["--mirror", str(mirror)] if command.startswith("install") else []
    assert run(["db", *command.split(), *options]) == 1
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert "GENINT_DATABASES_DIR" in said.err
    assert "not installed" not in said.out


def test_too_little_disk_leaves_nothing_to_go_on_with(databases, mirror, tmp_path, capsys):
    own = shutil.copytree(mirror, tmp_path / "own")
    metalink = published_file(own, "swissprot", "RELEASE.metalink")
    metalink.write_text(re.sub(r"<size>\d+<", f"<size>{10**17}<", metalink.read_text()))
    assert run(["db", "install", "swissprot", "--mirror", str(own)]) == 1
    assert "`genint db install swissprot`" in capsys.readouterr().err
    assert run(["db", "list"]) == 0
    assert "interrupted" not in capsys.readouterr().out


def test_a_file_that_was_written_since_is_listed_with_the_command_that_checks_it(
    cog, databases, capsys
):
    table = look_up(databases, "cog").folder / "definitions.tsv"
    os.utime(table, (1, 1))
    assert run(["db", "list"]) == 0
    shown = capsys.readouterr().out
    assert "  not used: its files were changed after they were installed" in shown
    assert "run `genint db verify cog`" in shown
    assert run(["db", "verify", "cog"]) == 0
    capsys.readouterr()
    assert run(["db", "list"]) == 0
    assert "installed and ready" in capsys.readouterr().out


def test_verify_names_a_manifest_that_was_edited(cog, databases, capsys):
    manifest = look_up(databases, "cog").folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"release": "2024"', '"release": "2034"'))
    assert run(["db", "verify"]) == 1
    assert capsys.readouterr().out == (
        "cog: its manifest.json is damaged; run `genint db install cog`\n"
    )


def test_a_mirror_address_without_scheme_is_not_repeated(capsys):
    assert run(["db", "install", "cog", "--mirror", "bob:s3cret@host/path"]) == 2
    said = capsys.readouterr().err
    assert "needs its scheme" in said
    assert "s3cret" not in said


def test_a_second_installer_gets_one_line(mirror, databases, capsys):
    with changing(databases, "cog"):
        assert run(["db", "install", "cog", "--mirror", str(mirror)]) == 1
        assert run(["db", "list"]) == 0
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert "another process is installing" in said.err
    assert "is being installed or removed now" in said.out


def test_path_is_the_folder(databases, capsys):
    assert run(["db", "path"]) == 0
    assert capsys.readouterr().out == f"{databases}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["db", "install"],
        ["db", "install", "foo"],
        ["db", "install", "cog", "--mirror", "/no/such/folder"],
        ["db", "install", "cog", "--mirror", "ftp://example.org"],
        ["db", "verify", "foo"],
        ["db", "remove"],
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments, capsys):
    assert run(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_mirror_without_the_files_is_one_line_and_exit_code_1(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    assert run(["db", "install", "cog", "--mirror", str(tmp_path / "empty")]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith("genint: ")


def test_where_one_of_several_fails_the_others_are_installed(mirror, databases, capsys, tmp_path):
    own = shutil.copytree(mirror, tmp_path / "own")
    published_file(own, "swissprot", "RELEASE.metalink").unlink()
    assert run(["db", "install", "all", "--mirror", str(own)]) == 1
    said = capsys.readouterr()
    assert sum(line.startswith("genint: ") for line in said.err.splitlines()) == 1
    assert look_up(databases, "swissprot") is None
    for name in ("pfam", "cog", "go"):
        assert look_up(databases, name).name == name
        assert f"{name}: " in said.out


def test_an_interrupted_installation_is_listed_and_goes_on(mirror, databases, capsys, tmp_path):
    own = shutil.copytree(mirror, tmp_path / "own")
    groups = published_file(own, "cog", "cog-24.fun.tab")
    held_back = groups.read_bytes()
    groups.unlink()
    assert run(["db", "install", "cog", "--mirror", str(own)]) == 1
    capsys.readouterr()
    assert run(["db", "list"]) == 0
    assert "an installation was interrupted" in capsys.readouterr().out
    groups.write_bytes(held_back)
    assert run(["db", "install", "cog", "--mirror", str(own)]) == 0
    assert "going on" in capsys.readouterr().err
    assert run(["db", "list"]) == 0
    assert "interrupted" not in capsys.readouterr().out


def heed_interrupts() -> None:
    """What runs in the background of a script ignores SIGINT, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_control_c_ends_a_build_quickly_with_one_line(tmp_path, databases):
    folder = write_large_ontology(tmp_path / "large", terms=60_000, pairs=1_000_000)
    command = [sys.executable, "-m", "genint", "db", "install", "go", "--mirror", str(folder)]
    with subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        env=os.environ,
        text=True,
        start_new_session=True,
        preexec_fn=heed_interrupts,  # noqa: PLW1509 - no thread runs in the test
    ) as process:
        for line in process.stderr:
            if "reading terms" in line:
                break
        asked_at = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        rest = process.stderr.read()
        assert process.wait(20) == 130
    assert time.monotonic() - asked_at < 5
    assert "Traceback" not in rest
    assert rest.splitlines()[-1] == "genint: interrupted"
    assert look_up(databases, "go") is None


def test_plain_progress_is_a_line_a_step_and_one_now_and_then(capsys):
    now = [0.0]
    lines = Lines(clock=lambda: now[0])
    for done in range(40):
        now[0] = float(done)
        lines(InstallStep("pfam", "Pfam-A.hmm.gz", done * 1_000_000, 40_000_000, in_bytes=True))
    lines(InstallStep("pfam", "md5_checksums", 10, 20, in_bytes=True))
    lines(InstallStep("pfam", "pressing profiles", 250, 24_000, in_bytes=False))
    lines(InstallNote("pfam", "done [bold]here[/]"))
    assert capsys.readouterr().err.splitlines() == [
        "pfam: Pfam-A.hmm.gz, 0.0 of 40.0 MB",
        "pfam: Pfam-A.hmm.gz, 15.0 of 40.0 MB",
        "pfam: Pfam-A.hmm.gz, 30.0 of 40.0 MB",
        "pfam: pressing profiles, 250 of 24,000",
        "pfam: done [bold]here[/]",
    ]
