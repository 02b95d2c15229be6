"""The README promises; these tests hold it to that."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from genint.cli.interpret import interpret
from genint.cli.outputs import FORMAT_NAMES
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
