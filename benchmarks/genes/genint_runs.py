"""How the bench runs genint: with shipped or held-out parameters, with families or without."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.accuracy.usage import ProgramFailed
from benchmarks.genes.callers import Caller, Found, of_genome
from benchmarks.genes.panel import BACTERIA, Listed, Subject
from genint.genes import call_genes, decide
from genint.knowledge.catalogue import load_knowledge
from genint.knowledge.rescue import RescueParameters, parse_rescue
from genint.model.interpretation import Parameters
from genint.pipeline.evidence import decided
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Folders, load_resources
from genint.pipeline.rna import gather_rna, plan_rna, search_rna
from genint.pipeline.searches import gather, plan_search, prepare, search
from training.genes.panel import Group, read_panel


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What was made without a genome and its near relatives.

    Attributes:
        parameters: Folder of ``<group>.toml``, parameters of rescues; None: as shipped.
        families: Folder of builds that each hide the groups of a fold; None: as shipped.
    """

    parameters: Path | None = None
    families: Path | None = None

    def parameters_of(self, listed: Listed) -> Path | None:
        """The file that a genome is to be measured with; None for what ships.

        Parameters that ship never saw a genome that is in no group of the fit.
        """
        group = group_of(listed)
        return self.parameters / f"{group.slug}.toml" if self.parameters and group else None

    def rescue(self, listed: Listed) -> RescueParameters | None:
        """Parameters that a genome is to be measured with; None for what ships."""
        path = self.parameters_of(listed)
        return parse_rescue(path.read_text(encoding="utf-8")) if path else None

    def families_of(self, listed: Listed) -> Path | None:
        """The build that a genome is to be measured with; None for what ships.

        Raises:
            ProgramFailed: a build is given, but does not leave this genome out.
        """
        group = group_of(listed)
        if self.families is None:
            return None
        build = group.blind_build(self.families) if group is not None else None
        if build is None:
            raise ProgramFailed(f"no families were built without {listed.name}")
        return build

    def missing(self, listed: Listed) -> tuple[Path, ...]:
        """What is not there for a genome."""
        group = group_of(listed)
        wanted = [self.parameters_of(listed)]
        if group is not None and group.fold is not None:
            wanted.append(self.families_of(listed))
        return tuple(path for path in wanted if path is not None and not path.exists())

    @property
    def regime(self) -> str:
        """What figures of rescues are worth, in one line."""
        if self.parameters:
            return "parameters of rescues were fitted without the genome and its near relatives"
        return "parameters of rescues as shipped: fitted on these genomes among others"


def group_of(listed: Listed) -> Group | None:
    """The group of the fit that a genome or its near relative is in."""
    file = listed.relative or listed.file
    return next((group for group in _groups() if file in group.genomes.values()), None)


@cache
def _groups() -> tuple[Group, ...]:
    return read_panel()


def genint_callers(held_out: HeldOut) -> tuple[Caller, ...]:
    """By statistics alone, without and with ``--phage``."""
    return (
        Caller("genint", lambda one: statistics_alone(one, held_out, phage=False), "no --phage"),
        Caller("genint --phage", lambda one: statistics_alone(one, held_out, phage=True), ""),
    )


def statistics_alone(subject: Subject, held_out: HeldOut, *, phage: bool) -> Found:
    """Genes without a look at any protein family."""
    rescue = held_out.rescue(subject.listed)
    started = time.process_time()
    called = decide(call_genes(subject.bare, phage=phage, parameters=rescue), parameters=rescue)
    return of_genome(called, time.process_time() - started)


def family_callers(held_out: HeldOut, cache: Path) -> tuple[Caller, ...]:
    """With families and Pfam as shipped, and with builds that leave the genome out.

    Args:
        held_out: What was made without the genome.
        cache: Where profiles are pressed.
    """
    parameters = HeldOut(held_out.parameters)
    shipped = Caller(
        "--phage, families",
        lambda one: with_families(one, parameters, cache),
        "families as shipped, which know the proteins of these genomes; seconds with the search",
    )
    if held_out.families is None:
        return (shipped,)
    blind = Caller(
        "--phage, blind families",
        lambda one: with_families(one, held_out, cache),
        "families that were built without the genome and its near relatives, and Pfam",
    )
    return shipped, blind


def with_families(subject: Subject, held_out: HeldOut, cache: Path) -> Found:
    """Genes by all that a run of genint goes by: statistics, profiles, RNA genes.

    Raises:
        ProgramFailed: it is a bacterium, or no families leave the genome out.
    """
    if subject.listed.pool == BACTERIA:
        raise ProgramFailed("the search of a bacterium's proteins takes minutes")
    options = Parameters(phage=True)
    folders = Folders(cache, families=held_out.families_of(subject.listed))
    equipment = load_resources(options, folders)
    rescue = held_out.rescue(subject.listed)
    prepare(subject.bare, equipment, options)
    started = time.process_time()
    calls = call_genes(subject.bare, phage=True, parameters=rescue)
    called = Called(subject.bare, calls, calls.proteins)
    plan = plan_search(called, equipment, options)
    answers = [answer for task in plan.tasks for answer in search(task)]
    rna = plan_rna(called, equipment)
    rna_answers = [answer for task in rna.tasks for answer in search_rna(task)]
    findings = gather(called, plan, answers)._replace(rna=gather_rna(rna, rna_answers))
    knowledge = load_knowledge(folders.families, equipment.installed_tables)
    genome = decided(called, findings, knowledge, rescue)
    return of_genome(genome, time.process_time() - started)
