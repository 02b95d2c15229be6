"""The steps of a job, run in worker processes.

What is large (a genome, its proteins, the hits, the result) stays on disk, in the
scratch folder of the attempt, and goes from one worker process to the next that way.
The process that serves requests only ever sees paths and figures, so its event loop
never waits for a genome to be packed or unpacked.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import pickle
import zlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from genint.errors import FormatError, InputError
from genint.model.interpretation import Parameters
from genint.model.job import DarkGene, GeneCounts, Outcome
from genint.model.online import OnlineFindings, OnlineQuestions
from genint.pipeline.conclude import as_result, conclude, render_report
from genint.pipeline.gene_calling import Payload, call, read
from genint.pipeline.observe import observe
from genint.pipeline.online import questions_of
from genint.pipeline.resources import Resources
from genint.pipeline.rna import RnaAnswer, RnaTask, gather_rna, plan_rna, search_rna
from genint.pipeline.searches import gather, plan_search, search
from genint.version import __version__

if TYPE_CHECKING:
    from genint.report.result import GenintResult


REPORT = "report.html"
RESULT = "result.json.gz"
GENES = "genes.json"
QUESTIONS = "questions.pickle"
ONLINE = "online.pickle"
_CALLED = "called.pickle"
_PLAN = "plan.pickle"
_COMPRESSION = 6


class Input(NamedTuple):
    """What a job is about.

    Attributes:
        upload: The stored file.
        filename: Its name for its owner, in errors and in the result.
        parameters: Options of the interpretation.
        max_text_bytes: Largest size of its text.
    """

    upload: Path
    filename: str
    parameters: Parameters
    max_text_bytes: int


def begin(job: Input, scratch: Path, equipment: Resources) -> int:
    """Read the genome and find its genes; put both and what to search into the scratch folder.

    Args:
        job: What to interpret.
        scratch: An empty folder.
        equipment: What to search with.

    Returns:
        In how many parts what is not known yet of the proteins, and the bases for RNA, are to
        be searched.

    Raises:
        FormatError: the file breaks its format.
        InputError: the upload is gone.
        OSError: the disk is full or broken.

    Cost: 0.1 s for a phage, 15 s for a bacterium without genes.
    """
    genome = read(_payload(job.upload, job.filename), max_text_bytes=job.max_text_bytes)
    called = call(genome, job.parameters)
    _keep(scratch / _CALLED, called)
    plan, rna = plan_search(called, equipment, job.parameters), plan_rna(called, equipment)
    work = [*((task, plan.kit) for task in plan.tasks), *((task, rna.kit) for task in rna.tasks)]
    for part, one in enumerate(work):
        _keep(_task_file(scratch, part), one)
    if job.parameters.online_services:
        _keep(scratch / QUESTIONS, questions_of(called))
    _keep(scratch / _PLAN, (replace(plan, tasks=()), replace(rna, tasks=())))
    return len(work)


def _payload(upload: Path, filename: str) -> Payload:
    try:
        return Payload(upload.read_bytes(), filename)
    except FileNotFoundError:
        raise InputError("the uploaded file no longer exists; upload it again") from None


def questions_for_services(scratch: Path) -> OnlineQuestions:
    """What is to be asked online of a job that was begun."""
    questions: OnlineQuestions = _kept(scratch / QUESTIONS)
    return questions


def keep_answers(scratch: Path, findings: OnlineFindings) -> None:
    """Keep what services answered for the step that writes the result."""
    _keep(scratch / ONLINE, findings)


def search_part(scratch: Path, part: int) -> None:
    """Search one part of the proteins or of the bases; keep what is found in the scratch folder."""
    task, kit = _kept(_task_file(scratch, part))
    found = search_rna(task, kit) if isinstance(task, RnaTask) else search(task, kit)
    _keep(_answers_file(scratch, part), found)


def write_result(job: Input, scratch: Path, parts: int, equipment: Resources) -> Outcome:
    """Interpret every gene and write report, result and genes into the scratch folder.

    Cost: about 1.5 ms a gene.
    """
    called = _kept(scratch / _CALLED)
    answers = [answer for part in range(parts) for answer in _kept(_answers_file(scratch, part))]
    plan, rna = _kept(scratch / _PLAN)
    of_rna = [one for one in answers if isinstance(one, RnaAnswer)]
    found = gather(called, plan, [one for one in answers if not isinstance(one, RnaAnswer)])
    online = _kept(scratch / ONLINE) if job.parameters.online_services else None
    observed = observe(called, found._replace(rna=gather_rna(rna, of_rna)), equipment)
    result = as_result(conclude(observed, job.parameters, equipment, online=online))
    _write(scratch / REPORT, render_report(result, "html").encode())
    packed = gzip.compress(render_report(result, "json").encode(), _COMPRESSION, mtime=0)
    _write(scratch / RESULT, packed)
    _write(scratch / GENES, _genes(result))
    return _outcome(result)


class StoredResult(NamedTuple):
    """What a report is made from once the job is done.

    Attributes:
        result: The compressed JSON result.
        upload: The file that was interpreted, for formats that are written into it.
        filename: Its name for its owner.
    """

    result: Path
    upload: Path
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
    from genint.report.formats import FORMATS  # noqa: PLC0415 - lazy
    from genint.report.validation import parse_result  # noqa: PLC0415

    content = stored.result.read_bytes()
    try:
        result = parse_result(gzip.decompress(content))
    except (EOFError, OSError, zlib.error) as cause:
        reason = "the stored result is damaged"
        raise FormatError(source="result", line=None, reason=reason) from cause
    original = None
    if FORMATS[name].needs_original:
        original = _payload(stored.upload, stored.filename)
        if hashlib.sha256(original.content).hexdigest() != result.input.sha256:
            raise InputError("the upload is no longer the file of this result; run the job again")
    _write(made, render_report(result, name, original).encode())


def _genes(result: GenintResult) -> bytes:
    """The genes as a JSON array without white space."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - lazy

    from genint.report.result import GeneItem  # noqa: PLC0415

    return TypeAdapter(tuple[GeneItem, ...]).dump_json(result.genes)


def _outcome(result: GenintResult) -> Outcome:
    counts = result.summary
    return Outcome(
        counts=GeneCounts(
            total_genes=counts.total_genes,
            interpreted_genes=counts.interpreted_genes,
            high_confidence=counts.high,
            dark=counts.dark,
        ),
        dark_genes=tuple(
            DarkGene(gene.id, gene.name, gene.locus) for gene in result.genes if gene.is_dark
        ),
        report_version=__version__,
    )


def _task_file(scratch: Path, part: int) -> Path:
    return scratch / f"task{part}.pickle"


def _answers_file(scratch: Path, part: int) -> Path:
    return scratch / f"answers{part}.pickle"


def _keep(file: Path, value: object) -> None:
    _write(file, pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def _kept(file: Path) -> Any:
    return pickle.loads(file.read_bytes())  # noqa: S301 - written by our own process in this attempt


def _write(file: Path, content: bytes) -> None:
    """A new file that nobody else can read."""
    with open(file, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as stream:
        stream.write(content)
