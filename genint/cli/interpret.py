"""``genint interpret``: files in, reports and a summary line out."""

from __future__ import annotations

import asyncio
import datetime
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from genint.cli.journal import Journal, Origin, digest
from genint.cli.output import (
    STANDARD_STREAM,
    Job,
    Outcome,
    OutputRequest,
    check_formats,
    dark_fasta_option,
    finish_all,
    format_option,
    output_option,
    plan,
    read_input,
    remove_unfinished,
    write_reports,
)
from genint.cli.progress_lines import ProgressLines
from genint.cli.report import read_result
from genint.cli.run_log import RunLog, arguments_given, run_log
from genint.errors import FormatError, InputError, UsageError
from genint.formats import in_its_file, read_original, with_genes
from genint.model.interpretation import (
    LONGEST_TIMEOUT_S,
    MODES,
    SHORTEST_TIMEOUT_S,
    Parameters,
    checked_date,
    chosen_services,
)
from genint.model.locus_tags import checked_prefix
from genint.pipeline.gene_calling import Payload
from genint.report.formats import report_name
from genint.version import __version__

if TYPE_CHECKING:
    from genint.pipeline.ahead import Ahead
    from genint.pipeline.run import Progress
    from genint.report.result import GenintResult


class Options(NamedTuple):
    """What the user chose, for every file of the run.

    Attributes:
        parameters: All that can change a result.
        workers: Processes.
        proteins: The user's own.
        evidence: Results of other programs, and peptides.
        markers: Files of marker proteins.
        cluster: Address of the scheduler of a Dask cluster.
        genes: GFF3 of the only file.
    """

    parameters: Parameters
    workers: int
    proteins: Payload | None
    evidence: tuple[Payload, ...] = ()
    cluster: str | None = None
    genes: Payload | None = None
    markers: tuple[Payload, ...] = ()


@dataclass(slots=True)
class Run:
    """A run over one or more files, one after another.

    Attributes:
        options: Of every file.
        journal: What earlier runs wrote; None for one file.
        settings: What besides the input decides a report, as the journal keeps it.
        force: Redo what they did.
        log: Of the run.
        ahead: What computes several files at a time, ahead of their reports; None: one by one.
        numbers: Of the files among those that it computes.
        tags_taken: Numbers of locus tags, in steps of ten, that the files so far took up: those
            of the next file go on behind them. A file that cannot be read takes none.
    """

    options: Options
    journal: Journal | None
    settings: Mapping[str, str]
    force: bool
    log: RunLog
    ahead: Ahead | None = None
    numbers: Mapping[Job, int] = field(default_factory=dict)
    tags_taken: int = 0

    @property
    def parameters(self) -> Parameters:
        """Those of the next file."""
        return replace(self.options.parameters, locus_tags_before=self.tags_taken)

    def is_computed(self, job: Job) -> bool:
        """Whether the result of a file is there, ahead of its report."""
        return self.ahead is not None and self.ahead.is_computed(self.numbers[job])

    def origin(self, payload: bytes) -> Origin:
        """What decides the reports of the next file."""
        settings = dict(self.settings)
        if self.options.parameters.locus_tag_prefix is not None:
            settings["locus tags"] = f"behind {self.tags_taken}"
        return Origin(digest(payload), settings)

    def was_done(self, job: Job, origin: Origin) -> bool:
        """Whether an earlier run did a file, and it is known which locus tags it took."""
        if self.journal is None or self.force or not self.journal.is_done(job, origin):
            return False
        if self.options.parameters.locus_tag_prefix is None:
            return True
        taken = self.journal.tags_taken(job)
        self.tags_taken = taken or self.tags_taken
        return taken is not None

    def stored_result(self, job: Job, origin: Origin) -> GenintResult | None:
        """The result that an earlier run wrote as JSON, where only formats are missing."""
        if self.journal is None or self.force:
            return None
        path = self.journal.folder / report_name(job.stem, "json")
        return read_result(path) if self.journal.is_current(path, origin) else None

    def without_current(self, job: Job, origin: Origin) -> Job:
        """A job without the reports that are there as this run would write them."""
        if self.journal is None:
            return job
        current = self.journal.is_current
        missing = (one for one in job.outputs if not (one.path and current(one.path, origin)))
        return replace(job, outputs=tuple(missing))


