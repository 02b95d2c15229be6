"""The library: interpret a genome, with or without an event loop, and write reports."""

from __future__ import annotations

import asyncio
import datetime
import os
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import replace
from functools import cache, partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from genint import settings
from genint.compute import MAX_WORKERS, open_backend, run_with_retry
from genint.errors import UsageError
from genint.formats import Original, read_original
from genint.knowledge.catalogue import databases
from genint.knowledge.confidence import load_confidence
from genint.model.genome import Genome
from genint.model.interpretation import InterpretationSummary, Parameters, chosen_services
from genint.model.online import OnlineService
from genint.pipeline.gene_calling import Payload, as_payload, read
from genint.pipeline.online import load_client
from genint.pipeline.resources import Folders, held_open, load_resources
from genint.pipeline.run import ProgressCallback, run_pipeline
from genint.pipeline.workspace import MemoryWorkspace
from genint.report.build import build_result
from genint.report.formats import FIGURE_FORMATS, FORMATS, format_of, render, render_bytes
from genint.report.result import GenintResult
from genint.version import __version__, library_version

if TYPE_CHECKING:
    from genint.compute import Backend
    from genint.compute.cluster import Cluster
    from genint.pipeline.shared_search import SharedSearch

GenomeSourceLike = Genome | Payload | str | os.PathLike[str]
"""A genome that was read, the path of a file, or its bytes with a name."""
ProteinSourceLike = Payload | str | os.PathLike[str]
"""The path of a file of proteins, or its bytes with a name."""
EvidenceSourceLike = Payload | str | os.PathLike[str]
"""The path of a file of another program or of an experiment, or its bytes with a name."""
FolderLike = str | os.PathLike[str]
"""The path of a folder."""
_DECIDING = ("biopython", "gb-io", "numpy", "pyhmmer", "pyopal", "pyrodigal", "pyrodigal-gv")
"""Packages whose versions results may depend on."""
_Options = ParamSpec("_Options")
_Result = TypeVar("_Result")


