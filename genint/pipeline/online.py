"""Online services beside the local search: the questions of a run, its client, its queries."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Final

from genint import settings
from genint.knowledge.table_files import read_interpro2go
from genint.model.evidence import GoTerm
from genint.model.genome import Gene, Genome
from genint.model.interpretation import Parameters
from genint.model.online import OnlineFindings, OnlineQuestions, ProteinQuestion
from genint.online.identifiers import crc64_of, is_cds_protein, is_refseq_protein, md5_of
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Resources
from genint.pipeline.workspace import Handle, Workspace
from genint.version import __version__

if TYPE_CHECKING:
    from genint.online.client import PoliteClient


_NO_PROTEIN: Final = "the gene has no protein"
_STOPS: Final = "there are stops inside its reading frame"
_MOST_TAXON: Final = 2**31 - 1


def installed_go(resources: Resources) -> Mapping[str, tuple[GoTerm, ...]] | None:
    """Terms of InterPro entries, where the Gene Ontology is installed.

    Raises:
        UnavailableError: it is gone.

    Cost: 0.1 s.
    """
    tables = resources.installed_tables
    if tables.interpro2go is None or tables.go_terms is None:
        return None
    return read_interpro2go(tables.interpro2go, tables.go_terms)


def questions_of(called: Called) -> OnlineQuestions:
    """Each sequence once, with the identifiers of all genes that have it.

    Candidates that may become genes are included: which of them do is decided while the
    services are queried.

    Cost: 0.1 ms a protein.
    """
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
    """Ids of a database; other names that a file gives to a protein never leave this machine."""
    return tuple(dict.fromkeys(filter(has_form, ids)))


def _taxon(genome: Genome) -> int | None:
    """The taxon of all records; None where one names none, or they name several."""
    found = {contig.taxon_id for contig in genome.contigs}
    taxon = found.pop() if len(found) == 1 else None
    return taxon if taxon is not None and taxon <= _MOST_TAXON else None


def load_client() -> None:
    """Import what queries services and reads their answers, while there is time for it.

    Cost: half a second, which a run need not wait for once its genes are known.
    """
    import genint.online.client  # noqa: PLC0415 - loads aiohttp
    import genint.online.query  # noqa: PLC0415 - loads aiohttp
    import genint.sources.uniprot  # noqa: F401, PLC0415 - loads HMMER


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
    from genint.online.client import open_client, user_agent  # noqa: PLC0415 - loads aiohttp
    from genint.online.protocol import ServiceAddresses  # noqa: PLC0415

    chosen = chosen or settings.OnlineSettings.from_environment()
    servers = ServiceAddresses(
        uniprot=chosen.uniprot_url,
        interpro=chosen.interpro_url,
        interpro_go=chosen.interpro_go_url,
    )
    async with open_client(servers, user_agent(__version__, chosen.contact)) as client:
        yield client


async def query(
    called: Handle[Called],
    parameters: Parameters,
    resources: Resources,
    workspace: Workspace,
    client: PoliteClient | None,
) -> Handle[OnlineFindings]:
    """Query the services about the proteins of a genome.

    Args:
        called: The genome.
        parameters: Which services, and for how long.
        resources: Whether a Gene Ontology is installed; where answers are kept.
        workspace: Where the questions are made and the answers kept.
        client: One that serves other runs too; None for one of its own.

    Raises:
        UnavailableError: the installed Gene Ontology is gone.
        UsageError: a setting cannot be used.
        OSError: the answers cannot be kept.
    """
    from genint.online.query import budget_s, query_services  # noqa: PLC0415 - loads aiohttp

    questions = await asyncio.to_thread((await workspace.run(questions_of, called)).load)
    terms = await asyncio.to_thread(installed_go, resources)
    async with nullcontext(client) if client else configured_client() as opened:
        found = await query_services(
            questions,
            parameters.online_services,
            opened.run(budget_s(questions, parameters.online_timeout_s)),
            cache_folder=resources.folders.answer_cache,
            installed_go=terms,
        )
    return await asyncio.to_thread(workspace.keep, found)
