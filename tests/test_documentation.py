"""README and documentation promise; these tests hold them to that."""

import gzip
import json
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
from genint.cli.main import cli, run
from genint.cli.output import FORMAT_NAMES
from genint.cli.plot import plot
from genint.cli.report import report
from genint.databases.recipes import RECIPES
from genint.report import FIGURE_FORMATS, FORMATS, report_name
from genint.report.tables import SHORT_COLUMNS
from genint.settings import cache_folder

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
PAGES = {path.name: path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "deploy" / "README.md",
    ROOT / "examples" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
MEASURED = "".join(
    path.read_text("utf-8")
    for folder in ("training", "benchmarks")
    for path in sorted((ROOT / folder).rglob("*.md"))
)
"""Everything that scripts which measure wrote."""
COUNT = r"[\d,]+ of [\d,]+"
BENCHMARKS = ROOT / "benchmarks"


def section(page: str, title: str) -> str:
    """Text from a heading to the next heading."""
    found = re.search(rf"^(#+) {title}\n(.*?)(?=^#+ |\Z)", page, re.DOTALL | re.MULTILINE)
    assert found, title
    return found[2]


def packages() -> list[tuple[str, list[str]]]:
    """Rows of the table of packages: a place, and the modules named in it."""
    table = section(PAGES["architecture.md"], "Layers and the way of the data")
    rows = re.findall(r"^\| `([^`]+)` \| .+? \| (.*?)\|$", table, re.MULTILINE)
    return [(place, re.findall(r"`([^`]+)`", modules)) for place, modules in rows]


def test_the_readme_is_read_in_one_sitting():
    assert len(README.splitlines()) <= 200


@pytest.mark.parametrize(("place", "modules"), packages())
def test_packages_and_their_main_modules_are_where_the_table_says(place, modules):
    assert (ROOT / place).exists()
    for module in modules:
        path = ROOT / place / module
        assert path.is_dir() or path.with_suffix(".py").is_file(), module


def test_the_table_has_every_part_of_the_package():
    listed = [place for place, _ in packages()]
    for part in (ROOT / "genint").iterdir():
        if part.name.startswith("__") or part.name in ("py.typed", "version.py"):
            continue
        path = part.relative_to(ROOT).as_posix()
        assert any(place.rstrip("/") == path for place in listed), path


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text("utf-8")):
        if not target.startswith("https://"):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_places_that_are_named_exist(document):
    text = document.read_text("utf-8")
    for place in re.findall(
        r"`((?:genint|training|benchmarks|tests|deploy|sql|docs)/[^`<>* ]*)`", text
    ):
        assert (ROOT / place).exists(), place


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_scripts_that_are_named_exist(document):
    for module in re.findall(
        r"python -m ((?:training|benchmarks)[.a-z_]*)", document.read_text("utf-8")
    ):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_figures_are_those_that_were_measured(document):
    """Counts with their share, and whole rows of tables of counts and shares."""
    text = document.read_text("utf-8")
    for count in re.findall(rf"{COUNT} \([\d.]+\)", text):
        assert count in MEASURED, count
    if document.name != "README.md":  # whose table has its own form, see below
        rows = re.findall(rf"^\|.* (?:0\.\d\d\d|{COUNT}) .*\|$", text, re.MULTILINE)
        rows += re.findall(r"^\* (?:local|offline), \w+: HIGH is given .*", text, re.MULTILINE)
        for row in rows:
            assert row in MEASURED, row


def test_the_shares_of_the_readme_are_those_that_were_measured():
    rows = re.findall(
        r"^\| (offline|local) \| (phag|bacteri)\w+ \|.*\| (\S+) \|$", README, re.MULTILINE
    )
    assert len(rows) == 4
    for mode, kind, share in rows:
        row = rf"^\| novel \| {mode} \| {kind}\w+ \| [\d,]+ \| [\d.]+ \| {share} \|"
        assert re.search(row, MEASURED, re.MULTILINE), (mode, kind)


def test_figures_of_the_comparison_are_those_that_were_measured():
    _, found, measured = PAGES["comparison.md"].partition("## What was measured")
    rows = re.findall(r"^\|.*\d.*\|$", measured, re.MULTILINE)
    assert found
    assert rows
    assert all(row in MEASURED for row in rows), rows


def test_counts_of_contigs_taken_for_phages_are_those_of_the_fit():
    table = (ROOT / "genint/knowledge/data/contig_kinds.toml").read_text("utf-8")
    for right, judged in tomllib.loads(table)["taken_for_phages"].values():
        assert f"{right} of {judged} " in PAGES["genes.md"]


