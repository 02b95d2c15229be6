"""``genint plot``: files, names, errors and what is done again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from genint.cli.main import run
from genint.cli.report import read_result
from genint.formats import read_genome
from genint.knowledge import load_confidence
from genint.report import build_result, render_json
from tests.builders.results import summarise

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def phix(examples) -> str:
    """The result of phiX174, in the current folder."""
    result = build_result(summarise(read_genome(examples / "phiX174.gbk")), load_confidence())
    Path("phiX174_report.json").write_text(render_json(result))
    return "phiX174_report.json"


def svg_root(file: str) -> ElementTree.Element:
    return ElementTree.parse(file).getroot()  # noqa: S314 - our own file


def test_a_result_gives_a_round_map_beside_it(phix, capsys):
    assert run(["plot", phix]) == 0
    assert svg_root("phiX174_circular.svg").tag.endswith("svg")
    said = capsys.readouterr().out
    assert said.startswith("Drew 11 genes with ")
    assert said.endswith(" s. Figure: phiX174_circular.svg\n")


def test_layout_formats_and_folder_are_those_that_are_named(phix):
    command = ["plot", phix, "--layout", "linear", "--format", "png", "--format", "pdf", "-o"]
    assert run([*command, "out/"]) == 0
    assert sorted(file.name for file in Path("out").iterdir()) == [
        "phiX174_linear.pdf",
        "phiX174_linear.png",
    ]
    assert Path("out/phiX174_linear.png").read_bytes().startswith(b"\x89PNG")
    assert Path("out/phiX174_linear.pdf").read_bytes().startswith(b"%PDF")


def test_a_figure_goes_to_standard_output(phix, capfdbinary):
    assert run(["plot", phix, "--format", "pdf", "-o", "-"]) == 0
    printed = capfdbinary.readouterr()
    assert printed.out.startswith(b"%PDF")
    assert printed.err.startswith(b"Drew ")


def test_several_results_end_in_a_table_and_are_drawn_once(phix, capsys):
    shutil.copy(phix, "other_report.json")
    Path("bad.json").write_text("{")
    files = [phix, "other_report.json", "bad.json", "-o", "out"]
    assert run(["plot", *files]) == 2
    printed = capsys.readouterr()
    assert "3 files: 2 done, 0 already there, 1 failed" in printed.out
    assert "bad.json, line 1: no valid JSON" in printed.err
    assert run(["plot", *files]) == 2
    assert "0 done, 2 already there, 1 failed" in capsys.readouterr().out
    assert run(["plot", *files, "--force"]) == 2
    assert "2 done, 0 already there" in capsys.readouterr().out
    assert run(["plot", *files, "--label", "lysis"]) == 2
    assert "2 done, 0 already there" in capsys.readouterr().out


def test_a_comparison_is_one_figure_of_all(phix, capsys):
    shutil.copy(phix, "other_report.json")
    assert run(["plot", "--compare", phix, "other_report.json", "--label", "zzzz"]) == 0
    assert Path("phiX174_vs_other_comparison.svg").exists()
    said = capsys.readouterr()
    assert said.out.startswith("Drew 2 genomes with ")
    # under the name of none of them: it is true of both
    assert "comparison: no gene that is drawn has 'zzzz'" in said.err


NO_LETTER = "\U00012ff1"
"""Cypro-Minoan, which no usual font has."""


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["nowhere.json"], "nowhere.json: no such file"),
        (["genome.fasta"], "no valid JSON"),
        (["phiX174_report.json", "--layout", "square"], "'square'"),
        (["phiX174_report.json", "--format", "gif"], "'gif'"),
        (["phiX174_report.json", "--compare"], "--compare takes 2 to 12 results, not 1"),
        (["phiX174_report.json"] * 13 + ["--compare"], "--compare takes 2 to 12 results, not 13"),
        (["phiX174_report.json", "--rotate-linear"], "--rotate-linear needs --compare"),
        (["phiX174_report.json"] * 2 + ["--compare", "--layout", "linear"], "--layout is for"),
        (["phiX174_report.json"] * 2 + ["-o", "phiX174_report.json"], "is a file"),
        (["phiX174_report.json", "-o", "phiX174_report.json"], "would overwrite an input file"),
        (["-", "-", "--compare"], "can be read only once"),
        (["phiX174_report.json", "--dpi", "600"], "--dpi is for --format png"),
        (["phiX174_report.json", "--format", "png", "--dpi", "9"], "72<=x<=1200"),
        (["phiX174_report.json", "--title", "x" * 61], "has 1 to 60 characters, not 61"),
        (["phiX174_report.json", "--title", ""], "has 1 to 60 characters, not 0"),
        (["phiX174_report.json"] * 2 + ["--title", "x", "-o", "out"], "--title is for one figure"),
        (["phiX174_report.json"] * 2 + ["-o", "one.svg"], "one.svg looks like one file (.svg)"),
        (["phiX174_report.json", "--title", NO_LETTER, "--format", "png"], "no installed font has"),
    ],
)
def test_a_fault_is_one_line_and_exit_status_2(phix, capsys, options, reason):
    Path("genome.fasta").write_text(">x\nACGT\n")
    assert run(["plot", *options]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert reason in line


def test_interpret_and_report_write_figures_too(phix):
    assert run(["report", phix, "--format", "svg", "--format", "png"]) == 0
    assert Path("phiX174_report.svg").exists()
    assert run(["plot", phix]) == 0
    assert Path("phiX174_report.svg").read_bytes() == Path("phiX174_circular.svg").read_bytes()


WITHOUT_THE_EXTRA = """
import sys
from importlib.machinery import PathFinder

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        hidden = name.split(".")[0] in {"matplotlib", "pycirclize", "pygenomeviz"}
        return None if hidden else PathFinder.find_spec(name, path, target)

