"""Ids of predicted genes: numbers in steps of ten, so that rescued genes find room."""

from __future__ import annotations

from genint.model.genome import Contig, Genome

STEP = 10


def stem(contig: Contig, genome: Genome, prefix: str | None) -> str:
    """What the ids of a contig's genes begin with: the record id, or the user's prefix.

    With a prefix and several records, the record's number follows the prefix, since
    every record counts its own genes.
    """
    if prefix is None:
        return contig.id
    if len(genome.contigs) == 1:
        return prefix
    return f"{prefix}_{genome.contigs.index(contig) + 1}"


def base_id(stem: str, place: int) -> str:
    """Id of the base call at ``place`` (0 for the first): ``phage_00010``, ``_00020``."""
    return _numbered(stem, (place + 1) * STEP)


def gap_id(stem: str, place: int, rank: int) -> str:
    """Id in the gap behind base call ``place`` (-1: before the first), ``rank`` 1 to 9."""
    return _numbered(stem, (place + 1) * STEP + rank)


def _numbered(stem: str, number: int) -> str:
    return f"{stem}_{number:05d}"
