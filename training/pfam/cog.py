"""Learn the COG letter of the pack's families: ``python -m training.pfam.cog --help``.

Searches proteins with a known COG letter, counts letters per family, writes the
counts to ``genint/knowledge/data``, and judges them on a genome that was not
counted: for each cut-off how often the letter is right, and for how many proteins.
Counts are all that is kept of the proteins.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TextIO

from Bio import SeqIO

from genint.knowledge import table_files
from genint.knowledge.pfam import CogCall
from genint.model.evidence import ProfileHit
from genint.sources.profiles import ProfileDatabase, search_chunk
from training.pfam.pack import OUTPUT

PURITIES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
MINIMA = (1, 2, 3, 5)


class LabelledProteins(NamedTuple):
    """Proteins of one genome, their best hits first, and their COG letters."""

    hits: Mapping[str, tuple[ProfileHit, ...]]
    letters: Mapping[str, str]


def main() -> None:
    """Count, write, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    for role in ("train", "judge"):
        parser.add_argument(
            f"--{role}",
            type=Path,
            nargs=2,
            action="append",
            required=True,
            metavar=("PROTEINS", "LETTERS"),
            help="FASTA, and TSV with QUERY_ID and COG_LETTER; may be given several times",
        )
    options = parser.parse_args()
    calls = count(labelled(*paths) for paths in options.train)
    write(calls)
    for paths in options.judge:
        judge(calls, labelled(*paths))


def labelled(proteins: Path, letters: Path) -> LabelledProteins:
    """Read and search the proteins of one genome."""
    with _open(letters) as stream:
        rows = csv.DictReader(stream, delimiter="\t")
        letter_of = {row["QUERY_ID"]: row["COG_LETTER"] for row in rows}
    with _open(proteins) as stream:
        sequences = [(record.id, str(record.seq)) for record in SeqIO.parse(stream, "fasta")]
    hits = defaultdict(list)
    for hit in search_chunk(sequences, ProfileDatabase.shipped()):
        hits[hit.gene_id].append(hit)
    print(f"{proteins.name}: {len(sequences)} proteins, {len(letter_of)} with COG, {len(hits)} hit")
    return LabelledProteins({gene: tuple(found) for gene, found in hits.items()}, letter_of)


def _open(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def count(genomes: Iterable[LabelledProteins]) -> dict[str, CogCall]:
    """Most frequent letter of each family; ties go to the first of the alphabet.

    A protein of several letters counts for its first; proteins without a COG don't
    count, as no COG is no statement about the function.
    """
    letters: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for genome in genomes:
        for gene, hits in genome.hits.items():
            if gene in genome.letters:
                for hit in hits:
                    letters[hit.accession][genome.letters[gene][0]] += 1
    calls = {}
    for accession in sorted(letters):
        seen = letters[accession]
        letter = min(seen, key=lambda letter: (-seen[letter], letter))
        calls[accession] = CogCall(letter, seen[letter] / seen.total(), seen.total())
    return calls


def write(calls: Mapping[str, CogCall]) -> None:
    """Write the counts."""
    lines = [
        "# COG letters of Pfam families, counted on proteins of Escherichia coli K-12 and "
        "Synechocystis sp. PCC 6803 with COG by RPS-BLAST (COG: public domain)",
        "accession\tletter\twith_letter\tproteins",
    ]
    for accession, call in calls.items():
        with_letter = round(call.purity * call.proteins)
        lines.append(f"{accession}\t{call.letter}\t{with_letter}\t{call.proteins}")
    (OUTPUT / table_files.PFAM_COG).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"wrote {table_files.PFAM_COG}: {len(calls)} families")


def judge(calls: Mapping[str, CogCall], genome: LabelledProteins) -> None:
    """Print accuracy and coverage on proteins with a known letter."""
    print("purity  proteins>=  called  right  accuracy  share of proteins with COG")
    for purity in PURITIES:
        for minimum in MINIMA:
            called = right = 0
            for gene, letters in genome.letters.items():
                letter = letter_of(genome.hits.get(gene, ()), calls, purity, minimum)
                called += letter is not None
                right += letter is not None and letter in letters
            print(
                f"{purity:6.1f}  {minimum:10d}  {called:6d}  {right:5d}  "
                f"{right / max(1, called):8.3f}  {called / len(genome.letters):.3f}"
            )


def letter_of(
    hits: Iterable[ProfileHit], calls: Mapping[str, CogCall], purity: float, minimum: int
) -> str | None:
    """Letter of the best hit whose family has a call at these cut-offs."""
    for hit in hits:
        call = calls.get(hit.accession)
        if call is not None and call.purity >= purity and call.proteins >= minimum:
            return call.letter
    return None


if __name__ == "__main__":
    main()