async def interpret_genome_async(  # noqa: PLR0913 - options with defaults
    genome_or_path: GenomeSourceLike,
    mode: str = "offline",
    phage: bool = False,
    workers: int = 1,
    progress: ProgressCallback | None = None,
    *,
    ignore_annotations: bool = False,
    locus_tag_prefix: str | None = None,
    proteins: ProteinSourceLike | None = None,
    evidence: Sequence[EvidenceSourceLike] = (),
    markers: Sequence[ProteinSourceLike] = (),
    max_identity: float | None = None,
    cache_folder: FolderLike | None = None,
    databases_folder: FolderLike | None = None,
    families_folder: FolderLike | None = None,
    online_services: Collection[OnlineService | str] | None = None,
    online_timeout_s: float | None = None,
    date: datetime.date | None = None,
    cluster: str | None = None,
) -> InterpretationSummary:
    """Interpret every gene of a genome.

    Args:
        genome_or_path: A genome that was read, the path of a GenBank or FASTA file, or
            a :class:`~genint.pipeline.gene_calling.Payload` (bytes and a file name).
        mode: ``offline``; ``local``, which uses installed databases and says what is not
            installed; or ``online``, which uses them too and queries services beside the
            search.
        phage: Recover genes nested in or overlapping others.
        workers: 1 computes in a thread of this process; 2 to 4 start that many
            processes (a script needs the ``if __name__ == "__main__"`` guard).
        progress: Called on the event loop after every finished step.
        ignore_annotations: Predict and interpret afresh, and compare with the file.
        locus_tag_prefix: Of the locus tags of all genes, which are numbered over all records: 3 to
            12 letters and digits, a letter first; those of the file are kept as old ones. Default:
            tags of the file, and ids that begin with the record's.
        proteins: Proteins with names of your own to compare with: the path of a protein
            FASTA or GenBank file, or a :class:`~genint.pipeline.gene_calling.Payload`.
        evidence: Results of other programs (Bakta, Pharokka, Phold, eggNOG-mapper, InterProScan)
            and peptides of mass spectrometry, each the path of a file or a
            :class:`~genint.pipeline.gene_calling.Payload`; recognised by content.
        markers: Files of marker proteins (FASTA, such as VFDB's, or GenBank), each a path or a
            :class:`~genint.pipeline.gene_calling.Payload`: what is like them tells toxins,
            resistance and virulence factors, and takes no part in naming genes.
        max_identity: Leave entries of Swiss-Prot and of ``proteins`` out that are as
            identical as this or more, 0..1; for measurements.
        cache_folder: Where indexed profiles and results are kept; default: the user's
            cache.
        databases_folder: What ``genint db install`` filled; default: the user's.
        families_folder: A build of families to use instead of the one that ships, for
            measurements in which a genome must not have named its own families.
        online_services: Which services online mode queries: ``uniprot``, ``interpro``; default:
            both. Checksums and identifiers of proteins are sent to them, never residues.
        online_timeout_s: How long querying may take, 1 to 3600; default: 60 for up to 200
            proteins, else 300. What came by then is used.
        date: Of the run: what GenBank, EMBL and XLSX files made of the result are dated. It is
            never read from the clock, so that the same run gives the same bytes.
        cluster: Address of the scheduler of a Dask cluster, as ``tcp://host:8786``: searches, and
            finding the genes of a bacterium, run on its workers instead.

    Returns:
        The summary; the same for the same input whatever ``workers`` is.

    Raises:
        FormatError: a file cannot be read.
        UsageError: an option is out of range.
        UnavailableError: no families are in the folder, or an installed database went away
            meanwhile. A service that is down is no error: the summary says so.
        WorkerDied: a worker process died three times over the same work.

    Cancelling the call stops the computing.

    Cost: lambda (48 kb) about 3 CPU s, E. coli K-12 (4.6 Mb) 50 to 90 by the machine; 4 CPU s more
    the first time with a cache folder. Up to 450 MB in each process.
    """
    parameters = Parameters(
        mode,
        phage,
        ignore_annotations,
        locus_tag_prefix,
        max_identity,
        chosen_services(mode, online_services),
        online_timeout_s,
        date,
    )
    folders = user_folders(cache_folder, databases_folder, families_folder)
    return await interpret_in_memory(
        genome_or_path,
        parameters,
        folders,
        workers=workers,
        progress=progress,
        proteins=proteins,
        evidence=evidence,
        markers=markers,
        cluster=cluster,
    )


async def interpret_in_memory(  # noqa: PLR0913 - options with defaults
    source: GenomeSourceLike,
    parameters: Parameters,
    folders: Folders,
    *,
    workers: int = 1,
    progress: ProgressCallback | None = None,
    proteins: ProteinSourceLike | None = None,
    evidence: Sequence[EvidenceSourceLike] = (),
    markers: Sequence[ProteinSourceLike] = (),
    cluster: str | None = None,
    together: SharedSearch | None = None,
) -> InterpretationSummary:
    """The same with all options that can change a result in one.

    ``together`` is what computes and searches for this genome and others, where there are any.
    """
    if parameters.online_services:
        settings.OnlineSettings.from_environment()  # raises its faults before anything is computed
    own, given = _checked_proteins(proteins), _checked_evidence(evidence)
    marking = _checked_evidence(markers, "markers")
    genome = source if isinstance(source, Genome) else partial(read, _file_of(source))
    async with AsyncExitStack() as stack:
        if together is None:
            thread: Backend = await stack.enter_async_context(open_backend(workers=1))
        else:
            thread = together.thread
        pool = thread
        if cluster is not None:
            pool = (await stack.enter_async_context(open_cluster_at(cluster))).share()
        elif workers != 1:
            pool = await stack.enter_async_context(open_backend(workers=workers))
        resources = await run_with_retry(
            thread, load_resources, parameters, folders, own, given, marking
        )
        stack.enter_context(held_open(resources))
        if together is not None:
            resources = replace(resources, threads_alone=1)
        workspace = MemoryWorkspace(thread, pool)
        run = run_pipeline(
            genome, parameters, resources, workspace, progress=progress, together=together
        )
        if not parameters.online_services:
            return (await run).load()
        summary, _ = await asyncio.gather(run, asyncio.to_thread(load_client))
        return summary.load()


