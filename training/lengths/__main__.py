"""Learn how long proteins of a name are: writes ``name_lengths.tsv``.

    python -m training.lengths --data ../shared/data

Read are the training proteins whose name says a function: those of UniProt, of bacteria and of
phages. A name is the term of the vocabulary that it means, and every wider one, else its words; a
name of one word (monooxygenase) is every name that has the word.
Of each name that enough proteins have, the table keeps the length that nearly all of them reach,
and how many there were; no residue. Automatic entries of UniProt, many of which are fragments,
count only where a name has no others. The same files give the same table, byte for byte. Cost:
15 s on one core, memory 300 MB.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple

from genint.knowledge.name_lengths import NameLength, key_of
from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import ProductVocabulary, load_products, name_key
from genint.knowledge.table_files import NAME_LENGTHS
from training.pfam.pack import OUTPUT

LEAST_PROTEINS = 5
"""Of reviewed entries and annotated genomes; fewer tell too little of what is the shortest."""
LEAST_AUTOMATIC = 20
"""The same of automatic entries."""
LEAST_LENGTH_AA = 120
"""Names that shorter proteins have are left out: half of it is as short as many genes are."""
_SHORTEST_KEY, _LONGEST_KEY = 5, 70
"""Characters; shorter names are letters of one genome, longer ones list what else is known."""
_SHORTER = 0.05
"""Share of the proteins of a name that may be shorter, one at least: fragments and wrong names,
which were copied from phage to phage. At 0.03 a ribonucleotide reductase could have 38 residues."""
_TENS = 10
"""Lengths are kept in tens."""
_PIECE = re.compile(
    r"\b(?:fragment|partial|truncated|pseudogene|incomplete|remnant|leader|[nc][- ]?terminal"
    r"|inactive|domain|split|precursor|degenerate|interrupted|frameshift)",
    re.IGNORECASE,
)
"""Names of what is shorter than the others."""
_TELLING = frozenset({NameKind.NAME, NameKind.HEDGED})
_HEAD = """\
# Lengths of proteins by name (training/lengths), counted from UniProt (CC BY 4.0), INSDC and RefSeq
# records: what 95 of 100 proteins of a name reach, of fewer all but the shortest
name\tshortest_aa\tproteins
"""


class Named(NamedTuple):
    """A protein of the training data.

    Attributes:
        name: As its record has it.
        length_aa: Residues.
        is_automatic: An entry of UniProt that nobody reviewed.
    """

    name: str
    length_aa: int
    is_automatic: bool = False


class _Header(NamedTuple):
    """What a header says: the name, and whether nobody reviewed it."""

    name: str
    is_automatic: bool = False


def main() -> None:
    """Read, count, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="data folder")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the table")
    options = parser.parse_args()
    table = learn(read_all(options.data / "train"), load_products())
    text = text_of(table)
    (options.output / NAME_LENGTHS).write_text(text, encoding="utf-8")
    print(f"{NAME_LENGTHS}: {len(table):,} names, {len(text.encode()):,} bytes")


def read_all(folder: Path) -> Iterator[Named]:
    """The proteins of all training files."""
    yield from _read(folder / "uniprot_enzymes.faa.gz", _after_id)
    yield from _read(folder / "bacterial_proteins.faa.gz", _after_id)
    yield from _read(folder / "phage_proteins_more.faa.gz", _after_id)
    yield from _read(folder / "phage_proteins_139.faa.gz", _after_id)
    yield from _read(folder / "phage_proteins.faa.gz", _after_bar)


def _after_id(header: str) -> _Header:
    """``id name``, tab, status or source, tab, more."""
    name, _, rest = header.partition(" ")[2].partition("\t")
    return _Header(name, rest.startswith("unreviewed"))


def _after_bar(header: str) -> _Header:
    """``number_protein|record|gene|product``."""
    return _Header(header.rpartition("|")[2])


def _read(file: Path, read_header: Callable[[str], _Header]) -> Iterator[Named]:
    header, length_aa = _Header(""), 0
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(">"):
                if length_aa:
                    yield Named(header.name, length_aa, header.is_automatic)
                header, length_aa = read_header(line[1:].rstrip("\n")), 0
            else:
                length_aa += len(line.strip().rstrip("*"))
    if length_aa:
        yield Named(header.name, length_aa, header.is_automatic)


def learn(proteins: Iterable[Named], vocabulary: ProductVocabulary) -> Mapping[str, NameLength]:
    """The length that nearly all proteins of a name reach, by key in the order of the alphabet."""
    read: defaultdict[str, list[int]] = defaultdict(list)
    automatic: defaultdict[str, list[int]] = defaultdict(list)
    known = tuple(proteins)
    keys = {name: _keys(name, vocabulary) for name in {protein.name for protein in known}}
    words = {key for of_name in keys.values() for key in of_name if key.isalpha()}
    keys = {name: _with_words(name, of_name, words) for name, of_name in keys.items()}
    for protein in known:
        for key in keys[protein.name]:
            (automatic if protein.is_automatic else read)[key].append(protein.length_aa)
    found = {
        key: _nearly_all(read[key], automatic[key], is_family="family" in key.split())
        for key in sorted({*read, *automatic})
    }
    return {
        key: length
        for key, length in found.items()
        if length is not None and length.shortest_aa >= LEAST_LENGTH_AA
    }


def _keys(name: str, vocabulary: ProductVocabulary) -> tuple[str, ...]:
    """Keys of a name; none where it tells nothing, or that the protein is a piece."""
    if _PIECE.search(name) or classify_product(name) not in _TELLING:
        return ()
    product = vocabulary.find(name)
    if product is not None:
        return tuple(key_of(name, one) for one in vocabulary.lineage(product.id))
    key = key_of(name, None)
    return (key,) if _SHORTEST_KEY <= len(key) <= _LONGEST_KEY else ()


def _with_words(name: str, keys: tuple[str, ...], words: AbstractSet[str]) -> tuple[str, ...]:
    """Keys of a name, and those of its words that are names themselves."""
    own = words & set(name_key(name).split()) if keys else ()
    return tuple(dict.fromkeys((*keys, *own)))


def _nearly_all(
    read: Sequence[int], automatic: Sequence[int], *, is_family: bool
) -> NameLength | None:
    """The length that nearly all reach; None where there are too few proteins.

    Members of a family may differ much, so more of them are asked for.
    """
    lengths = sorted(read)
    if len(lengths) < (LEAST_AUTOMATIC if is_family else LEAST_PROTEINS):
        lengths = sorted((*read, *automatic))
        if len(lengths) < LEAST_AUTOMATIC:
            return None
    shortest_aa = lengths[max(1, int(_SHORTER * len(lengths)))]
    return NameLength(shortest_aa // _TENS * _TENS, len(lengths))


def text_of(table: Mapping[str, NameLength]) -> str:
    """The table as it ships."""
    rows = (f"{key}\t{one.shortest_aa}\t{one.proteins}\n" for key, one in table.items())
    return _HEAD + "".join(rows)


if __name__ == "__main__":
    main()
