"""Results of other programs in a run: read, observed, and what is said of them in the report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from genint.formats.imported.read import joined, read_imported
from genint.model.evidence import Evidence, by_gene
from genint.model.genome import Genome, ReadWarning
from genint.model.imported import ImportedEvidence, ImportedResults, PeptideTable
from genint.model.interpretation import DatabaseUsed
from genint.pipeline.gene_calling import Payload, as_payload

if TYPE_CHECKING:
    from genint.knowledge.catalogue import Knowledge

UNMATCHED: Final = "evidence_not_matched"
"""Code of the warning that genes of an evidence file are none of the genome."""
_OWN_FILE: Final = "the user's own file"
_SHOWN_DIGITS: Final = 16


class Imported(NamedTuple):
    """What results of other programs add.

    Attributes:
        genome: With a warning on each file of which genes were not found.
        evidence: Functional claims.
        unknown_domains: Families of unknown function.
        spurious: By gene, models of spurious proteins that its protein matches.
    """

    genome: Genome
    evidence: tuple[Evidence, ...] = ()
    unknown_domains: tuple[Evidence, ...] = ()
    spurious: Mapping[str, tuple[Evidence, ...]] = {}


def read_evidence(sources: Iterable[Payload | Path]) -> ImportedEvidence:
    """Read files of other programs and of experiments, in their order.

    Raises:
        FormatError: a file is none of those, or is damaged.
        InputError: a file cannot be opened.
    """
    payloads = map(as_payload, sources)
    return joined(read_imported(one.content, one.filename) for one in payloads)


def observe_imported(
    genome: Genome, imported: ImportedEvidence, knowledge: Knowledge, known: Sequence[Evidence]
) -> Imported:
    """What other programs found for the final genes.

    Args:
        genome: With its final genes.
        imported: What the user gave.
        knowledge: Tables.
        known: All other evidence.

    Cost: some 0.2 ms a gene and file.
    """
    if not imported.results:
        return Imported(genome)
    from genint.sources.imported import Tables, observe  # noqa: PLC0415 - loads HMMER

    tables = Tables(knowledge.products, knowledge.families, knowledge.own_families)
    seen = observe(genome, imported.results, imported.queries, tables, known)
    pairs = zip(imported.results, seen.matchings, strict=True)
    warnings = [
        _warning(results, len(matching.unmatched))
        for results, matching in pairs
        if matching.unmatched
    ]
    told = replace(genome, warnings=(*genome.warnings, *warnings)) if warnings else genome
    return Imported(told, seen.evidence, seen.unknown_domains, by_gene(seen.spurious))


def _warning(results: ImportedResults, unmatched: int) -> ReadWarning:
    """How many genes of a file are none of the genome."""
    total = len(results.genes)
    what = f"{results.source.program} ({results.filename})"
    if unmatched == total:
        text = f"None of the {total:,} genes of {what} is a gene of this genome; nothing was used."
    else:
        verb = "is" if unmatched == 1 else "are"
        text = (
            f"{unmatched:,} of {total:,} genes of {what} {verb} no gene of this genome"
            " (another stop codon or protein) and"
            f" {'was' if unmatched == 1 else 'were'} not used."
        )
    return ReadWarning(UNMATCHED, text)


def files_used(imported: ImportedEvidence) -> tuple[DatabaseUsed, ...]:
    """The files, for the list of what a run used."""
    return (
        *map(_of_results, imported.results),
        *map(_of_peptides, imported.peptides),
        *(
            DatabaseUsed(
                f"Proteins of other programs' queries ({one.filename})",
                f"proteins: {len(one.residues):,}, SHA-256 {one.sha256[:_SHOWN_DIGITS]}",
                _OWN_FILE,
            )
            for one in imported.queries
        ),
    )


def _of_results(one: ImportedResults) -> DatabaseUsed:
    told = (
        f"version {one.version}" if one.version else "version not stated",
        one.database,
        f"{len(one.genes):,} gene{'s' if len(one.genes) != 1 else ''}",
        f"SHA-256 {one.sha256[:_SHOWN_DIGITS]}",
    )
    name = f"{one.source.program} ({one.filename})"
    return DatabaseUsed(name, ", ".join(filter(None, told)), _OWN_FILE)


def _of_peptides(one: PeptideTable) -> DatabaseUsed:
    left = "".join(f", {number:,} {why} left out" for why, number in one.left_out)
    number = f"{len(one.peptides):,} peptide{'s' if len(one.peptides) != 1 else ''}"
    version = f"{number}{left}, SHA-256 {one.sha256[:_SHOWN_DIGITS]}"
    return DatabaseUsed(f"Mass spectrometry ({one.filename})", version, _OWN_FILE)
