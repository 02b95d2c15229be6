"""What the pipeline leaves on disk for a job; run here in a real worker process."""

from __future__ import annotations

import gzip
import json
import stat
from functools import partial

import pytest

from genint import interpret_genome
from genint.compute import ProcessBackend
from genint.errors import FormatError, InputError
from genint.model import Parameters
from genint.pipeline.library import as_result
from genint.pipeline.resources import load_resources
from genint.pipeline.run import run_pipeline
from genint.pipeline.workspace import ScratchWorkspace
from genint.report import render_json
from genint.version import __version__
from genint.worker.result_files import StoredResult, read_upload, render_stored, write_result

MAX_TEXT_BYTES = 10_000_000


@pytest.fixture
async def process():
    backend = ProcessBackend(1)
    yield backend
    await backend.close()


def stored_in(scratch, genome):
    return StoredResult(scratch / "result.json.gz", genome, genome.name)


async def run(process, upload, scratch, folders, *, name=None, max_text_bytes=MAX_TEXT_BYTES):
    parameters = Parameters()
    resources = load_resources(parameters, folders)
    source = partial(read_upload, upload, name or upload.name, max_text_bytes)
    workspace = ScratchWorkspace(process, scratch)
    summary = await run_pipeline(source, parameters, resources, workspace)
    return await process.run(write_result, summary, scratch)


@pytest.mark.parametrize("name", ["lambda.fasta", "phiX174.gbk"])
async def test_the_result_is_that_of_the_library(name, examples, folders, process, tmp_path):
    outcome = await run(process, examples / name, tmp_path, folders)
    expected = as_result(interpret_genome(examples / name, cache_folder=folders.cache))
    stored = gzip.decompress((tmp_path / "result.json.gz").read_bytes())
    assert stored.decode() == render_json(expected)
    genes = json.loads((tmp_path / "genes.json").read_bytes())
    assert genes == json.loads(stored)["genes"]
    assert outcome.counts.total_genes == len(genes)
    assert outcome.counts.dark == len(outcome.dark_genes)
    assert outcome.counts.high_confidence == expected.summary.high
    assert outcome.counts.interpreted_genes == expected.summary.interpreted_genes
    assert outcome.counts.supported_genes == expected.summary.supported_genes
    assert outcome.counts.file_only_genes == expected.summary.file_only_genes
    files = [tmp_path / made for made in ("report.html", "result.json.gz", "genes.json")]
    assert outcome.result_bytes == sum(file.stat().st_size for file in files)
    assert [gene.id for gene in outcome.dark_genes] == [
        gene.id for gene in expected.genes if gene.is_dark
    ]
    assert outcome.report_version == __version__


async def test_the_same_genome_gives_the_same_bytes(examples, nothing_found, process, tmp_path):
    made = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        await run(process, examples / "phiX174.gbk", tmp_path / name, nothing_found)
        made.append(
            [
                (tmp_path / name / file).read_bytes()
                for file in ("report.html", "result.json.gz", "genes.json")
            ]
        )
    assert made[0] == made[1]


async def test_a_report_rendered_again_is_the_same(examples, folders, process, tmp_path):
    await run(process, examples / "phiX174.gbk", tmp_path, folders)
    stored = stored_in(tmp_path, examples / "phiX174.gbk")
    await process.run(render_stored, stored, "html", tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "report.html").read_bytes()


async def test_nobody_else_can_read_what_is_made(examples, folders, process, tmp_path):
    await run(process, examples / "phiX174.gbk", tmp_path, folders)
    modes = {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes == {0o600}


async def test_a_broken_file_is_reported_with_its_name_and_line(folders, process, tmp_path):
    (tmp_path / "upload").write_text(">one\nACGT\nAC!T\n")
    with pytest.raises(FormatError, match=r"mine\.fasta, line 3: "):
        await run(process, tmp_path / "upload", tmp_path, folders, name="mine.fasta")


async def test_a_text_above_the_limit_is_refused(examples, folders, process, tmp_path):
    big = tmp_path / "big.fasta.gz"
    big.write_bytes(gzip.compress((examples / "lambda.fasta").read_bytes()))
    with pytest.raises(FormatError, match="MB of text"):
        await run(process, big, tmp_path, folders, max_text_bytes=20_000)


def test_a_genome_of_more_bases_than_allowed_is_refused_whatever_its_first_line_says(
    examples, tmp_path
):
    lying = tmp_path / "lying.gbk"
    text = (examples / "phiX174.gbk").read_text()
    lying.write_text(text.replace(" 5386 bp", " 100 bp", 1))
    genome = partial(read_upload, lying, lying.name, MAX_TEXT_BYTES)
    assert sum(len(contig.bases) for contig in genome(5386).contigs) == 5386
    with pytest.raises(FormatError, match=r"lying\.gbk: holds more than 5,385 bases"):
        genome(5385)


async def test_an_upload_that_is_gone_is_reported_without_its_path(folders, process, tmp_path):
    with pytest.raises(InputError, match="no longer exists") as caught:
        await run(process, tmp_path / "gone.gb", tmp_path, folders)
    assert str(tmp_path) not in str(caught.value)
