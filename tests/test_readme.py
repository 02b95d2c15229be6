"""The README promises; these tests hold it to that."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from genint.cli.interpret import interpret
from genint.cli.main import run
from genint.cli.output import FORMAT_NAMES
from genint.cli.report import report
from genint.report.formats import FORMATS, report_name
from genint.settings import cache_folder

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def section(title: str) -> str:
    """Text from a heading to the next heading."""
    found = re.search(rf"^(#+) {title}\n(.*?)(?=^#+ |\Z)", README, re.DOTALL | re.MULTILINE)
    assert found, title
    return found[2]


def places() -> list[str]:
    rows = re.findall(r"^\| [^|]+ \| (.+) \|$", section("Where things are"), re.MULTILINE)
    return [path for row in rows for path in re.findall(r"`([^`]+)`", row)]


@pytest.mark.parametrize("path", places())
def test_everything_stands_where_the_table_says(path):
    assert (ROOT / path).exists()


def test_the_table_knows_every_part_of_the_package():
    listed = places()
    for part in (ROOT / "genint").iterdir():
        if part.name.startswith("__") or part.name in ("py.typed", "version.py"):
            continue
        path = part.relative_to(ROOT).as_posix()
        assert any(place.startswith(path) for place in listed), path


def test_every_option_of_interpret_is_in_the_table():
    table = section("Command line")
    for parameter in interpret.params:
        for name in parameter.opts:
            if name.startswith("--") and name != "--output":
                assert f"`{name}" in table, name
    for name in re.findall(r"^\| `(--[a-z-]+)", table, re.MULTILINE):
        assert name in {option for parameter in interpret.params for option in parameter.opts}


def test_the_formats_named_are_those_that_are_built():
    stated = re.search(r"`--format ([^`]+)`", README)[1]
    assert stated.replace("\\", "").split("|") == list(FORMAT_NAMES)


def test_the_table_of_formats_has_each_with_the_name_of_its_file():
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)`", section("Formats"), re.MULTILINE)
    expected = {name: report_name("<name>", name) for name in FORMATS}
    expected["--dark-fasta"] = expected.pop("dark-fasta")
    assert dict(rows) == expected


def test_every_option_of_report_is_told():
    told = section("Again, in another format")
    for parameter in report.params:
        if isinstance(parameter, click.Option):
            name = max(parameter.opts, key=len)
            assert f"`{name}" in told or f"`{parameter.opts[0]}`" in told, name


def test_the_report_example_runs_and_prints_what_is_shown(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", "examples")
    shown = re.search(r"```console\n(.*?)```", section("Again, in another format"), re.DOTALL)[1]
    *commands, answer = shown.splitlines()
    for command in commands:
        words = shlex.split(command.removeprefix("$ "))
        assert words[0] == "genint"
        assert run(words[1:]) == 0
    printed = capsys.readouterr().out.splitlines()[-1]
    assert without_time(printed) == without_time(answer)


def without_time(line):
    return re.sub(r"[0-9.]+ s:", "... s:", line)


def test_every_setting_is_in_the_table_and_only_settings_are_read():
    named = set(re.findall(r"^\| `([A-Z_]+)` \|", section("Settings"), re.MULTILINE))
    source = (ROOT / "genint" / "settings.py").read_text("utf-8")
    names = r'"((?:GENINT_|DATABASE_|REDIS_|JWT_|CORS_)[A-Z_]+)"'
    assert named == set(re.findall(names, source))
    for file in (ROOT / "genint").rglob("*.py"):
        if file.name != "settings.py":
            assert not re.search(r"os\.environ|getenv", file.read_text("utf-8")), file


def test_the_cache_folder_follows_its_setting(tmp_path):
    assert cache_folder({"GENINT_CACHE_DIR": str(tmp_path)}) == tmp_path
    assert cache_folder({}).name == "genint"


def test_make_help_lists_every_target():
    listed = subprocess.run(
        ["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for target in re.findall(r"^\$ make (\w+)", README, re.MULTILINE):
        assert f"make {target}" in listed


def test_the_library_examples_of_the_readme_run(tmp_path):
    for example in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        script = tmp_path / "example.py"
        script.write_text(example)
        subprocess.run([sys.executable, script], cwd=ROOT, check=True, capture_output=True)


def test_every_dependency_says_what_it_is_for():
    lines = (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
    stated = tomllib.loads("\n".join(lines))["project"]["dependencies"]
    for requirement in stated:
        (line,) = (line for line in lines if f'"{requirement}"' in line)
        assert "# " in line