def test_times_of_the_example_are_those_that_were_measured():
    runs = json.loads((BENCHMARKS / "service" / "stages.json").read_text())["runs"]
    [seconds] = [run["seconds"] for run in runs if run["genome"] == "lambda.fasta"]
    for page in (README, PAGES["start.md"]):
        assert f"Interpreted 47 of 65 genes in {seconds} s: " in page


def test_costs_of_modes_are_those_that_were_measured():
    for one in json.loads((BENCHMARKS / "service" / "sizes.json").read_text())["runs"]:
        row = f"| {one['genome']} | {one['genes']:,} | {one['cpu_s']} |"
        assert row in PAGES["modes.md"]


def test_sums_of_a_hundred_machines_follow_from_what_was_measured():
    """400 processes, all busy; megabytes of uploads read and results written."""
    runs = json.loads((BENCHMARKS / "service" / "sizes.json").read_text())["runs"]
    of = {one["genome"]: one for one in runs}
    cells: list[list[str]] = [["235", "18.6"], []]
    for number, one in enumerate((of["lambda.fasta"], of["B_quintana.fna"])):
        each_second = 400 / one["cpu_s"]
        assert float(cells[0][number]) == pytest.approx(each_second, abs=0.5)
        sent = each_second * (one["upload_bytes"] + one["kept_bytes"]) / 1e6
        cells[1].append(f"{sent:.0f} MB")
    for row in ([f"{each} a second" for each in cells[0]], [f"{mb} a second" for mb in cells[1]]):
        assert f"| {' | '.join(row)} |" in PAGES["scale.md"]


def test_downloads_are_as_large_as_their_recipes_say():
    rows = re.findall(
        r"^\| `(\w+)` \| .*? \| (?:some )?([\d.]+ .B) \|", PAGES["databases.md"], re.MULTILINE
    )
    assert {name for name, _ in rows} == set(RECIPES)
    for name, size in rows:
        assert RECIPES[name].download.removeprefix("some ") == size, name


def test_the_reasoning_shown_in_the_tutorial_is_that_of_the_report():
    page = PAGES["tutorial.md"]
    [shown] = re.findall(r"```text\n(Gene call: .*?)```", page, re.DOTALL)
    golden = gzip.decompress((ROOT / "tests/golden/files/lambda_report.json.gz").read_bytes())
    [gene] = [gene for gene in json.loads(golden)["genes"] if gene["id"] == "NC_001416.1_00280"]
    assert gene["reasoning_chain"] == shown.splitlines()


def test_the_pictures_are_small_and_every_one_is_shown():
    shown = {
        name
        for page in (README, *PAGES.values())
        for name in re.findall(r"\]\((?:docs/)?images/([\w-]+\.(?:png|svg))\)", page)
    }
    pictures = {path.name: path.stat().st_size for path in (ROOT / "docs/images").iterdir()}
    assert shown == set(pictures)
    assert max(pictures.values()) <= 200_000


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_and_options_that_are_shown_exist(document):
    blocks = re.findall(r"```console\n(.*?)```", document.read_text("utf-8"), re.DOTALL)
    for line in re.findall(r"^\$ genint (.*?)(?:  #.*)?$", "".join(blocks), re.MULTILINE):
        command: click.Command = cli
        for word in shlex.split(line):
            options = {name for parameter in command.params for name in parameter.opts}
            if word.startswith("--"):
                assert word.partition("=")[0] in {*options, "--help", "--version"}, line
            elif isinstance(command, click.Group):
                found = command.get_command(click.Context(command), word)
                assert found is not None, line
                command = found


def test_what_was_read_is_counted_as_it_was():
    counts = re.compile(r"Pairs of names that were read: .* are there\.")
    [stated] = counts.findall(PAGES["confidence.md"])
    [measured] = counts.findall((ROOT / "training/confidence/figures.md").read_text("utf-8"))
    assert stated == measured


def test_figures_of_scale_are_those_that_were_measured():
    page, folder = PAGES["scale.md"], ROOT / "benchmarks" / "service"
    for one in json.loads((folder / "sizes.json").read_text())["runs"]:
        sizes = (one["sent_bytes"], one["returned_bytes"], one["kept_bytes"])
        cells = [one["genome"], f"{one['genes']:,}", one["cpu_s"]]
        cells += [one["json_cpu_s"], one["html_cpu_s"], *(f"{size / 1e6:.2f}" for size in sizes)]
        assert f"| {' | '.join(map(str, cells))} |" in page
    tables = json.loads((folder / "tables.json").read_text())
    for name, taken in tables["times"].items():
        assert f"| {name} | {taken['median_ms']:.1f} | {taken['p99_ms']:.1f} |" in page
    assert all(f"{rows:,} " in page for name, rows in tables["rows"].items() if name != "users")


