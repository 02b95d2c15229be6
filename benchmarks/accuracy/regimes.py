"""What genint may know of a genome in each regime of the bench.

* ``shipped``: the families that ship, which know the genome itself. The reference for local
  mode is all named proteins but the genome's own: its records, and entries of Swiss-Prot that
  are letter by letter one of its proteins.
* ``novel``: families and a reference without the genomes of its group, their near relatives
  and every protein that is >= 90 % identical to one of theirs; what is that similar is left
  out of the search as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from genint.sources.similarity.search import ReferenceDatabase
from training.blind.relatives import (
    MIN_COVERAGE,
    NEAR_IDENTITY,
    NEAR_SHARE,
    NOVEL_IDENTITY,
    Hidden,
)
from training.confidence.hiding import (
    Folders,
    blind_families,
    blind_reference,
    hidden_of,
    made_families,
    together,
)
from training.confidence.panel import Group, PanelGenome, slug_of
from training.families.corpus import sequence_hash
from training.families.inputs import Input
from training.families.readers import POOLED
from training.families.values import Corpus


class Regime(StrEnum):
    """What genint may know."""

    NOVEL = "novel"
    SHIPPED = "shipped"


class Confidence(NamedTuple):
    """Parameters of the confidence model.

    Attributes:
        text: Of their file; None for those that ship.
        said: Which ones they are, in plain words.
    """

    text: str | None
    said: str


_BENCH = "bench"
"""Name of the build that hides all genomes of the bench, which more are in than in the panel."""
AS_SHIPPED = Confidence(None, "as shipped")


@dataclass(frozen=True, slots=True)
class Known:
    """What genint may know of a genome.

    Attributes:
        families: Folder of a build; None for the one that ships.
        reference: Named proteins for local mode.
        max_identity: From which entries of it are left out; None to leave none out.
        confidence: How evidence is weighed.
    """

    families: Path | None
    reference: ReferenceDatabase
    max_identity: float | None
    confidence: Confidence


def confidence_of(
    left_out: str | None, regime: Regime, asked: Path | None, work: Path
) -> Confidence:
    """Parameters for the genomes of a group.

    Args:
        left_out: The group of the confidence model that they or near relatives are in; None
            where nothing was fitted on any of them, so that what ships judges them.
        regime: Of the run.
        asked: Folder with parameters fitted without each group, for both regimes; None for
            those of the work folder, which are for the novel one alone.
        work: The work folder.

    Raises:
        FileNotFoundError: the folder that was asked for has none for the group.
    """
    if left_out is None:
        return AS_SHIPPED
    slug = slug_of(left_out)
    folder = asked or work / "parameters"
    file = folder / f"{slug}.toml"
    if asked is None and (regime is Regime.SHIPPED or not file.is_file()):
        return AS_SHIPPED
    return Confidence(file.read_text(encoding="utf-8"), f"fitted without {slug}")


@dataclass(frozen=True, slots=True)
class Library:
    """All that families and references are made of, and what is to be hidden.

    Attributes:
        corpus: Everything that families are made of.
        folders: Where builds and references lie or are made.
        hidden: By group, what must not be known where it is new (:func:`hidden_from`).
        parameters: Folder asked for (:func:`confidence_of`); None for the usual ones.
        may_build: Build families where they are missing or their sources have changed since;
            otherwise a complete build that hides as much is taken as it is.
        left_out: By group, that of the confidence model whose parameters know nothing of it;
            None where what ships knows nothing of it (:func:`confidence_of`). A group that is
            missing is one of the confidence model.
    """

    corpus: Corpus
    folders: Folders
    hidden: Mapping[str, Hidden]
    parameters: Path | None
    may_build: bool
    left_out: Mapping[str, str | None] = field(default_factory=dict)

    def known(self, genome: PanelGenome, group: Group, regime: Regime) -> Known:
        """What genint may know of a genome.

        Raises:
            FileNotFoundError: there is no build, and none may be made.

        Cost: 10 s for a reference and 1 to 5 min for a build, nothing where they are there.
        """
        left_out = self.left_out.get(group.name, group.name)
        confidence = confidence_of(left_out, regime, self.parameters, self.folders.work)
        if regime is Regime.SHIPPED:
            own = own_proteins(genome, self.corpus)
            return Known(None, blind_reference(own, self.corpus, self.folders), None, confidence)
        families = self._families(group)
        reference = blind_reference(together(self.hidden.values()), self.corpus, self.folders)
        return Known(families, reference, NOVEL_IDENTITY, confidence)

    def _families(self, group: Group) -> Path:
        if self.may_build:
            return blind_families(together(self.hidden.values()), self.folders, _BENCH)
        hidden = self.hidden[group.name]
        for build in made_families(self.folders):
            if _hides(build, hidden):
                return build
        raise FileNotFoundError(f"no build without {group.name} in {self.folders.work}")


def _hides(build: Path, hidden: Hidden) -> bool:
    """Whether a build is complete and hides all of this; its file says so last of all."""
    finished = build / "exclusion.txt"
    if not finished.is_file():
        return False
    said = parse_hidden(finished.read_text(encoding="utf-8"))
    return {*hidden.records} <= {*said.records} and {*hidden.proteins} <= {*said.proteins}


def own_proteins(genome: PanelGenome, corpus: Corpus) -> Hidden:
    """A genome's own records, and pooled entries that are letter by letter its proteins."""
    records = set(genome.records)
    for protein in genome.proteins:
        same = corpus.proteins.get(sequence_hash(protein.upper().rstrip("*")))
        if same is not None:
            records |= {record for record in same.records if record.startswith(POOLED)}
    return Hidden(tuple(sorted(records)), ())


def hidden_from(
    groups: Sequence[Group], corpus: Corpus, inputs: Iterable[Input], work: Path
) -> Mapping[str, Hidden]:
    """What is to be hidden from each group in the novel regime, by its name.

    Cost: 2 min at the first time; kept in the work folder.
    """
    folder = work / "hidden"
    folder.mkdir(parents=True, exist_ok=True)
    pinned = "".join(f"{one.path} {one.sha256}\n" for one in inputs)
    files = {group.name: folder / f"{_key(group, pinned)}.txt" for group in groups}
    missing = [group for group in groups if not files[group.name].is_file()]
    for name, hidden in (hidden_of(missing, corpus, novel=True) if missing else {}).items():
        unfinished = files[name].with_suffix(".part")
        unfinished.write_text(hidden.text(name), encoding="utf-8")
        unfinished.replace(files[name])
    return {name: parse_hidden(file.read_text(encoding="utf-8")) for name, file in files.items()}


def parse_hidden(text: str) -> Hidden:
    """What an exclusion file hides."""
    lines = [line.split(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return Hidden(
        tuple(value for what, value in lines if what == "record"),
        tuple(value for what, value in lines if what == "protein"),
    )


def _key(group: Group, pinned: str) -> str:
    """Of all that decides what is hidden."""
    digest = hashlib.sha256(pinned.encode())
    digest.update(f"{NEAR_IDENTITY} {NEAR_SHARE} {NOVEL_IDENTITY} {MIN_COVERAGE}\n".encode())
    for genome in group.genomes:
        lines = [genome.name, *genome.records, *genome.proteins]
        digest.update("\n".join(lines).encode())
    return f"{group.slug}-{digest.hexdigest()[:16]}"