_MAX_WORKERS = 4
_MOST_SHARDS = 100_000
_MANY_FOR_EACH_WORKER = 2
"""Files from which each is computed by one process: fewer would leave processes without work."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="offline",
    show_default=True,
    help="offline: what ships with genint. local: databases of `genint db install` too. "
    "online: UniProt and InterPro are queried too; only checksums and identifiers of the proteins "
    "leave this machine, never a sequence.",
)
@click.option(
    "--genes",
    type=click.Path(),
    metavar="GFF3",
    help="GFF3 file with the genes of FILE (FASTA); sequences in the GFF3 file are ignored.",
)
@click.option("--phage", is_flag=True, help="Find genes nested in other predicted genes too.")
@format_option
@output_option
@dark_fasta_option
@click.option(
    "--workers",
    type=click.IntRange(1, _MAX_WORKERS),
    default=lambda: min(_MAX_WORKERS, os.cpu_count() or 1),
    show_default="cores, at most 4",
    help="Parallel processes; of many files, as many at a time.",
)
@click.option(
    "--dask",
    "cluster",
    metavar="ADDRESS",
    help="Compute on the Dask cluster with this scheduler, such as tcp://host:8786. Needs the "
    "extra dask here and on the workers.",
)
@click.option(
    "--shard",
    metavar="I/N",
    help="Do only part I of N of the files, divided by their content: 1/8 to 8/8 are the tasks of "
    "an array job.",
)
@click.option(
    "--ignore-annotations",
    is_flag=True,
    help="Predict genes and interpret them as if the file had none, then compare with the file.",
)
@click.option(
    "--locus-tag",
    metavar="PREFIX",
    help="Prefix of new locus tags, 3 to 12 letters and digits, a letter first; numbers go on over "
    "all records. Tags of the file become old locus tags [default: keep the tags of the file].",
)
@click.option(
    "--proteins",
    type=click.Path(),
    metavar="FILE",
    help="Named proteins of your own to compare with: FASTA or GenBank.",
)
@click.option(
    "--evidence",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="Results of another program for this genome (Bakta JSON; Pharokka and Phold GenBank or "
    "TSV; eggNOG-mapper; InterProScan TSV or JSON), or peptides of mass spectrometry (TSV, FASTA). "
    "May be given several times.",
)
@click.option(
    "--markers",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="Proteins of toxins, resistance or virulence factors (such as VFDB's FASTA). Similar "
    "proteins are reported for the genome and name no gene. May be given several times.",
)
@click.option(
    "--max-identity",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="X",
    help="Leave out entries of Swiss-Prot and --proteins of this identity and more (0 to 1); for "
    "tests of accuracy.",
)
@click.option(
    "--online-timeout",
    "online_timeout_s",
    type=click.FloatRange(SHORTEST_TIMEOUT_S, LONGEST_TIMEOUT_S),
    metavar="S",
    help="Seconds for queries of UniProt and InterPro, 1 to 3600; answers that arrived by then are "
    "used [default: 60, for more than 200 proteins 300].",
)
@click.option(
    "--date",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="Date in GenBank, EMBL and XLSX files; never the date of today by itself [default: none].",
)
@click.option(
    "--log",
    "log_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write steps with their times, versions, databases and remarks to FILE.",
)
@click.option(
    "--force", is_flag=True, help="Interpret files again whose reports are already there."
)
def interpret(  # noqa: PLR0913 - click passes every option by name
    *,
    files: tuple[str, ...],
    mode: str,
    genes: str | None,
    phage: bool,
    formats: tuple[str, ...],
    output: str | None,
    dark_fasta: str | None,
    workers: int,
    cluster: str | None,
    shard: str | None,
    ignore_annotations: bool,
    locus_tag: str | None,
    proteins: str | None,
    evidence: tuple[str, ...],
    markers: tuple[str, ...],
    max_identity: float | None,
    online_timeout_s: float | None,
    date: datetime.datetime | None,
    log_file: Path | None,
    force: bool,
) -> int:
    """Interpret the genes of genome files (GenBank, FASTA, GFF3; plain, .gz, .bz2; - for stdin).

    Each FILE gives <name>_report.md in the current folder, unless -o says otherwise.
    Several files end in a table; started again, only what is missing is done.
    """
    _set_up_process()
    given_files = (genes, proteins, *evidence, *markers)
    _check_files(files, genes, given_files)
    if online_timeout_s is not None and mode != "online":
        raise UsageError("--online-timeout needs --mode online")
    part = _part(shard, files, locus_tag)
    jobs = plan(files, OutputRequest(check_formats(formats), output, dark_fasta))
    _check_log(log_file, jobs, given_files)
    parameters = Parameters(
        mode,
        phage,
        ignore_annotations,
        _checked_prefix(locus_tag),
        max_identity,
        chosen_services(mode),
        online_timeout_s,
        _checked_date(date),
    )
    given, marking = _all_given(evidence), _all_given(markers)
    options = Options(parameters, workers, _given(proteins), given, cluster, _given(genes), marking)
    _check_evidence(given, marking)
    journal = _journal(jobs, part)
    if part is not None:
        jobs = tuple(job for job in jobs if part.has(job))
    with run_log(log_file, arguments_given()) as log:
        chosen = {one.name: getattr(parameters, one.name) for one in fields(parameters)}
        told = [f"{name} {value}" for name, value in chosen.items() if value not in (None, ())]
        log.say(f"parameters: {', '.join((*told, f'workers {workers}'))}")
        run = Run(options, journal, _settings(options) if journal else {}, force, log)
        with _computed_ahead(jobs, run):
            do = partial(_interpret_one, run=run)
            return finish_all(jobs, "Interpreted", do, run.is_computed)


def _set_up_process() -> None:
    from genint.settings import without_matrix_threads  # noqa: PLC0415 - loads pydantic

    without_matrix_threads()


def _check_files(
    files: Sequence[str], genes: str | None, given_files: Sequence[str | None]
) -> None:
    if (*files, *given_files).count(STANDARD_STREAM) > 1:
        raise UsageError(
            "standard input can be one of FILE, --genes, --proteins, --evidence and --markers"
        )
    if genes is not None and len(files) > 1:
        raise UsageError("--genes takes one FILE; of several, give each as GFF3 with its bases")


def _part(shard: str | None, files: Sequence[str], locus_tag: str | None) -> Shard | None:
    """The part of the files that this run does; None for all."""
    if shard is None:
        return None
    part = Shard.of(shard)
    if locus_tag is not None:
        raise UsageError("--locus-tag numbers all files in one row, so it takes no --shard")
    if STANDARD_STREAM in files:
        raise UsageError("--shard takes files, not standard input")
    return part


def _journal(jobs: Sequence[Job], part: Shard | None) -> Journal | None:
    """The journal of a run of several files, which always go to a folder; None for one file."""
    first = jobs[0].outputs[0].path
    if len(jobs) == 1 or first is None:
        return None
    journal = Journal.open(first.parent, "" if part is None else part.name)
    journal.check_writable()
    written = {one.path.name for job in jobs for one in job.outputs if one.path is not None}
    remove_unfinished(first.parent, written)
    return journal


@contextmanager
def _computed_ahead(jobs: Sequence[Job], run: Run) -> Iterator[None]:
    """Compute several files at a time where that is quicker than several parts of one."""
    options = run.options
    in_a_row = options.parameters.locus_tag_prefix is not None or any(
        job.source is None
        for job in jobs  # standard input is read once
    )
    is_many = len(jobs) >= _MANY_FOR_EACH_WORKER * options.workers > _MANY_FOR_EACH_WORKER
    if in_a_row or not (is_many or (options.cluster is not None and len(jobs) > 1)):
        yield
        return
    from genint.pipeline.ahead import Ahead  # noqa: PLC0415 - loads pydantic
    from genint.pipeline.many import ForAll  # noqa: PLC0415

    sources = [partial(_to_compute, job, run) for job in jobs]
    for_all = ForAll(options.parameters, options.proteins, options.evidence, options.markers)
    concurrency = options.workers if options.cluster is None else None
    with Ahead(for_all, sources, concurrency=concurrency, cluster=options.cluster) as ahead:
        run.ahead = ahead
        run.numbers = {job: number for number, job in enumerate(jobs)}
        yield


def _to_compute(job: Job, run: Run) -> Payload | None:
    """What is computed for a file; None where its reports are there, or can be rendered."""
    payload = read_input(job.source)
    origin = run.origin(payload)
    if run.was_done(job, origin):
        return None
    if run.journal is not None and not run.force:
        run.journal.refuse_others(job, origin)
    if run.stored_result(job, origin) is not None:
        return None
    return Payload(payload, job.name)


class Shard(NamedTuple):
    """One of several parts of the files; which one a file is in, its content decides."""

    number: int
    of_all: int

    @classmethod
    def of(cls, text: str) -> Shard:
        """Read ``2/8``.

        Raises:
            UsageError: it is not of that form.
        """
        number, slash, of_all = text.partition("/")
        if slash and number.isdecimal() and of_all.isdecimal():
            shard = cls(int(number), int(of_all))
            if 1 <= shard.number <= shard.of_all <= _MOST_SHARDS:
                return shard
        raise UsageError(f"--shard {text}: write I/N, such as 2/8, with I from 1 to N")

    @property
    def name(self) -> str:
        """For names of files."""
        return f"{self.number}of{self.of_all}"

    def has(self, job: Job) -> bool:
        """Whether a file belongs here; one that cannot be read belongs to the first."""
        try:
            found = int(digest(read_input(job.source)), 16) % self.of_all
        except InputError:
            found = 0
        return found == self.number - 1


def _check_evidence(given: Sequence[Payload], markers: Sequence[Payload]) -> None:
    """Refuse what cannot be read before anything is computed; once for all files of the run."""
    if given:
        from genint.pipeline.imported import read_evidence  # noqa: PLC0415 - lazy

        read_evidence(given)
    if markers:
        from genint.formats.markers import read_markers  # noqa: PLC0415 - lazy

        for one in markers:
            read_markers(one.content, one.filename)


def _check_log(log_file: Path | None, jobs: Sequence[Job], given: Sequence[str | None]) -> None:
    """Refuse a log that would overwrite what is read or written, or whose folder is not there."""
    if log_file is None:
        return
    if str(log_file) == STANDARD_STREAM:
        raise UsageError("--log takes the name of a file, not -")
    used = [path for job in jobs for path in (job.source, *(one.path for one in job.outputs))]
    used += [Path(file) for file in given if file]
    if log_file.resolve() in {path.resolve() for path in used if path is not None}:
        raise UsageError(f"--log {log_file.name} is a file that is read or a report; name another")
    made = {one.path.resolve().parent for job in jobs for one in job.outputs if one.path}
    if not log_file.parent.exists() and log_file.resolve().parent not in made:
        raise UsageError(f"--log {log_file}: there is no folder {log_file.parent}; make it first")


def _given(file: str | None) -> Payload | None:
    """A file of proteins or evidence, read once for all files of the run."""
    if file is None:
        return None
    path = None if file == "-" else Path(file)
    return Payload(read_input(path), "stdin" if path is None else path.name)


def _all_given(files: Sequence[str]) -> tuple[Payload, ...]:
    return tuple(payload for file in files if (payload := _given(file)) is not None)


def _checked_prefix(prefix: str | None) -> str | None:
    """What was given, if the INSDC takes it."""
    try:
        return None if prefix is None else checked_prefix(prefix)
    except UsageError as problem:
        raise UsageError(f"--locus-tag: {problem}") from problem


def _checked_date(given: datetime.datetime | None) -> datetime.date | None:
    """What was given, if a record can have it."""
    if given is None:
        return None
    try:
        return checked_date(given.date())
    except UsageError as problem:
        raise UsageError(f"--date: {problem}") from problem


def _settings(options: Options) -> Mapping[str, str]:
    """What besides the input decides a report; workers do not."""
    from genint.knowledge.catalogue import databases  # noqa: PLC0415 - lazy

    known = (
        *(f"{item.name} {item.version} {item.sha256}" for item in databases()),
        *_installed(options.parameters),
    )
    return {
        "version of genint": __version__,
        "parameters": str(options.parameters),
        "proteins": digest(options.proteins.content) if options.proteins else "",
        "databases": digest("\n".join(known).encode()),
        **_of_files("evidence", options.evidence),
        **_of_files("markers", options.markers),
    }


def _of_files(what: str, files: Sequence[Payload]) -> Mapping[str, str]:
    """Names and digests of files; nothing without any, as earlier versions wrote."""
    if not files:
        return {}
    told = "\n".join(f"{one.filename} {digest(one.content)}" for one in files)
    return {what: digest(told.encode())}


def _installed(parameters: Parameters) -> list[str]:
    """What is installed and used, by content."""
    from genint.pipeline.library import user_folders  # noqa: PLC0415 - loads pydantic
    from genint.pipeline.resources import load_resources  # noqa: PLC0415

    found = load_resources(parameters, user_folders()).installed
    return [f"{name} {item.digest}" for name, item in found.items()]


def _interpret_one(job: Job, *, run: Run) -> Outcome:
    """Read, interpret and write the reports of one file."""
    with run.log.of_job(job):
        outcome = _do_one(job, run)
    run.log.ended(job, outcome)
    return outcome


def _do_one(job: Job, run: Run) -> Outcome:
    computed, seconds = (None, 0.0)
    if run.ahead is not None:
        computed, seconds = run.ahead.result(run.numbers[job])
    started = time.monotonic() - seconds
    payload = _with_genes(read_input(job.source), job.name, run.options.genes)
    origin = run.origin(payload)
    run.log.began(job, payload, origin.input)
    if run.was_done(job, origin):
        return Outcome(job.name, "kept", place=job.place)
    if run.journal is not None and not run.force:
        run.journal.refuse_others(job, origin)
    stored = run.stored_result(job, origin)
    if stored is None:
        _say_changes(job, origin, run)
    else:
        job = run.without_current(job, origin)
    try:
        result = stored or computed or _result_of(job.name, payload, run)
    except FormatError as fault:
        genes = run.options.genes
        if genes is None:
            raise
        raise in_its_file(fault, payload, job.name, genes[1]) from fault
    run.log.used(job.name, result)
    run.tags_taken = _tags_taken(result)
    written, unwritten = write_reports(result, job, partial(read_original, payload, job.name))
    for problem in unwritten:
        run.log.warn(f"{job.name}: {problem}")
    if run.journal is not None and _is_whole(result) and not unwritten:
        run.journal.record(job, origin, run.tags_taken)
    _say_remarks(job.name, len(result.warnings), result.summary.total_genes)
    _say_problems(job.name, result)
    state = "done" if stored is None else "rendered"
    return Outcome.done(written, result, time.monotonic() - started, unwritten, state=state)


def _with_genes(payload: bytes, name: str, genes: Payload | None) -> bytes:
    """The bytes of a file, with its genes where they are in one of their own."""
    return payload if genes is None else with_genes((payload, name), genes)


def _say_changes(job: Job, origin: Origin, run: Run) -> None:
    """Why a file is interpreted again whose reports are there, on standard error."""
    if run.journal is None or run.force:
        return
    if changed := run.journal.changes(job, origin):
        text = f"other {' and '.join(changed)} than those of the reports that are there"
        run.log.say(f"{job.name}: {text}")
        click.echo(f"{job.name}: {text}; interpreted again", err=True)


def _tags_taken(result: GenintResult) -> int:
    from genint.report.locus_tags import locus_tags_taken  # noqa: PLC0415 - loads pydantic

    return locus_tags_taken(result)


def _result_of(name: str, payload: bytes, run: Run) -> GenintResult:
    """Interpret the bytes of one file, with progress bars on a terminal."""
    from genint.pipeline.library import (  # noqa: PLC0415 - loads pydantic
        as_result,
        interpret_in_memory,
        user_folders,
    )

    with _progress(name) as report:

        def told(step: Progress) -> None:
            run.log.step(name, step)
            if report is not None:
                report(step)

        work = interpret_in_memory(
            Payload(payload, name),
            run.parameters,
            user_folders(),
            workers=run.options.workers,
            progress=told,
            proteins=run.options.proteins,
            evidence=run.options.evidence,
            markers=run.options.markers,
            cluster=run.options.cluster,
        )
        summary = asyncio.run(work)
    return as_result(summary)


def _is_whole(result: GenintResult) -> bool:
    """Whether services answered for all proteins; if not, a later run shall ask again."""
    return all(use.answered == use.proteins for use in result.online)


def _say_problems(name: str, result: GenintResult) -> None:
    """Which services could not be queried, on standard error; the run has not failed."""
    from genint.report.wording import problem_text  # noqa: PLC0415 - lazy

    for use in result.online:
        if use.problem:
            # no gene lacks an answer where all proteins were answered all the same
            where = "" if use.answered == use.proteins else "; the report says for which genes"
            click.echo(f"{name}: {problem_text(use)}{where}", err=True)


def _say_remarks(name: str, remarks: int, genes: int) -> None:
    """What a user should know before opening the report, on standard error."""
    if remarks:
        what = "1 remark" if remarks == 1 else f"{remarks} remarks"
        click.echo(f"{name}: {what} on the input, see the report", err=True)
    if not genes:
        click.echo(f"{name}: no protein-coding gene was found", err=True)


def _progress(name: str) -> AbstractContextManager[Callable[[Progress], None] | None]:
    """Progress bars on standard error if that is a terminal, else a line now and then."""
    if not sys.stderr.isatty():
        return nullcontext(ProgressLines(name))
    from genint.cli.progress import ProgressBars  # noqa: PLC0415 - rich costs 0.1 s

    return ProgressBars(name)
