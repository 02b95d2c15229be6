"""Near relatives of a genome in the training corpus, to be hidden from a blind build.

A record is a near relative when more than half of its genes, or of the genome's, have a
counterpart in the other at >= 95 % identity over >= 80 % of the shorter one. Proteins of
pooled collections are records of their own, so each counts by itself. In the novel regime
every protein that is >= 90 % identical to one of the genome's is hidden too, whoever has it.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from training.families.corpus import sequence_hash
from training.families.readers import POOLED
from training.families.values import Corpus

NEAR_IDENTITY = 0.95
NEAR_SHARE = 0.5
NOVEL_IDENTITY = 0.90
MIN_COVERAGE = 0.8
"""Of the shorter protein."""
_MAX_HITS = 20_000
"""Per protein: more than the largest pool of one protein has."""


class Alignment(NamedTuple):
    """A protein of the genome (its number) and one of the corpus (its hash)."""

    query: int
    target: str
    identity: float
    coverage: float


class Hidden(NamedTuple):
    """What a blind build must not know."""

    records: tuple[str, ...]
    proteins: tuple[str, ...]

    def summary(self) -> str:
        """How much is hidden, with the records that are genomes by name."""
        genomes = [record for record in self.records if not record.startswith(POOLED)]
        pooled = len(self.records) - len(genomes)
        said = f"{len(genomes)} records ({' '.join(genomes)}), {pooled} pooled proteins"
        return said + (f", {len(self.proteins)} single proteins" if self.proteins else "")

    def text(self, title: str) -> str:
        """The exclusion file."""
        lines = [f"# {title}"]
        lines += [f"record {record}" for record in self.records]
        lines += [f"protein {protein}" for protein in self.proteins]
        return "\n".join(lines) + "\n"


def align(
    genomes: Mapping[str, Sequence[str]], corpus: Corpus, kept: Path | None = None
) -> Mapping[str, tuple[Alignment, ...]]:
    """Search the proteins of all genomes in the corpus, in one run.

    Args:
        genomes: Residues of the genes by the name of the genome.
        corpus: Everything that families are made of.
        kept: Folder where what was found is remembered; None to search again.

    Returns:
        By genome, the alignments of its proteins, numbered from 0.

    Cost: 20 s for a phage, 60 s for a bacterium, mostly of indexing the corpus.
    """
    queries = [
        (name, number, protein.upper().rstrip("*"))
        for name, proteins in genomes.items()
        for number, protein in enumerate(proteins)
    ]
    residues = [protein for _, _, protein in queries]
    found: dict[str, list[Alignment]] = {name: [] for name in genomes}
    for alignment in (*_identical(residues, corpus), *_remembered(residues, corpus, kept)):
        name, number, _ = queries[alignment.query]
        found[name].append(alignment._replace(query=number))
    return {name: tuple(alignments) for name, alignments in found.items()}


def decide(
    alignments: Iterable[Alignment],
    genes: int,
    corpus: Corpus,
    *,
    own_records: Iterable[str],
    novel: bool,
) -> Hidden:
    """Which records and proteins are to be hidden.

    Args:
        alignments: Of the genome's proteins with the corpus.
        genes: How many proteins the genome has.
        corpus: Everything that families are made of.
        own_records: Ids of the genome's own records, hidden whatever they share.
        novel: Hide every protein at >= 90 % identity as well.
    """
    ours: dict[str, set[int]] = defaultdict(set)
    theirs: dict[str, set[str]] = defaultdict(set)
    too_alike: set[str] = set()
    for alignment in alignments:
        if alignment.coverage < MIN_COVERAGE:
            continue
        if alignment.identity >= NOVEL_IDENTITY:
            too_alike.add(alignment.target)
        if alignment.identity >= NEAR_IDENTITY:
            for record in corpus.proteins[alignment.target].records:
                ours[record].add(alignment.query)
                theirs[record].add(alignment.target)
    sizes = _sizes(corpus)
    known = frozenset(own_records) & sizes.keys()
    records = known | {
        record
        for record in ours
        if len(ours[record]) > NEAR_SHARE * genes
        or len(theirs[record]) > NEAR_SHARE * sizes[record]
    }
    return Hidden(tuple(sorted(records)), tuple(sorted(too_alike)) if novel else ())


def _sizes(corpus: Corpus) -> Mapping[str, int]:
    return Counter(record for protein in corpus.proteins.values() for record in protein.records)


def _identical(proteins: Sequence[str], corpus: Corpus) -> Iterable[Alignment]:
    """Those that the corpus has letter by letter: a prefilter may lose the shortest."""
    for number, protein in enumerate(proteins):
        key = sequence_hash(protein)
        if key in corpus.proteins:
            yield Alignment(number, key, 1.0, 1.0)


def _remembered(proteins: Sequence[str], corpus: Corpus, kept: Path | None) -> Iterable[Alignment]:
    if kept is None:
        return _search(proteins, corpus)
    digest = hashlib.sha256("\n".join((*proteins, "in", *corpus.proteins)).encode()).hexdigest()
    file = kept / f"alignments-{digest[:32]}.json"
    if not file.is_file():
        kept.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_suffix(".part")
        unfinished.write_text(json.dumps(tuple(_search(proteins, corpus))))
        unfinished.replace(file)
    return [Alignment(*row) for row in json.loads(file.read_text())]


def _search(proteins: Sequence[str], corpus: Corpus) -> Iterable[Alignment]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        queries, targets, found = (folder / part for part in ("q.faa", "t.faa", "found.tsv"))
        queries.write_text("".join(f">{at}\n{one}\n" for at, one in enumerate(proteins) if one))
        with targets.open("w") as stream:
            for key, protein in corpus.proteins.items():
                stream.write(f">{key}\n{protein.residues}\n")
        command = ["mmseqs", "easy-search", queries, targets, found, folder / "tmp"]
        command += ["-s", "2", "--min-seq-id", str(NOVEL_IDENTITY), "--max-seqs", str(_MAX_HITS)]
        command += ["--format-output", "query,target,fident,qstart,qend,qlen,tstart,tend,tlen"]
        command += ["--threads", "2", "-v", "1"]
        subprocess.run([str(part) for part in command], check=True, capture_output=True)
        return tuple(map(parse_alignment, found.read_text().splitlines()))


def parse_alignment(line: str) -> Alignment:
    """One line of the search: names, identity, and start, end, length of both."""
    query, target, identity, *numbers = line.split("\t")
    q_start, q_end, q_length, t_start, t_end, t_length = map(int, numbers)
    aligned = q_end - q_start + 1 if q_length <= t_length else t_end - t_start + 1
    return Alignment(int(query), target, float(identity), aligned / min(q_length, t_length))