sys.meta_path = [Finder if one is PathFinder else one for one in sys.meta_path]
from genint.cli.main import run
from genint.cli.report import read_result
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "command",
    [
        ["plot", "phiX174_report.json"],
        ["report", "phiX174_report.json", "--format", "svg"],
        ["interpret", "phiX174_report.json", "--format", "png"],
    ],
)
def test_without_the_extra_one_line_says_how_to_get_it(phix, command):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_EXTRA, *command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == 'genint: figures need further packages: pip install "genint[plot]"\n'


def test_other_commands_load_nothing_of_figures(phix):
    script = (
        "import sys; from genint.cli.main import run; "
        f"run(['report', {phix!r}, '--format', 'tsv']); "
        "print([one for one in ('matplotlib', 'pycirclize', 'pandas') if one in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_word_that_no_gene_has_is_one_line_on_stderr(phix, capsys):
    assert run(["plot", phix, "--label", "zzzz"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if "zzzz" in line] == [
        f"{phix}: no gene that is drawn has 'zzzz' in its function or name"
    ]


@pytest.mark.parametrize("options", [["--layout", "circular"], ["--layout", "linear"]])
def test_a_title_stands_for_the_name_of_the_genome(phix, options):
    assert run(["plot", phix, *options, "--title", "Fig. 1"]) == 0
    texts = ["".join(one.itertext()) for one in svg_root(f"phiX174_{options[1]}.svg").iter()]
    assert "Fig. 1" in texts
    assert not any("Escherichia phage phiX174" in text for text in texts)


def test_a_title_stands_above_a_comparison_and_names_stay(phix):
    shutil.copy(phix, "other_report.json")
    command = ["plot", "--compare", phix, "other_report.json"]
    assert run(command) == 0
    bare = svg_root("phiX174_vs_other_comparison.svg")
    assert run([*command, "--title", "Two phages & more"]) == 0
    titled = svg_root("phiX174_vs_other_comparison.svg")
    assert float(titled.get("height")[:-2]) > float(bare.get("height")[:-2])
    without, more = ([text.text for text in one.iter(f"{SVG}text")] for one in (bare, titled))
    assert sorted(more) == sorted([*without, "Two phages & more"])


def test_dpi_are_those_of_the_png_and_change_no_vectors(phix):
    both = ["plot", phix, "--format", "png", "--format", "svg"]
    assert run(both) == 0
    first = Path("phiX174_circular.svg").read_bytes()
    assert run([*both, "--dpi", "100"]) == 0
    with Image.open("phiX174_circular.png") as image:
        assert image.info["dpi"] == pytest.approx((100, 100), abs=0.1)
        assert image.width / 100 * 25.4 == pytest.approx(180, abs=0.5)
    assert Path("phiX174_circular.svg").read_bytes() == first


def test_pages_of_a_map_in_lines_are_numbered_files(phix, capsys):
    result = read_result(Path(phix))
    first = result.records[0]
    others = [first.model_copy(update={"id": f"c{number}"}) for number in range(39)]
    many = result.model_copy(update={"records": (first, *others)})
    Path("many_report.json").write_text(render_json(many))
    assert run(["plot", "many_report.json", "--layout", "linear"]) == 0
    pages = sorted(file.name for file in Path().glob("many_linear*.svg"))
    assert pages[:2] == ["many_linear.svg", "many_linear_2.svg"]
    assert f"{len(pages)} pages, to many_linear_{len(pages)}.svg" in capsys.readouterr().err


def test_a_page_of_an_older_figure_is_told_and_stays(phix, capsys):
    Path("phiX174_linear_2.svg").write_text("older")
    assert run(["plot", phix, "--layout", "linear"]) == 0
    assert "phiX174_linear_2.svg is no page of this figure" in capsys.readouterr().err
    assert Path("phiX174_linear_2.svg").read_text() == "older"


def test_packages_that_cannot_be_loaded_are_one_line_with_the_cure(phix):
    Path("broken/pycirclize").mkdir(parents=True)
    Path("broken/pycirclize/__init__.py").write_text("raise ImportError('no symbol')")
    done = subprocess.run(
        [sys.executable, "-m", "genint", "plot", phix],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": "broken"},
    )
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "genint: the packages for figures cannot be loaded (no symbol); "
        'install them again: pip install --force-reinstall "genint[plot]"'
    ]