def open_cluster_at(address: str) -> AbstractAsyncContextManager[Cluster]:
    """The workers of a cluster, for an ``async with`` block.

    Raises:
        UnavailableError: no cluster answers, or it would give other results.
        UsageError: this is no address.
    """
    from genint.compute.cluster import open_cluster  # noqa: PLC0415 - an extra

    return open_cluster(address, what_decides_results)


@cache
def what_decides_results() -> Mapping[str, str]:
    """Versions of programs and of what ships; workers of a cluster have to have the same."""
    shipped = {item.name: f"{item.version} {item.sha256[:12]}" for item in databases()}
    return {"genint": __version__, **{name: library_version(name) for name in _DECIDING}, **shipped}


def user_folders(
    cache: FolderLike | None = None,
    databases: FolderLike | None = None,
    families: FolderLike | None = None,
) -> Folders:
    """The folders of the settings, unless others are given."""
    return Folders(
        cache=Path(cache) if cache else settings.cache_folder(),
        databases=Path(databases) if databases else settings.databases_folder(),
        families=Path(families) if families else None,
        cache_limit_bytes=settings.cache_limit_bytes(),
    )


def _file_of(source: Payload | str | os.PathLike[str]) -> Payload | Path:
    return source if isinstance(source, Payload) else Path(source)


def _checked_proteins(proteins: ProteinSourceLike | None) -> Payload | Path | None:
    if proteins is None:
        return None
    if not isinstance(proteins, Payload | str | os.PathLike):
        raise UsageError(f"proteins must be a path or a Payload, not {type(proteins).__name__}")
    return _file_of(proteins)


def _checked_evidence(
    evidence: Sequence[EvidenceSourceLike], what: str = "evidence"
) -> tuple[Payload | Path, ...]:
    if isinstance(evidence, Payload | str | os.PathLike):
        raise UsageError(f"{what} must be a list of files, such as [path]")
    for one in evidence:
        if not isinstance(one, Payload | str | os.PathLike):
            raise UsageError(f"{what} must be paths or Payloads, not {type(one).__name__}")
    return tuple(map(_file_of, evidence))


def _synchronous(
    function: Callable[_Options, Coroutine[object, object, _Result]],
) -> Callable[_Options, _Result]:
    """A function that runs a coroutine function to its end, with the same arguments.

    Without a running event loop it runs in the caller's thread, where an interrupt from the
    keyboard reaches it. Inside one (notebooks) it has a loop of its own in a thread of its own,
    from which ``progress`` is called.
    """

    @wraps(function)
    def run(*arguments: _Options.args, **options: _Options.kwargs) -> _Result:
        def run_in_own_loop() -> _Result:
            return asyncio.run(function(*arguments, **options))

        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return run_in_own_loop()
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="genint") as executor:
            return executor.submit(run_in_own_loop).result()

    run.__name__ = run.__qualname__ = function.__name__.removesuffix("_async")
    return run


interpret_genome = _synchronous(interpret_genome_async)


class GenomeInterpreter:
    """Synchronous face of the library, with the options of the specification.

    Args:
        use_uniprot: Query UniProt, for which the mode becomes ``online``.
        use_interpro: Query InterPro, likewise; if only one is True, the other is not queried.
        phage_mode: Recover nested and overlapping genes.
        workers: Processes to use, 1 to 4.
        mode: ``offline``; ``local`` to use installed databases; ``online`` to use them and to
            query both services. Checksums and identifiers of proteins are sent to them, never
            residues.
        online_timeout_s: How long querying may take, 1 to 3600; see
            :func:`interpret_genome_async`.

    Raises:
        UsageError: an option is out of range.
    """

    def __init__(  # noqa: PLR0913 - options with defaults
        self,
        use_uniprot: bool = False,
        use_interpro: bool = False,
        phage_mode: bool = False,
        *,
        workers: int = 1,
        mode: str = "offline",
        online_timeout_s: float | None = None,
    ) -> None:
        if not 1 <= workers <= MAX_WORKERS:
            raise UsageError(f"workers must be 1 to {MAX_WORKERS}, not {workers}")
        chosen = {OnlineService.UNIPROT: use_uniprot, OnlineService.INTERPRO: use_interpro}
        for service, is_chosen in chosen.items():
            if not isinstance(is_chosen, bool):
                raise UsageError(
                    f"use_{service.value} must be True or False, not {is_chosen!r:.40}"
                )
        services = tuple(service for service, is_chosen in chosen.items() if is_chosen)
        Parameters(mode)  # an unknown one is refused even where the services decide
        mode = "online" if services else mode
        self._parameters = Parameters(
            mode,
            phage_mode,
            online_services=chosen_services(mode, services or None),
            online_timeout_s=online_timeout_s,
        )
        self._workers = workers

    def interpret_genome(
        self, genome: GenomeSourceLike, *, progress: ProgressCallback | None = None
    ) -> InterpretationSummary:
        """Interpret a genome that was read, or a file; see the module's function."""
        interpret = _synchronous(interpret_in_memory)
        return interpret(
            genome, self._parameters, user_folders(), workers=self._workers, progress=progress
        )


