"""How many real names the vocabulary knows.

``python -m training.vocabulary.name_coverage --help`` lists the options.

Every fifth record, by a hash of its name, is held out: its names were not read when
synonyms were collected, so what the vocabulary finds of them is what it will find of
a genome that nobody has seen. Only names of the other records are ever printed. The
phage proteins of Swiss-Prot are one record, which was read.
Names that say nothing (hypothetical protein, gp12) don't count, nor do machine-made
ones. A protein counts once per name; a class (tail protein) counts as found where
the vocabulary has it as a vague product, and is told apart.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from Bio import SeqIO

from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import Product, ProductVocabulary, load_products

DATA = Path("../shared/data")
HELD_OUT_OF = 5
POOL = "PhANNs"
"""Prefix of the records that pool capsid proteins of many phages: each protein is a record of
its own there. They are thousands with few names, so their share is printed apart."""
INFORMATIVE = frozenset({NameKind.NAME, NameKind.HEDGED, NameKind.BROAD})


class NamedProtein(NamedTuple):
    """One name of one protein.

    Attributes:
        hash: SHA-256 of the residues.
        product: Name as the record gives it.
        origin: Who named it.
        held_out: Whether its record was kept from whoever collected synonyms.
    """

    hash: str
    product: str
    origin: str
    held_out: bool


class Share(NamedTuple):
    """How much was found, of all informative names: by protein and by distinct name."""

    proteins: int
    found_proteins: int
    vague_proteins: int
    names: int
    found_names: int


def main() -> None:
    """Read the names, look them up, print shares and what was not found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder with train/")
    parser.add_argument("--missing", type=int, default=40, help="names not found to print")
    options = parser.parse_args()
    vocabulary = load_products()
    named = tuple(read_named(options.data / "train"))
    print(f"vocabulary {vocabulary.version}: {len(vocabulary.products)} products")
    print("part\torigin\tproteins\tfound\tof them vague\tdistinct names\tfound")
    for held_out in (False, True):
        part = [one for one in named if one.held_out == held_out]
        label = "held out" if held_out else "read"
        for origin in sorted({one.origin for one in part}):
            share = share_found([one for one in part if one.origin == origin], vocabulary)
            print(_row(label, origin, share))
        unpooled = [one for one in part if not one.origin.endswith("pooled")]
        print(_row(label, "all but pooled", share_found(unpooled, vocabulary)))
        print(_row(label, "all", share_found(part, vocabulary)))
    print("\nmost frequent names not found, of the records that were read:")
    for product, count in missing(named, vocabulary).most_common(options.missing):
        print(f"{count}\t{product}")


def read_named(folder: Path) -> Iterator[NamedProtein]:
    """Informative names of the phage training proteins, each protein and name once."""
    origins = _origins(folder / "records.tsv")
    seen: set[tuple[str, str]] = set()
    with gzip.open(folder / "phage_proteins.faa.gz", "rt") as stream:
        for entry in SeqIO.parse(stream, "fasta"):
            protein, record, product = split_heading(entry.description)
            origin = origins.get(record)
            if origin is None or classify_product(product) not in INFORMATIVE:
                continue
            digest = hashlib.sha256(str(entry.seq).upper().rstrip("*").encode()).hexdigest()
            if (digest, product) not in seen:
                seen.add((digest, product))
                if record.startswith(POOL):
                    yield NamedProtein(digest, product, f"{origin}, pooled", is_held_out(protein))
                else:
                    yield NamedProtein(digest, product, origin, is_held_out(record))


def split_heading(heading: str) -> tuple[str, str, str]:
    """Protein, record and product of ``protein|record|symbol|product``.

    Record names may hold bars themselves, the other parts don't.
    """
    protein, _, rest = heading.partition("|")
    record, _symbol, product = rest.rsplit("|", 2)
    return protein, record, product


def is_held_out(record: str) -> bool:
    """Whether a record's names were not read when synonyms were collected."""
    return int(hashlib.sha256(record.encode()).hexdigest(), 16) % HELD_OUT_OF == 0


def _origins(path: Path) -> dict[str, str]:
    """Who named the proteins of each record; machine-made names have none."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = {row["record"]: row["names"] for row in csv.DictReader(stream, delimiter="\t")}
    words = {record: names.split()[0] for record, names in rows.items()}
    return {record: word for record, word in words.items() if word != "PHROG"}


def share_found(named: Iterable[NamedProtein], vocabulary: ProductVocabulary) -> Share:
    """What the vocabulary finds of these names."""
    found: dict[str, Product | None] = {}
    proteins: Counter[str] = Counter()
    for one in named:
        proteins[one.product] += 1
        found[one.product] = vocabulary.find(one.product)
    hits = {name: product for name, product in found.items() if product is not None}
    return Share(
        proteins=proteins.total(),
        found_proteins=sum(proteins[name] for name in hits),
        vague_proteins=sum(proteins[name] for name, product in hits.items() if product.vague),
        names=len(found),
        found_names=len(hits),
    )


def missing(named: Iterable[NamedProtein], vocabulary: ProductVocabulary) -> Counter[str]:
    """Names not found and their proteins, of records that were read."""
    return Counter(
        one.product for one in named if not one.held_out and vocabulary.find(one.product) is None
    )


def _row(part: str, origin: str, share: Share) -> str:
    proteins, names = max(share.proteins, 1), max(share.names, 1)
    return (
        f"{part}\t{origin}\t{share.proteins}\t{share.found_proteins / proteins:.1%}"
        f"\t{share.vague_proteins / proteins:.1%}\t{share.names}\t{share.found_names / names:.1%}"
    )


if __name__ == "__main__":
    main()
