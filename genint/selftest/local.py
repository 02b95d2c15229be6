"""Whether installed databases can be searched."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from genint.compute import Backend
from genint.model.interpretation import InterpretationSummary, Parameters
from genint.selftest.answers import KnownGene, known_genes
from genint.selftest.check import Finding, Places
from genint.selftest.genome import interpret_built_in, name_of
from genint.steps.equipment import Folders, equip, holding

_MOST_BUNDLES = 2
"""What ships with the search for similar proteins, and the first block of Pfam-A: to read all
blocks takes 10 s from a slow disk. The others are looked at by ``genint db verify``."""


@dataclass(frozen=True, slots=True)
class LocalMode:
    """The built-in genome with what is installed, of Pfam-A the first block.

    Names may be worded as the databases have them; a gene that has a name keeps one, and
    the gene that is like nothing stays dark.
    """

    name: str = "local mode"
    cure: str = "run `genint db verify`, then install again what it names"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        folders = Folders(places.cache_folder, places.databases_folder, cache_limit_bytes=0)
        equipment = await near.run(equip, Parameters("local"), folders)
        if not equipment.installed:
            return Finding.not_installed("no database can be used", "run `genint db install all`")
        with holding(equipment):
            summary = await interpret_built_in(near, equipment, "local", most_bundles=_MOST_BUNDLES)
        used = ", ".join(equipment.installed)
        if wrong := lost(summary, known_genes()):
            return Finding.failed(f"with {used}: {'; '.join(wrong)}")
        return Finding.ok(f"with {used}: {summary.interpreted_genes} genes named, none lost")


def lost(summary: InterpretationSummary, known: Iterable[KnownGene]) -> tuple[str, ...]:
    """Genes without the name that they must have, or with one that they must not have."""
    names = {result.gene.location.span.end: name_of(result) for result in summary.results}
    wrong = []
    for gene in known:
        name = names.get(gene.last)
        if name is None:
            wrong.append(f"{gene.words} was not found")
        elif bool(name) != bool(gene.name):
            wrong.append(f"{gene.words} was called {name or 'nothing'}")
    return tuple(wrong)