def as_result(summary: InterpretationSummary) -> GenintResult:
    """The result file of a summary; see :func:`genint.report.build.build_result`."""
    return build_result(summary, load_confidence())


def render_report(
    found: InterpretationSummary | GenintResult,
    format: str = "md",
    original: Original | Payload | str | os.PathLike[str] | None = None,
) -> str:
    """Write what was found in a format that is text; computes nothing new.

    Args:
        found: What interpreting returned, or a result that was stored
            (:func:`genint.report.validation.parse_result`).
        format: A name of :data:`genint.report.formats.FORMATS`, such as ``md`` or ``gff3``, or
            ``svg``, the round map (needs the extra ``plot``).
        original: The file that was interpreted, for ``gbk``, which is written into it: its
            path, its bytes with a name, or what :func:`genint.formats.read_original` made.

    Raises:
        UsageError: there is no such format, it is binary, or it needs the original.
        InputError: the original cannot be read or is another file than the one that was
            interpreted, or a stored result lacks what the format needs.

    Cost: 1 to 3 s for a bacterium, whatever the format.
    """
    _check_format(format, original)
    if format_of(format).is_binary:
        raise UsageError(f"format {format} is no text: use render_report_bytes")
    result = as_result(found) if isinstance(found, InterpretationSummary) else found
    return render(result, format, None if original is None else _as_original(original))


def difference_of(
    one: tuple[GenintResult, str], other: tuple[GenintResult, str], format: str
) -> str:
    """What differs between two results, each with the name that it is shown by.

    Args:
        one: Before, or the reference.
        other: After.
        format: ``html``, ``json``, ``tsv`` or ``text``.
    """
    from genint.knowledge.products import load_products  # noqa: PLC0415 - only here
    from genint.report.difference.compare import compare_sides  # noqa: PLC0415
    from genint.report.difference.render import RENDERERS  # noqa: PLC0415 - loads Jinja
    from genint.report.difference.sides import side_of_result  # noqa: PLC0415

    a, b = side_of_result(*one), side_of_result(*other)
    return RENDERERS[format](compare_sides(a, b, load_products()))


def render_report_bytes(
    found: InterpretationSummary | GenintResult,
    format: str,
    original: Original | Payload | str | os.PathLike[str] | None = None,
) -> bytes:
    """What :func:`render_report` writes, in any format, as the bytes of a file."""
    _check_format(format, original)
    result = as_result(found) if isinstance(found, InterpretationSummary) else found
    return render_bytes(result, format, None if original is None else _as_original(original))


def _check_format(format: str, original: object) -> None:
    names = (*FORMATS, *FIGURE_FORMATS)
    if format not in names:
        raise UsageError(f"no format {format!r}; choose from {', '.join(names)}")
    if format_of(format).needs_original and original is None:
        raise UsageError(f"format {format} is written into the file that was interpreted: give it")


def _as_original(source: Original | Payload | str | os.PathLike[str]) -> Original:
    if isinstance(source, Original):
        return source
    payload = as_payload(_file_of(source))
    return read_original(payload.content, payload.filename)
