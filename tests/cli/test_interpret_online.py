"""``genint interpret --mode online`` against services on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from genint.cli.main import run
from genint.cli.progress import ProgressBars
from genint.formats import read_genome
from genint.pipeline.run import Progress
from tests.online_services import Ids, Protein, Services, outage_page, serving, world_of

SILENT = "phiX174.gbk: UniProt could not be queried: "
RUN = ("interpret", "--mode", "online")


@pytest.fixture
def phix(examples) -> str:
    return str(examples / "phiX174.gbk")


@pytest.fixture(scope="module")
def cache_of_commands(pressed: Path) -> Path:
    """Every command asks: answers of others would be found in place of the services."""
    return pressed


@pytest.fixture
def services(phix: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    """They know all proteins of phiX174; no answer of theirs is kept."""
    proteins = [
        Protein(gene.protein, gene.product or "", Ids(refseq=gene.protein_id or ""))
        for gene in read_genome(Path(phix)).genes
    ]
    with serving(world_of(proteins)) as running:
        for name, value in running.environment.items():
            monkeypatch.setenv(name, value)
        yield running


def test_a_report_of_online_mode_tells_what_services_answered(services, phix, capsys):
    formats = ("--format", "json", "--format", "md", "--format", "gbk")
    assert run([*RUN, phix, *formats, "-o", "out"]) == 0
    assert capsys.readouterr().err == ""
    result = json.loads(Path("out/phiX174_report.json").read_text("utf-8"))
    assert result["parameters"]["online_services"] == ["uniprot", "interpro"]
    assert result["parameters"]["online_timeout_s"] is None
    assert [use["problem"] for use in result["online"]] == ["", ""]
    assert "answered for 11 of 11" in Path("out/phiX174_report.md").read_text("utf-8")
    entries = {
        f"UniProtKB/Swiss-Prot:{item['accession']}"
        for gene in result["genes"]
        for item in gene["evidence"]
        if item["source"] == "uniprot"
    }
    record = Path("out/phiX174_report.gbk").read_text("utf-8")
    assert entries
    assert all(f'/db_xref="{entry}"' in record for entry in entries)


def test_its_result_is_read_again(services, phix):
    assert run([*RUN, phix, "--format", "json"]) == 0
    assert run(["report", "phiX174_report.json", "--format", "md"]) == 0
    assert "answered for 11 of 11" in Path("phiX174_report.md").read_text("utf-8")


def test_a_dead_service_is_told_in_one_line_and_is_no_failure(services, phix, capsys):
    services.misbehave("uniprot", outage_page())
    assert run([*RUN, phix, "--online-timeout", "3", "--format", "json"]) == 0
    printed = capsys.readouterr()
    (line,) = printed.err.splitlines()
    assert line.startswith(SILENT)
    assert line.endswith("; the report says for which genes")
    assert printed.out.startswith("Interpreted ")
    result = json.loads(Path("phiX174_report.json").read_text("utf-8"))
    assert result["parameters"]["online_timeout_s"] == 3
    states = {answer["state"] for gene in result["genes"] for answer in gene["online"]}
    assert states & {"error", "not_asked"}
    assert run(["report", "phiX174_report.json", "--format", "md"]) == 0


def test_a_batch_redoes_what_a_service_gave_no_answer_for(services, phix, monkeypatch, capsys):
    Path("other.gbk").write_bytes(Path(phix).read_bytes())
    files = [phix, "other.gbk", "-o", "out"]
    with monkeypatch.context() as patch:
        patch.setenv("GENINT_UNIPROT_URL", "http://127.0.0.1:9")  # where nobody listens
        assert run([*RUN, *files, "--online-timeout", "20"]) == 0
    assert run([*RUN, *files, "--online-timeout", "20"]) == 0
    assert "2 done, 0 already there" in capsys.readouterr().out.splitlines()[-1]
    assert run([*RUN, *files, "--online-timeout", "20"]) == 0
    assert "0 done, 2 already there" in capsys.readouterr().out.splitlines()[-1]
    assert run([*RUN, *files, "--online-timeout", "21"]) == 0
    assert "2 done, 0 already there" in capsys.readouterr().out.splitlines()[-1]


def test_the_help_says_what_leaves_the_machine(capsys):
    assert run(["interpret", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "only checksums and identifiers of the proteins leave this machine" in told
    assert "--online-timeout S" in told
    assert "not built" not in told


def test_stages_that_run_side_by_side_have_a_bar_each(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with ProgressBars("lambda.fa") as bars:
        for step in (
            Progress("reading", 0, 1),
            Progress("reading", 1, 1),
            Progress("querying UniProt and InterPro", 0, 1),
            Progress("searching", 0, 1),
            Progress("searching", 3, 12),
            Progress("querying UniProt and InterPro", 1, 1),
            Progress("searching", 4, 12),
        ):
            bars(step)
    drawn = capsys.readouterr().err
    last = drawn[drawn.rindex("querying UniProt and InterPro") :]
    assert "1/1" in last
    assert "searching" in last
    assert "4/12" in last


def test_answers_of_earlier_are_said_to_be_earlier_and_lack_for_no_gene(
    services, phix, monkeypatch, capsys
):
    monkeypatch.setenv("GENINT_CACHE_MB", "100")
    assert run([*RUN, phix, "--format", "tsv"]) == 0
    first = Path("phiX174_report.tsv").read_text("utf-8")
    capsys.readouterr()
    for server in ("UNIPROT", "INTERPRO", "INTERPRO_GO"):
        monkeypatch.setenv(f"GENINT_{server}_URL", "http://127.0.0.1:9")  # where nobody listens
    assert run([*RUN, phix, "--format", "tsv", "--format", "md", "-o", "out"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert [line.split()[1] for line in told] == ["UniProt", "InterPro"]
    assert all("could not be queried" in line and "cached" in line for line in told)
    assert not any("for which genes" in line for line in told)
    assert Path("out/phiX174_report.tsv").read_text("utf-8") == first
    markdown = Path("out/phiX174_report.md").read_text("utf-8")
    assert "from the cache, release 2026_03; the current one could not be checked" in markdown
    assert run(["cache", "clear", "--online"]) == 0


def test_work_that_runs_on_in_a_thread_holds_up_no_end_and_changes_no_exit_code():
    script = """
import threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
from genint.cli.main import main
main(["interpret", "no_such_file.fasta"])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "no_such_file.fasta" in done.stderr
    assert len(done.stderr.splitlines()) == 1
