"""The runs of the bench: every contender on every genome, and what each may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.accuracy.genint_runs import Question, ask
from benchmarks.accuracy.genomes import (
    COG_JUDGE,
    JUDGES,
    BenchGenome,
    Listed,
    cog_letters,
    listed_genomes,
    make_ready,
)
from benchmarks.accuracy.peers import install_giae, prokka_database, run_giae, run_prokka
from benchmarks.accuracy.regimes import Known, Library, Regime, hidden_from
from benchmarks.accuracy.results import Contender, Result, Told, judged, letters_judged
from benchmarks.accuracy.usage import ProgramFailed
from genint.knowledge.products import ProductVocabulary, load_products
from genint.model.genome import Genome
from training.confidence.hiding import Folders
from training.confidence.panel import PANEL, Group, PanelGenome, read_panel
from training.families.corpus import read_corpus
from training.families.inputs import load_inputs

MODES = ("offline", "local")
PEERS = ("giae", "prokka")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be measured.

    Attributes:
        genomes: Names; that of the judge of COG letters may be one of them.
        modes, regimes: Of genint.
        peers: Other programs.
        folders: Where data, builds, references and what peers told lie.
        parameters: Folder of parameters fitted without each group; None for the usual ones.
        may_build: Build families where they are missing or their sources have changed.
    """

    genomes: tuple[str, ...]
    modes: tuple[str, ...]
    regimes: tuple[Regime, ...]
    peers: tuple[str, ...]
    folders: Folders
    parameters: Path | None
    may_build: bool

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """Programs as they are run, genint first."""
        ways = [Contender("genint", mode, way.value) for way in self.regimes for mode in self.modes]
        return (*ways, *map(Contender, self.peers))


class Task(NamedTuple):
    """One contender on one genome."""

    genome: str
    contender: Contender


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything made ready.

    Attributes:
        wanted: What is to be measured.
        genomes: With their truth, by name.
        panel: As the panel has them, by name.
        known: By genome and regime, what genint may know.
        vocabulary: For the judge of names.
    """

    wanted: Wanted
    genomes: Mapping[str, BenchGenome]
    panel: Mapping[str, PanelGenome]
    known: Mapping[tuple[str, Regime], Known]
    vocabulary: ProductVocabulary

    def tasks(self) -> tuple[Task, ...]:
        """Every contender on every genome."""
        return tuple(
            Task(genome, contender)
            for genome in self.wanted.genomes
            for contender in self.wanted.contenders
            if genome in self.genomes or contender.mode
        )

    def size_bp(self, task: Task) -> int:
        """Of its genome, to begin with the longest."""
        return self.panel[task.genome].genome.length_bp

    def run(self, task: Task) -> Result:
        """Run a contender and hold what it tells against the record.

        Raises:
            ProgramFailed: it is not here, takes too long or fails.
        """
        name, contender = task
        if name not in self.genomes:
            genome = self.panel[name].genome
            letters = cog_letters(name, self.wanted.folders.data)
            told = self._genint(name, contender, genome, (None,))
            return letters_judged(genome, letters, contender, told, name)
        ready = self.genomes[name]
        if contender.mode:
            told = self._genint(name, contender, ready.fasta, ready.circles)
        else:
            told = self._peer(ready, contender.program)
        return judged(ready, contender, told, self.vocabulary)

    def _genint(
        self,
        name: str,
        contender: Contender,
        genome: Path | Genome,
        circles: tuple[int | None, ...],
    ) -> Told:
        known = self.known[name, Regime(contender.regime)]
        question = Question(
            genome=genome,
            circles=circles,
            families=known.families,
            reference=known.reference if contender.mode == "local" else None,
            max_identity=known.max_identity,
            confidence=known.confidence.text,
            cache=self.wanted.folders.work / "cache",
        )
        run = ask(question)
        return Told(run.told, run.usage, parameters=known.confidence.said)

    def _peer(self, genome: BenchGenome, program: str) -> Told:
        folders = self.wanted.folders
        run = (
            run_giae(genome, folders.work)
            if program == "giae"
            else run_prokka(genome, folders.data, folders.work)
        )
        return Told(run.told, run.usage, kept=run.kept)


def make_bench(wanted: Wanted) -> Bench:
    """Read genomes, decide what is hidden from each, and make what is missing.

    Raises:
        subprocess.CalledProcessError: a build of families failed.
        FileNotFoundError: there is none, and none may be made.

    Cost: 20 s; 2 min more where it is not known yet what is to be hidden, 1 to 5 min for
    each build that is missing, 10 s for each reference.
    """
    vocabulary = load_products()
    folders = wanted.folders
    listed = listed_genomes()
    groups = [
        (genome, group)
        for table in (PANEL, JUDGES)
        for group in read_panel(folders.data, vocabulary, table)
        for genome in group.genomes
        if genome.name in wanted.genomes
    ]
    fastas = folders.work / "fasta"
    fastas.mkdir(parents=True, exist_ok=True)
    genomes = {
        name: make_ready(listed[name], folders.data, fastas, vocabulary)
        for name in wanted.genomes
        if name != COG_JUDGE
    }
    make_peers_ready(wanted, genomes.values())
    return Bench(
        wanted=wanted,
        genomes=genomes,
        panel={genome.name: genome for genome, _ in groups},
        known=_known(wanted, groups, listed.values()),
        vocabulary=vocabulary,
    )


def _known(
    wanted: Wanted, groups: Sequence[tuple[PanelGenome, Group]], listed: Iterable[Listed]
) -> dict[tuple[str, Regime], Known]:
    inputs = load_inputs()
    corpus = read_corpus(wanted.folders.data, inputs).corpus
    distinct = list({group.name: group for _, group in groups}.values())
    new = Regime.NOVEL in wanted.regimes
    library = Library(
        corpus=corpus,
        folders=wanted.folders,
        hidden=hidden_from(distinct, corpus, inputs, wanted.folders.work) if new else {},
        parameters=wanted.parameters,
        may_build=wanted.may_build,
        left_out={one.group: one.left_out for one in listed},
    )
    return {
        (genome.name, regime): library.known(genome, group, regime)
        for regime in wanted.regimes
        for genome, group in groups
    }


def make_peers_ready(wanted: Wanted, genomes: Iterable[BenchGenome]) -> None:
    """Install what peers need, once and before they run side by side.

    Where that fails, they say so themselves when they are run.
    """
    if "giae" in wanted.peers:
        with suppress(ProgramFailed):
            install_giae()
    if "prokka" in wanted.peers:
        for kind in {genome.kind for genome in genomes}:
            with suppress(ProgramFailed):
                prokka_database(kind, wanted.folders.data, wanted.folders.work)
