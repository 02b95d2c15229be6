"""The library for callers without an event loop, or inside one (notebooks)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from genint.errors import UsageError
from genint.model.interpretation import InterpretationSummary
from genint.model.online import OnlineService
from genint.pipeline.online import check_timeout, chosen_services
from genint.pipeline.progress import GenomeSourceLike, ProgressCallback, ProteinSourceLike
from genint.pipeline.run import check_options, interpret_genome_async


def interpret_genome(  # noqa: PLR0913 - options with defaults
    genome_or_path: GenomeSourceLike,
    mode: str = "offline",
    phage: bool = False,
    workers: int = 1,
    progress: ProgressCallback | None = None,
    *,
    ignore_annotations: bool = False,
    locus_tag_prefix: str | None = None,
    proteins: ProteinSourceLike | None = None,
    max_identity: float | None = None,
    cache_folder: Path | None = None,
    databases_folder: Path | None = None,
    families_folder: Path | None = None,
    online_services: Collection[OnlineService | str] | None = None,
    online_timeout_s: float | None = None,
) -> InterpretationSummary:
    """Synchronous twin of :func:`interpret_genome_async`, with the same arguments.

    Works inside a running event loop too (notebooks): it has a loop of its own in
    a thread of its own. ``progress`` is called from that thread.
    """
    return _run_in_own_loop(
        lambda: interpret_genome_async(
            genome_or_path,
            mode=mode,
            phage=phage,
            workers=workers,
            progress=progress,
            ignore_annotations=ignore_annotations,
            locus_tag_prefix=locus_tag_prefix,
            proteins=proteins,
            max_identity=max_identity,
            cache_folder=cache_folder,
            databases_folder=databases_folder,
            families_folder=families_folder,
            online_services=online_services,
            online_timeout_s=online_timeout_s,
        )
    )


def _run_in_own_loop(
    start: Callable[[], Coroutine[object, object, InterpretationSummary]],
) -> InterpretationSummary:
    """Run a coroutine to its end whether or not the caller is inside an event loop.

    Without a running loop it runs right here, in the caller's thread, where an
    interrupt from the keyboard reaches it.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(start())
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="genint") as executor:
        return executor.submit(lambda: asyncio.run(start())).result()


class GenomeInterpreter:
    """Synchronous face of the library, with the options of the specification.

    Args:
        use_uniprot: Ask UniProt, for which the mode becomes ``online``.
        use_interpro: Ask InterPro, likewise; what is not asked for of the two is not asked.
        phage_mode: Recover nested and overlapping genes.
        workers: Processes to use, 1 to 4.
        mode: ``offline``; ``local`` to use installed databases; ``online`` to use them and to
            ask both services. Checksums and identifiers of proteins are sent to them, never
            residues.
        online_timeout_s: How long asking may take, 1 to 3600; see
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
        check_options(mode, workers)
        asked = {OnlineService.UNIPROT: use_uniprot, OnlineService.INTERPRO: use_interpro}
        for service, is_asked in asked.items():
            if not isinstance(is_asked, bool):
                raise UsageError(f"use_{service.value} must be True or False, not {is_asked!r:.40}")
        services = tuple(service for service, is_asked in asked.items() if is_asked)
        self._mode = "online" if services else mode
        self._services = chosen_services(self._mode, services or None)
        check_timeout(self._mode, online_timeout_s)
        self._online_timeout_s = online_timeout_s
        self._phage_mode = phage_mode
        self._workers = workers

    def interpret_genome(
        self, genome: GenomeSourceLike, *, progress: ProgressCallback | None = None
    ) -> InterpretationSummary:
        """Interpret a genome that was read, or a file; see the module's function."""
        return interpret_genome(
            genome,
            mode=self._mode,
            phage=self._phage_mode,
            workers=self._workers,
            progress=progress,
            online_services=self._services or None,
            online_timeout_s=self._online_timeout_s,
        )
