"""Workflows in examples/pipelines: genomes in, interpretations and one summary out.

Snakemake and the scripts for Slurm are run. The engine of Nextflow is in no package registry: the
scripts of its processes are run as it would fill them, and names are compared across its files.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PIPELINES = Path(__file__).resolve().parents[2] / "examples" / "pipelines"
NEXTFLOW = PIPELINES / "nextflow"


@pytest.fixture(scope="module")
def genomes(examples, tmp_path_factory) -> Path:
    """phiX174, and the same with a base changed."""
    folder = tmp_path_factory.mktemp("genomes")
    shutil.copy(examples / "phiX174.gbk", folder / "one.gbk")
    text = (examples / "phiX174.gbk").read_text()
    (folder / "two.gbk").write_text(text.replace("gagttttatc", "gagttttata"))
    return folder


@pytest.fixture(scope="module")
def run(searched):
    """Run a command in a folder as a node of a cluster would; standard output comes back."""

    def run_command(command, folder, **variables: str) -> str:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        home = {"HOME": str(folder), "GENINT_CACHE_DIR": str(searched)}
        done = subprocess.run(
            [str(word) for word in command],
            cwd=folder,
            env=os.environ | {"PATH": path} | home | variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run_command


def summed_up(folder: Path) -> set[str]:
    """The genomes in a summary."""
    with (folder / "genint_summary.tsv").open(newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    return {row["file"].partition(".")[0] for row in csv.DictReader(lines, delimiter="\t")}


def test_snakemake_interprets_each_genome_and_sums_up_once(genomes, run, tmp_path):
    command = [sys.executable, "-m", "snakemake", "-s", PIPELINES / "snakemake" / "Snakefile"]
    command += ["--cores", "2", "--config", f"genomes={genomes}", "options=--phage"]
    run(command, tmp_path)
    results = tmp_path / "results"
    assert {file.name for file in results.glob("*_report.*")} == {
        f"{name}_report.{extension}" for name in ("one", "two") for extension in ("json", "html")
    }
    assert summed_up(results / "summary") == {"one", "two"}
    assert "Nothing to be done" in run([*command, "--dry-run"], tmp_path)


def test_tasks_of_a_slurm_array_share_the_genomes_and_one_job_sums_up(genomes, run, tmp_path):
    files = sorted(genomes.iterdir())
    for task in ("1", "2"):
        variables = {"SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_COUNT": "2"}
        script = PIPELINES / "slurm" / "interpret.sh"
        run([script, "results/", *files], tmp_path, SLURM_CPUS_PER_TASK="1", **variables)
    run([PIPELINES / "slurm" / "summary.sh", "results/"], tmp_path)
    assert summed_up(tmp_path / "results") == {"one", "two"}
    repeated = {"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "1", "SHARDS": "2"}
    assert "already there" in run([script, "results/", *files], tmp_path, **repeated)


def processes() -> dict[str, str]:
    """Processes of the Nextflow module, and their scripts."""
    text = (NEXTFLOW / "modules" / "genint.nf").read_text()
    found = re.findall(r'^process (\w+) \{.*?"""\n(.*?)"""\n\}', text, re.DOTALL | re.MULTILINE)
    return dict(found)


def filled(script: str, **values: str) -> str:
    """A script as Nextflow fills it; KeyError for what no process has."""
    return re.sub(r"\$\{([\w.]+)\}", lambda found: values[found[1].replace(".", "_")], script)


def test_scripts_of_the_nextflow_processes_make_what_they_declare(genomes, run, tmp_path):
    for genome in genomes.iterdir():
        shutil.copy(genome, tmp_path)
    scripts = processes()
    given = {"genomes": "one.gbk two.gbk", "task_cpus": "2", "params_options": "--phage"}
    run(["bash", "-ue", "-c", filled(scripts["GENINT_INTERPRET"], **given)], tmp_path)
    for extension in ("json", "html"):
        assert len([*tmp_path.glob(f"reports/*_report.{extension}")]) == 2
    (tmp_path / "results").mkdir()
    for result in tmp_path.glob("reports/*_report.json"):
        result.rename(tmp_path / "results" / result.name)
    run(["bash", "-ue", "-c", filled(scripts["GENINT_SUMMARY"])], tmp_path)
    assert summed_up(tmp_path / "summary") == {"one", "two"}


def test_files_of_the_nextflow_workflow_name_the_same_processes_and_parameters():
    names = ("nextflow.config", "main.nf", "modules/genint.nf")
    config, workflow, module = ((NEXTFLOW / name).read_text() for name in names)
    assert set(re.findall(r"withName: '(\w+)'", config)) == set(processes())
    assert set(re.findall(r"^    (GENINT_\w+)\(", workflow, re.MULTILINE)) == set(processes())
    parameters = re.search(r"^params \{\n(.*?)^\}", config, re.DOTALL | re.MULTILINE)[1]
    used = set(re.findall(r"params\.(\w+)", workflow + module))
    assert used == set(re.findall(r"^    (\w+) =", parameters, re.MULTILINE))
    for text in (config, workflow, module):
        for opening, closing in ("{}", "()", "[]"):
            assert text.count(opening) == text.count(closing)
