"""The files of a job, as worker processes read and write them.

The process that serves requests sees their paths only. Nothing here may import the storage:
worker processes would load its database drivers.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import zlib
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from genint.errors import FormatError, InputError
from genint.model.genome import Genome
from genint.model.interpretation import InterpretationSummary, Parameters
from genint.model.job import DarkGene, GeneCounts, Outcome
from genint.pipeline.gene_calling import Payload, read
from genint.pipeline.library import (
    as_result,
    difference_of,
    interpret_in_memory,
    render_report_bytes,
)
from genint.pipeline.resources import Folders, Resources, load_resources
from genint.pipeline.workspace import Handle, open_new_file
from genint.report.formats import FORMATS, render
from genint.report.result import GeneItem, GenintResult
from genint.report.validation import parse_result
from genint.version import __version__

REPORT = "report.html"
RESULT = "result.json.gz"
GENES = "genes.json"
_COMPRESSION = 6


def read_upload(
    upload: Path, filename: str, max_text_bytes: int, max_bases: int | None = None
) -> Genome:
    """Read an uploaded genome.

    Args:
        upload: The stored file.
        filename: Its name for its owner, in errors and in the result.
        max_text_bytes: Largest size of its text.
        max_bases: Most bases of all records together; None: no limit.

    Raises:
        FormatError: the file breaks its format, or is too large.
        InputError: the upload is gone.
    """
    source = _upload(upload, filename)
    return read(source, max_text_bytes=max_text_bytes, max_bases=max_bases)


def load_with_proteins(
    parameters: Parameters, folders: Folders, upload: Path, filename: str
) -> Resources:
    """What a job searches with, with the uploaded proteins of its user.

    Args:
        parameters: Of the job.
        folders: Where caches and databases lie.
        upload: The stored file of proteins.
        filename: Its name for its owner, in errors.

    Raises:
        FormatError: the proteins cannot be read.
        InputError: they are gone.
    """
    return load_resources(parameters, folders, _upload(upload, filename))


def _upload(upload: Path, filename: str) -> Payload:
    try:
        return Payload(upload.read_bytes(), filename)
    except FileNotFoundError:
        raise InputError("the uploaded file no longer exists; upload it again") from None


def write_result(summary: Handle[InterpretationSummary], folder: Path) -> Outcome:
    """Write report, result and genes of a job into a folder.

    Args:
        summary: Computed here, where the workspace deferred it.
        folder: The scratch folder of the attempt.

    Raises:
        OSError: the disk is full or broken.

    Cost: about 1.5 ms a gene.
    """
    result = as_result(summary.load())
    packed = gzip.compress(render(result, "json").encode(), _COMPRESSION, mtime=0)
    files = {REPORT: render(result, "html").encode(), RESULT: packed, GENES: _genes(result)}
    for name, content in files.items():
        _write(folder / name, content)
    return _outcome(result, sum(map(len, files.values())))


class StoredResult(NamedTuple):
    """What a report is made from once the job is done.

    Attributes:
        result: The compressed JSON result.
        upload: The file that was interpreted; None where the format is not written into it.
        filename: Its name for its owner.
    """

    result: Path
    upload: Path | None
    filename: str


def render_stored(stored: StoredResult, name: str, made: Path) -> None:
    """Render a stored result in the format ``name`` into the file ``made``.

    Raises:
        FormatError: the result cannot be read.
        FileNotFoundError: it is not there.
        InputError: the format needs the upload, which is gone or another file, or what a
            result of an older version lacks.

    Cost: 1 to 3 s for a bacterium.
    """
    result = _result(stored)
    original = None
    if FORMATS[name].needs_original and stored.upload is not None:
        original = _upload(stored.upload, stored.filename)
        if hashlib.sha256(original.content).hexdigest() != result.input.sha256:
            raise InputError("the upload is no longer the file of this result; run the job again")
    _write(made, render_report_bytes(result, name, original))


def render_difference(one: StoredResult, other: StoredResult, name: str) -> bytes:
    """What differs between two stored results, in a format of ``genint diff``.

    Raises:
        FormatError: a result cannot be read.
        FileNotFoundError: it is not there.

    Cost: 2 to 5 s for bacteria, most of it for reading the results.
    """
    a, b = ((_result(each), each.filename) for each in (one, other))
    return difference_of(a, b, name).encode()


def _result(stored: StoredResult) -> GenintResult:
    content = stored.result.read_bytes()
    try:
        return parse_result(gzip.decompress(content))
    except (EOFError, OSError, zlib.error) as cause:
        reason = "the stored result is damaged"
        raise FormatError(source="result", line=None, reason=reason) from cause


def render_example(genome: Path, folders: Folders) -> bytes:
    """The HTML report of a genome that ships, interpreted offline in this process.

    Raises:
        FormatError: the genome is not there or cannot be read.

    Cost: lambda about 2 s of CPU, 6 s with an empty cache folder.
    """
    summary = asyncio.run(interpret_in_memory(genome, Parameters("offline"), folders))
    return render_report_bytes(as_result(summary), "html")


def _genes(result: GenintResult) -> bytes:
    """The genes as a JSON array without white space."""
    return TypeAdapter(tuple[GeneItem, ...]).dump_json(result.genes)


def _outcome(result: GenintResult, result_bytes: int) -> Outcome:
    counts = result.summary
    return Outcome(
        counts=GeneCounts(
            total_genes=counts.total_genes,
            interpreted_genes=counts.interpreted_genes,
            high_confidence=counts.high,
            dark=counts.dark,
            supported_genes=counts.supported_genes,
            file_only_genes=counts.file_only_genes,
        ),
        dark_genes=tuple(_dark_gene(gene) for gene in result.genes if gene.is_dark),
        report_version=__version__,
        result_bytes=result_bytes,
    )


def _dark_gene(gene: GeneItem) -> DarkGene:
    novelty = gene.novelty
    ranked = (None, None) if novelty is None else (novelty.rank, novelty.priority)
    return DarkGene(gene.id, gene.name, gene.locus, *ranked)


def _write(file: Path, content: bytes) -> None:
    with open_new_file(file) as stream:
        stream.write(content)
