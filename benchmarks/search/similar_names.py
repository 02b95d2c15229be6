"""How often the name of the most similar protein is right, by class of similarity.

    python -m benchmarks.search.similar_names --data ../shared/data

The reference is proteins of viruses, archaea, E. coli and phages; what is of the same genome
or at least ``--max-identity`` identical is left out. The names of the records are the truth,
judged by :mod:`genint.knowledge.name_comparison`. The shares stand in ``confidence.toml``.
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from genint.formats import read_genome
from genint.formats.proteins import read_proteins
from genint.knowledge.name_comparison import Verdict, compare_names, is_informative
from genint.knowledge.own_families import load_own_families
from genint.knowledge.products import ProductVocabulary, load_products
from genint.knowledge.protein_index import open_index
from genint.knowledge.protein_index_build import build_index
from genint.model.evidence import Evidence, ReferenceEntry, ReferenceProtein, residues_digest
from genint.model.genome import Genome
from genint.model.rescue import wilson
from genint.model.vocabulary import EvidenceSource, Specificity
from genint.sources.homology import observe
from genint.sources.similarity.search import ReferenceDatabase, search_similar
from training.vocabulary.name_coverage import split_heading

_FILES = (
    "reference/sprot/Archaea_sprot.gz",
    "reference/sprot/Viruses_sprot.gz",
    "reference/sprot/Bacteria_AMR.gz",
    "reference/ecoli_truth/UP000000625_83333.fasta.gz",
)
_PHAGES = "train/phage_proteins.faa.gz"
_GENOMES = {
    "S_pyogenes_M1_NC_002737.gb.gz": "bacteria",
    "M_mycoides_GM12_NZ_CP001668.gbff.gz": "bacteria",
    "lambda_NC_001416.gb": "phages",
    "T7_NC_001604.gb": "phages",
    "phageK_NC_005880.gbk": "phages",
}
_SAME_GENOME = frozenset(
    "NC_001416.1 J02459.1 NC_001604.1 V01146.1 NC_005880.1 NC_005880.2 KF766114.1".split()
)

_MANY = 500
"""Genes from which a genome is taken for that of a bacterium."""


def reference_proteins(data: Path) -> Iterator[ReferenceProtein]:
    """The reference, without the proteins of the phages that are asked for."""
    for name in _FILES:
        yield from read_proteins((data / name).read_bytes(), name)
    text = gzip.decompress((data / _PHAGES).read_bytes()).decode()
    for record in text.split(">")[1:]:
        header, _, rest = record.partition("\n")
        accession, source, product = split_heading(header)
        residues = "".join(rest.split()).upper().rstrip("*")
        if residues and source not in _SAME_GENOME:
            entry = ReferenceEntry(
                accession,
                product,
                length_aa=len(residues),
                digest=residues_digest(residues),
            )
            yield ReferenceProtein(entry, residues)


def evidence_of(
    genome: Genome, reference: ReferenceDatabase, options: argparse.Namespace
) -> tuple[Evidence, ...]:
    """What similar proteins say of the genes of a genome."""
    vocabulary = load_products()
    asked = genome.genes[:: options.every] if len(genome.genes) > _MANY else genome.genes
    proteins = [(gene.id, gene.protein) for gene in asked if gene.protein]
    hits = search_similar(proteins, reference, max_identity=options.max_identity)
    return observe(genome.genes, hits, load_own_families(), vocabulary)


def verdicts(
    genome: Genome, evidence: tuple[Evidence, ...], vocabulary: ProductVocabulary
) -> Iterator[tuple[str, Verdict]]:
    """Class and verdict of every name that stands against one of the record."""
    truth = {gene.id: gene.product or "" for gene in genome.genes if not gene.pseudo}
    for item in evidence:
        true = truth.get(item.gene_id, "")
        if item.specificity is Specificity.CATEGORY or not is_informative(true, vocabulary):
            continue
        verdict = compare_names(true, item.subject, vocabulary)
        if verdict is not Verdict.UNINFORMATIVE:
            yield item.strength, verdict


def main() -> int:
    """Search, judge, and print a line for each class and kind of genome."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--max-identity", type=float, default=0.9)
    parser.add_argument("--every", type=int, default=1, help="of bacteria every n-th gene")
    options = parser.parse_args()
    vocabulary = load_products()
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        build_index(reference_proteins(options.data), Path(folder))
        info = open_index(Path(folder)).info
        reference = ReferenceDatabase(
            EvidenceSource.SWISSPROT, "reference", Path(folder), info.digest
        )
        for file, kind in _GENOMES.items():
            genome = read_genome(options.data / "genomes" / file)
            started = time.process_time()
            evidence = evidence_of(genome, reference, options)
            print(f"{file}: {time.process_time() - started:.1f} s CPU")
            for strength, verdict in verdicts(genome, evidence, vocabulary):
                fate = "right" if verdict.right else verdict.name
                for group in (kind, "all"):
                    counts[strength, group][fate] += 1
    for (strength, group), fates in sorted(counts.items()):
        judged, right = fates.total(), fates["right"]
        vaguer = fates[Verdict.VAGUER.name]
        low, high = wilson(right, judged)
        print(
            f"{strength:20} {group:9} {right:4} of {judged:4} right {right / judged:.2f} "
            f"({low:.2f} to {high:.2f}), not wrong {(right + vaguer) / judged:.2f}"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
