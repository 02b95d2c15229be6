"""The page on extending adds an evidence source; this test really does what it says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCKS = re.findall(
    r'^```(python|diff) title="([^"]+)"\n(.*?)^```',
    (ROOT / "docs" / "extending.md").read_text("utf-8"),
    re.DOTALL | re.MULTILINE,
)
RUN = "import sys; from genint.cli.main import run; sys.exit(run(sys.argv[1:]))"


def test_the_evidence_source_of_the_page_needs_thirty_lines_and_is_in_the_report(tmp_path):
    shutil.copytree(ROOT / "genint", tmp_path / "genint", ignore=shutil.ignore_patterns("data"))
    data = "genint/knowledge/data"
    (tmp_path / data).symlink_to(ROOT / data, target_is_directory=True)
    added = [line for kind, file, text in BLOCKS for line in written(kind, tmp_path / file, text)]
    assert len([line for line in added if line.strip()]) <= 30

    bases = "".join((ROOT / "examples" / "lambda.fasta").read_text("utf-8").splitlines()[1:])
    genome, report = tmp_path / "genome.fasta", tmp_path / "report.json"
    genome.write_text(f">left_arm\n{bases[24_500:27_700]}\n", "utf-8")
    command = [sys.executable, "-c", RUN, "interpret", genome, "--format", "json", "-o", report]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    found = [
        (item["protein_start"], item["protein_end"])
        for gene in json.loads(report.read_text("utf-8"))["genes"]
        for item in gene["evidence"]
        if item["source"] == "motif"
    ]
    assert found == [(195, 202)]


def written(kind: str, file: Path, text: str) -> list[str]:
    """Write a new file, or change one as its block shows; the lines that were added."""
    if kind == "python":
        file.write_text(text, "utf-8")
        return text.splitlines()
    lines = text.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if not line.startswith("+"))
    after = "".join(line[1:] for line in lines if not line.startswith("-"))
    present = file.read_text("utf-8")
    assert present.count(before) == 1, f"{file.name} has not the lines of the page once"
    file.write_text(present.replace(before, after), "utf-8")
    return [line[1:] for line in lines if line.startswith("+")]
