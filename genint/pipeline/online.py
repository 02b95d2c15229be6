"""The services beside the local search: which are asked, with what client, for how long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from genint import settings
from genint.compute import Backend, run_with_retry
from genint.errors import UsageError
from genint.model.evidence import GoTerm
from genint.model.genome import Gene, Genome
from genint.model.interpretation import Parameters
from genint.model.online import OnlineFindings, OnlineQuestions, OnlineService, ProteinQuestion
from genint.pipeline.gene_calling import Called
from genint.pipeline.progress import Progress, ProgressCallback
from genint.pipeline.resources import Resources
from genint.version import __version__

if TYPE_CHECKING:
    from genint.online.client import PoliteClient


_NO_PROTEIN: Final = "the gene has no protein"
_STOPS: Final = "there are stops inside its reading frame"
_MOST_TAXON: Final = 2**31 - 1


def installed_go(equipment: Resources) -> Mapping[str, tuple[GoTerm, ...]] | None:
    """Terms of InterPro entries, where the Gene Ontology is installed.

    Raises:
        UnavailableError: it is gone.

    Cost: 0.1 s.
    """
    from genint.knowledge.table_files import read_interpro2go  # noqa: PLC0415 - lazy

    tables = equipment.installed_tables
    if tables.interpro2go is None or tables.go_terms is None:
        return None
    return read_interpro2go(tables.interpro2go, tables.go_terms)


def questions_of(called: Called) -> OnlineQuestions:
    """Each sequence once, with the identifiers of all genes that have it.

    Candidates that may come to be genes are asked about too: which of them do is settled
    while the services are asked.

    Cost: 0.1 ms a protein.
    """
    from genint.online.identifiers import crc64_of, is_cds_protein, is_refseq_protein, md5_of  # noqa: PLC0415 - lazy  # noqa: PLC0415 - lazy

    genes = {} if called.calls is not None else {gene.id: gene for gene in called.annotated.genes}
    md5_of_gene: dict[str, str] = {}
    left_out: dict[str, str] = {}
    residues_of: dict[str, str] = {}
    ids: dict[str, list[str]] = {}
    for gene_id, protein in called.proteins:
        residues = protein.upper().removesuffix("*")
        if not residues or "*" in residues:
            left_out[gene_id] = _STOPS if residues else _NO_PROTEIN
            continue
        md5 = md5_of(residues)
        md5_of_gene[gene_id] = md5
        residues_of.setdefault(md5, residues)
        ids.setdefault(md5, []).extend(_protein_ids(genes.get(gene_id)))
    proteins = tuple(
        ProteinQuestion(
            md5=md5,
            crc64=crc64_of(residues),
            length_aa=len(residues),
            refseq_ids=_matching(is_refseq_protein, ids[md5]),
            cds_ids=_matching(is_cds_protein, ids[md5]),
        )
        for md5, residues in residues_of.items()
    )
    return OnlineQuestions(proteins, _taxon(called.annotated), md5_of_gene, left_out)


def _protein_ids(gene: Gene | None) -> tuple[str, ...]:
    return (gene.protein_id,) if gene is not None and gene.protein_id else ()


def _matching(has_form: Callable[[str], bool], ids: list[str]) -> tuple[str, ...]:
    """Ids that are of a database; whatever else a file calls a protein stays here."""
    return tuple(dict.fromkeys(filter(has_form, ids)))


def _taxon(genome: Genome) -> int | None:
    """The taxon of all records; None where one names none, or they name several."""
    found = {contig.taxon_id for contig in genome.contigs}
    taxon = found.pop() if len(found) == 1 else None
    return taxon if taxon is not None and taxon <= _MOST_TAXON else None


SHORTEST_TIMEOUT_S: Final = 1.0
LONGEST_TIMEOUT_S: Final = 3600.0
STAGE: Final = "asking UniProt and InterPro"


def chosen_services(
    mode: str, services: Collection[OnlineService | str] | None
) -> tuple[OnlineService, ...]:
    """The services that a run asks, in their order; both where nothing is chosen.

    Raises:
        UsageError: one is unknown, none is left, or the mode asks none.
    """
    if mode != "online":
        if services:
            raise UsageError("online services are asked in mode 'online' only")
        return ()
    if services is None:
        return tuple(OnlineService)
    known = {service.value for service in OnlineService}
    is_list = isinstance(services, Collection) and not isinstance(services, str)
    if not is_list or not services or not {str(one) for one in services} <= known:
        raise UsageError(f"online_services must be a list of some of {', '.join(sorted(known))}")
    return tuple(one for one in OnlineService if one.value in {str(name) for name in services})


def check_timeout(mode: str, timeout_s: float | None) -> None:
    """Refuse a time that cannot be meant.

    Raises:
        UsageError: it is out of range, or the mode asks nothing.
    """
    if timeout_s is None:
        return
    if mode != "online":
        raise UsageError("a time for asking services needs mode 'online'")
    is_number = isinstance(timeout_s, int | float) and not isinstance(timeout_s, bool)
    if not is_number or not SHORTEST_TIMEOUT_S <= timeout_s <= LONGEST_TIMEOUT_S:
        raise UsageError(
            f"online_timeout_s must be {SHORTEST_TIMEOUT_S:g} to {LONGEST_TIMEOUT_S:g} seconds, "
            f"not {timeout_s!r}"
        )


def load_client() -> None:
    """Import what asks services and reads their answers, while there is time for it.

    Cost: half a second, which need not be spent when the genes are known or the answers there.
    """
    import genint.online.client  # noqa: PLC0415
    import genint.online.query  # noqa: PLC0415 - lazy
    import genint.sources.interpro  # noqa: PLC0415
    import genint.sources.uniprot  # noqa: F401, PLC0415


@asynccontextmanager
async def configured_client(
    chosen: settings.OnlineSettings | None = None,
) -> AsyncIterator[PoliteClient]:
    """A client for the servers of the settings; one serves all runs of a process.

    Args:
        chosen: Settings; default: those of the environment.

    Raises:
        UsageError: a setting cannot be used.
    """
    from genint.online.client import open_client, user_agent  # noqa: PLC0415 - lazy
    from genint.online.protocol import ServiceAddresses  # noqa: PLC0415 - lazy

    values = asdict(chosen or settings.online_settings())
    contact = values.pop("contact")
    servers = ServiceAddresses(
        **{name.removesuffix("_url"): value for name, value in values.items()}
    )
    async with open_client(servers, user_agent(__version__, contact)) as client:
        yield client


async def ask(
    called: Called,
    equipment: Resources,
    parameters: Parameters,
    near: Backend,
    report: ProgressCallback,
) -> OnlineFindings | None:
    """Ask what a run is to ask; None where that is nothing.

    Raises:
        UnavailableError: the installed Gene Ontology is gone.
        UsageError: a setting cannot be used.
    """
    if not parameters.online_services:
        return None
    from genint.online.query import budget_s, query_services  # noqa: PLC0415 - lazy

    report(Progress(STAGE, 0, 1))
    questions = await run_with_retry(near, questions_of, called)
    terms = await asyncio.to_thread(installed_go, equipment)
    async with configured_client() as client:
        found = await query_services(
            questions,
            parameters.online_services,
            client.run(budget_s(questions, parameters.online_timeout_s)),
            cache_folder=equipment.folders.kept,
            installed_go=terms,
        )
    report(Progress(STAGE, 1, 1))
    return found