def test_figures_of_two_services_are_those_that_were_measured():
    page = PAGES["scale.md"]
    found = json.loads((ROOT / "benchmarks/service/scale.json").read_text())
    rolled = found["rolling_restart"]
    assert f"{rolled['failed_requests']} of {rolled['requests']:,} requests failed" in page
    assert f"{rolled['lost_jobs']} of {rolled['jobs']} jobs were lost" in page
    assert f"the slowest request took {rolled['slowest_request_ms'] / 1000:.1f} s" in page
    for count, name in ((1, "one_service"), (2, "two_services")):
        costs = [route["cpu_ms_per_request"] for route in found[name]["routes"].values()]
        assert f"| {' | '.join(map(str, [count, *costs]))} |" in page


def test_every_option_of_interpret_is_in_the_table():
    table = section(PAGES["command-line.md"], "genint interpret")
    for parameter in interpret.params:
        for name in parameter.opts:
            if name.startswith("--") and name != "--output":
                assert f"`{name}" in table, name
    for name in re.findall(r"^\| `(--[a-z-]+)", table, re.MULTILINE):
        assert name in {option for parameter in interpret.params for option in parameter.opts}


def test_every_option_of_plot_is_in_the_table():
    table = section(PAGES["command-line.md"], "Figures")
    for parameter in plot.params:
        if isinstance(parameter, click.Option):
            assert f"`{parameter.opts[0]}" in table, parameter.name
    named = set(re.findall(r"^\| `(-[a-z-]+)", table, re.MULTILINE))
    assert named == {p.opts[0] for p in plot.params if isinstance(p, click.Option)}


def test_the_formats_named_are_those_that_are_built():
    stated = re.search(
        r"`--format ([^`]+)`", section(PAGES["command-line.md"], "genint interpret")
    )[1]
    assert stated.replace("\\", "").split("|") == list(FORMAT_NAMES)


def test_the_table_of_formats_has_each_with_the_name_of_its_file():
    table = section(PAGES["formats.md"], "Formats")
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)`", table, re.MULTILINE)
    expected = {name: report_name("<name>", name) for name in (*FORMATS, *FIGURE_FORMATS)}
    expected["--dark-fasta"] = expected.pop("dark-fasta")
    assert dict(rows) == expected


def test_the_table_of_correspondence_has_every_column_of_the_short_table():
    rows = re.findall(r"^\| (`.+?`) \|", section(PAGES["formats.md"], "TSV"), re.MULTILINE)
    named = re.findall(r"`([^`]+)`", " ".join(rows[1:]))
    assert named == [name for name, _ in SHORT_COLUMNS]


def test_every_option_of_report_is_described():
    text = section(PAGES["command-line.md"], "Again, in another format")
    for parameter in report.params:
        if isinstance(parameter, click.Option):
            name = max(parameter.opts, key=len)
            assert f"`{name}" in text or f"`{parameter.opts[0]}`" in text, name


def test_the_report_example_runs_and_prints_what_is_shown(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", "examples")
    shown = re.search(
        r"```console\n(.*?)```",
        section(PAGES["command-line.md"], "Again, in another format"),
        re.DOTALL,
    )[1]
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
    named = set(
        re.findall(r"^\| `([A-Z_]+)` \|", section(PAGES["operation.md"], "Settings"), re.MULTILINE)
    )
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
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    for target in re.findall(r"(?:^\$ |`)make ([\w-]+)", README + contributing, re.MULTILINE):
        assert f"make {target}" in listed


def test_the_library_examples_run(tmp_path, searched):
    pages = README + PAGES["library.md"]
    for example in re.findall(r"```python\n(.*?)```", pages, re.DOTALL):
        script = tmp_path / "example.py"
        script.write_text(example)
        subprocess.run([sys.executable, script], cwd=ROOT, check=True, capture_output=True)


def test_every_dependency_says_what_it_is_for():
    lines = (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
    stated = tomllib.loads("\n".join(lines))["project"]["dependencies"]
    for requirement in stated:
        (line,) = (line for line in lines if f'"{requirement}"' in line)
        assert "# " in line
