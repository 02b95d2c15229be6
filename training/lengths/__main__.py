"""Learn how long proteins of a name are: writes ``name_lengths.tsv``.

    python -m training.lengths --data ../shared/data

Read are the training proteins whose name says a function: those of UniProt, of bacteria and of
phages. A name is the term of the vocabulary that it means, and every wider one, else its words; a
name of one word (monooxygenase) is every name that has the word.
Of each name that enough proteins have, the table keeps the length that nearly all of them reach,
and how many there were; no residue. The same is kept of each class (kinase) that names end in.
Where enough proteins were named by curators or for a record of their own, only these count.
Automatic entries of UniProt and proteins in the wording of SEED, many of which are pieces that bear
the name of the whole, count only where a name has no others.
The same files give the same table, byte for byte. Cost: 20 s on one core, memory 300 MB.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from statistics import median
from typing import NamedTuple

from genint.knowledge.name_lengths import NameLength, class_key_of, is_class, key_of
from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import Product, ProductVocabulary, load_products, name_key
from genint.knowledge.table_files import NAME_LENGTHS
from genint.model.vocabulary import Category
from training.pfam.pack import OUTPUT

LEAST_PROTEINS = 5
"""Of reviewed entries and annotated records; fewer tell too little of what is the shortest."""
LEAST_AUTOMATIC = 20
"""The same of automatic entries."""
_ENOUGH_OF_PHAGES = 50
"""Proteins of records from which SEED's names of phage proteins are not needed: a small protein may
be rare among them (the inactivator of the C1 repressor of P1 has 69 residues)."""
_OF_MANY_KINDS = 3
"""Times that the longest narrower term may be as long as the shortest before a vague term says no
more than a role: packaging proteins are terminases of 400 residues, and others of 90."""
_LEAST_ALIKE = 3
"""Fewer of these do where all but the shortest are of about one length."""
_ABOUT_ONE = 2.0
"""Times that the longest of these may be as long as the shortest."""
_LONG = 0.75
"""Quantile of the lengths of a name that is of whole proteins even where most bear it as pieces: of
16 HsdM in the wording of SEED half are shorter than 160 residues, the others have 508 to 528."""
_CLASS_AT_MOST_AA = 200
"""What a class tells at most: its short members may be rare."""
_PIECE_SHARE, _PIECES, _FEW_PIECES = 1 / 3, 2, 0.05
"""Shorter than this share of the median is a piece, where no more than two proteins of a name, or
than this share of them, are so short: of twelve uracil permeases two have 42 and 44 residues, the
others 403 to 487. Classes and vague terms hold proteins of many lengths, of which none is one."""
LEAST_LENGTH_AA = 80
"""Names that shorter proteins have are left out: half of it is as short as many small genes are.
They stay where the class of the name would tell a length that they need not have."""
_HALVES = 2
"""A name is doubted below half of its length (``genint/interpret/doubts``)."""
_MOSTLY = 0.5
"""Share of the proteins of a vague term that are of a narrower one, from which all are."""
_PARTS = frozenset({Category.HEAD, Category.TAIL, Category.PACKAGING})
"""Categories of the parts of a phage."""
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
_COLLECTED, _OF_SEED = "PhANNs", "PHACTS"
"""Begin the records of proteins that were collected by their name, and of phages that SEED
annotated."""
_PARTNER = re.compile(
    r"\b(?:(?:co-?)?activat(?:or|ing)|anti|inhibitor|inhibiting|(?:co-?)?repressor|regulat\w+)\b",
    re.IGNORECASE,
)
"""What acts on an enzyme bears its name, but not its length: an arylsulfatase regulator."""
_PARENTHESES = re.compile(r"\s*\(.*\)")
_TELLING = frozenset({NameKind.NAME, NameKind.HEDGED})
_HEAD = """\
# Lengths of proteins by name (training/lengths), counted from UniProt (CC BY 4.0), INSDC and RefSeq
# records: what 95 of 100 proteins of a name reach, of fewer all but the shortest
name\tshortest_aa\tproteins
"""


class NamedBy(Enum):
    """Who named a protein, which says whether its length is that of a whole one."""

    RECORD = "a reviewed entry, or a record that was annotated by itself"
    AUTOMATIC = "an entry of UniProt that nobody reviewed"
    COPIED = "SEED, which gives pieces of a gene the name of the whole"
    PHAGES = "SEED, for a phage, where small proteins may have the name too"


class Named(NamedTuple):
    """A protein of the training data.

    Attributes:
        name: As its record has it.
        length_aa: Residues.
        by: Who named it.
    """

    name: str
    length_aa: int
    by: NamedBy = NamedBy.RECORD


@dataclass(slots=True)
class _Lengths:
    """Lengths of the proteins of a name, by who named them."""

    read: list[int] = field(default_factory=list)
    automatic: list[int] = field(default_factory=list)
    copied: list[int] = field(default_factory=list)
    phages: list[int] = field(default_factory=list)

    def add(self, protein: Named) -> None:
        """Take one protein up."""
        lengths = {
            NamedBy.RECORD: self.read,
            NamedBy.AUTOMATIC: self.automatic,
            NamedBy.COPIED: self.copied,
            NamedBy.PHAGES: self.phages,
        }
        lengths[protein.by].append(protein.length_aa)


class _Header(NamedTuple):
    """What a header says: the name, and who gave it; None leaves the protein out."""

    name: str
    by: NamedBy | None = NamedBy.RECORD


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
    if rest.startswith("unreviewed"):
        return _Header(name, NamedBy.AUTOMATIC)
    return _Header(name, NamedBy.COPIED if rest.endswith("SEED wording") else NamedBy.RECORD)


def _after_bar(header: str) -> _Header:
    """``number_protein|record|gene|product``.

    Proteins that a search for one name collected are left out: many were amplified with primers.
    """
    record, _, rest = header.partition("|")[2].partition("|")
    name = rest.rpartition("|")[2]
    if record.startswith(_COLLECTED):
        return _Header(name, None)
    return _Header(name, NamedBy.PHAGES if record.startswith(_OF_SEED) else NamedBy.RECORD)


def _read(file: Path, read_header: Callable[[str], _Header]) -> Iterator[Named]:
    header, length_aa = _Header("", None), 0
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(">"):
                if length_aa and header.by is not None:
                    yield Named(header.name, length_aa, header.by)
                header, length_aa = read_header(line[1:].rstrip("\n")), 0
            else:
                length_aa += len(line.strip().rstrip("*"))
    if length_aa and header.by is not None:
        yield Named(header.name, length_aa, header.by)


def learn(proteins: Iterable[Named], vocabulary: ProductVocabulary) -> Mapping[str, NameLength]:
    """The length that nearly all proteins of a name reach, by key in the order of the alphabet."""
    lengths: defaultdict[str, _Lengths] = defaultdict(_Lengths)
    known = tuple(proteins)
    keys = {name: _keys(name, vocabulary) for name in {protein.name for protein in known}}
    words = {key for of_name in keys.values() for key in of_name if key.isalpha()}
    classes = {of_name[0]: class_key_of(name) for name, of_name in keys.items() if of_name}
    keys = {name: _with_words(name, of_name, words) for name, of_name in keys.items()}
    for protein in known:
        for key in keys[protein.name]:
            lengths[key].add(protein)
    vague = {key_of("", term): term for term in vocabulary.products.values() if term.vague}
    found: dict[str, NameLength] = {}
    for key in sorted(lengths):
        is_wide = is_class(key) or "family" in key.split()
        length = _nearly_all(lengths[key], is_wide=is_wide, of_one=not is_wide and key not in vague)
        if length is not None:
            found[key] = _at_most(length) if is_class(key) else length
    found |= _for_all_narrower(found, vague, vocabulary)
    return {key: one for key, one in found.items() if _tells(key, classes.get(key), found, lengths)}


def _for_all_narrower(
    found: Mapping[str, NameLength], vague: Mapping[str, Product], vocabulary: ProductVocabulary
) -> Mapping[str, NameLength]:
    """Lengths of vague terms, half of which all narrower terms reach.

    A regulator may be any of several kinds, of which most are not the smallest one. Terms of parts
    of a phage whose kinds differ much say no more than a role; they get the length 0. Where most
    proteins of a term are of a kind, the others are of one of these lengths too.
    """
    narrower: defaultdict[str, list[int]] = defaultdict(list)
    of_kinds: defaultdict[str, int] = defaultdict(int)
    for term in vocabulary.products.values():
        own = found.get(key_of("", term))
        if own is not None:
            for wider in vocabulary.lineage(term.id)[1:]:
                narrower[wider.id].append(own.shortest_aa)
                of_kinds[wider.id] += own.proteins
    corrected: dict[str, NameLength] = {}
    for key, term in vague.items():
        kinds = narrower[term.id]
        if not kinds or key not in found:
            continue
        own, most = found[key], _HALVES * min(kinds)
        if term.category in _PARTS and max(kinds) >= _OF_MANY_KINDS * min(kinds):
            most = 0
        elif _MOSTLY * own.proteins <= of_kinds[term.id]:
            own = own._replace(shortest_aa=max(own.shortest_aa, min(kinds)))
        corrected[key] = own._replace(shortest_aa=min(own.shortest_aa, most))
    return corrected


def _at_most(of_class: NameLength) -> NameLength:
    return of_class._replace(shortest_aa=min(of_class.shortest_aa, _CLASS_AT_MOST_AA))


def _tells(
    key: str,
    class_key: str | None,
    found: Mapping[str, NameLength],
    lengths: Mapping[str, _Lengths],
) -> bool:
    """Whether the length of a name tells something: itself, or that its class tells nothing.

    It is short where most of its proteins are, and not a few pieces of long ones.
    """
    if found[key].shortest_aa >= LEAST_LENGTH_AA:
        return True
    of_class = found.get(class_key or "")
    of_name = lengths[key]
    is_short = median((*of_name.read, *of_name.copied, *of_name.phages) or [0]) < LEAST_LENGTH_AA
    return is_short and of_class is not None and of_class.shortest_aa >= LEAST_LENGTH_AA


def _keys(name: str, vocabulary: ProductVocabulary) -> tuple[str, ...]:
    """Keys of a name; none where it tells nothing, or that the protein is a piece."""
    if _PIECE.search(name) or classify_product(name) not in _TELLING:
        return ()
    product = vocabulary.find(name)
    if product is not None:
        return tuple(key_of(name, one) for one in vocabulary.lineage(product.id))
    key = key_of(name, None)
    if key.isalpha() and not _says_what(key, name):
        return ()
    return (key,) if _SHORTEST_KEY <= len(key) <= _LONGEST_KEY else ()


def _says_what(word: str, name: str) -> bool:
    """Whether a word is what the protein is (lysozyme), not of what kind (early protein)."""
    bare = _PARENTHESES.sub("", name).strip().lower()
    return bare.removesuffix("s").endswith(word.removesuffix("s"))


def _with_words(name: str, keys: tuple[str, ...], words: AbstractSet[str]) -> tuple[str, ...]:
    """Keys of a name, those of its words that are names themselves, and that of its class."""
    if not keys:
        return ()
    own = () if _PARTNER.search(name) else words & set(name_key(name).split())
    of_class = class_key_of(name)
    return tuple(dict.fromkeys((*keys, *own, *([of_class] if of_class else ()))))


def _nearly_all(lengths: _Lengths, *, is_wide: bool, of_one: bool) -> NameLength | None:
    """The length that nearly all reach; None where there are too few proteins.

    Members of a family or class may differ much, so more of them are asked for. Those named by a
    record come first; of what is named by copying, pieces are left aside however many they are.
    """
    least = LEAST_AUTOMATIC if is_wide else LEAST_PROTEINS
    read, named = sorted(lengths.read), sorted((*lengths.read, *lengths.copied, *lengths.phages))
    if len(read) < _ENOUGH_OF_PHAGES:  # too few to tell what else in a phage has the name
        read = sorted((*read, *lengths.phages))
    if len(read) >= least:
        return _reached(read, _without_pieces(read) if of_one else read)
    if of_one:
        of_few = _of_few(read, lengths.copied, with_others=len(named) < least)
        if of_few is not None:
            return of_few
    if len(named) >= least:
        return _reached(named, _without_copied_pieces(lengths, named) if of_one else named)
    every = sorted((*named, *lengths.automatic))
    if len(every) >= LEAST_AUTOMATIC:
        return _reached(every, _without_pieces(every) if of_one else every)
    return None


def _of_few(read: Sequence[int], others: Sequence[int], *, with_others: bool) -> NameLength | None:
    """The length of three or four proteins, where all but the shortest are of about one.

    Others of the name, of which many may be pieces, must not be of another length.
    """
    if len(read) < _LEAST_ALIKE:
        read, others = (sorted((*read, *others)), ()) if with_others else ((), ())
    if len(read) < _LEAST_ALIKE:
        return None
    whole = [one for one in others if one >= _PIECE_SHARE * read[-1]]
    if len(others) - len(whole) > len(read) + len(whole):
        return None
    if not _are_alike(sorted((*read[1:], *whole))):
        return None
    return _in_tens(min(*read[_is_far(read) :], *whole), len(read) + len(others))


def _reached(lengths: Sequence[int], whole: Sequence[int]) -> NameLength:
    """What nearly all of them reach, the pieces among those that may be shorter."""
    aside = max(_is_far(lengths), int(_SHORTER * len(lengths)))
    return _in_tens(whole[max(0, aside - (len(lengths) - len(whole)))], len(lengths))


def _in_tens(shortest_aa: int, proteins: int) -> NameLength:
    return NameLength(shortest_aa // _TENS * _TENS, proteins)


def _is_far(lengths: Sequence[int]) -> bool:
    """Whether the shortest is far from the next, and so may be a piece."""
    return _ABOUT_ONE * lengths[0] < lengths[1]


def _are_alike(lengths: Sequence[int]) -> bool:
    """Whether few sorted lengths are about one, so that they tell that of all proteins."""
    return len(lengths) >= _LEAST_ALIKE - 1 and lengths[-1] <= _ABOUT_ONE * lengths[0]


def _without_pieces(lengths: Sequence[int]) -> Sequence[int]:
    """Sorted lengths without the few that are far from the others."""
    whole = [one for one in lengths if one >= _PIECE_SHARE * median(lengths)]
    few = max(_PIECES, _FEW_PIECES * len(lengths))
    return whole if len(lengths) - len(whole) <= few else lengths


def _without_copied_pieces(of_name: _Lengths, lengths: Sequence[int]) -> Sequence[int]:
    """The same where the name of the whole was copied to pieces: these may be most of them."""
    least = _PIECE_SHARE * lengths[int(_LONG * (len(lengths) - 1))]
    whole = [one for one in lengths if one >= least]
    only_copied = all(one >= least for one in (*of_name.read, *of_name.phages))
    return whole if only_copied and len(whole) >= _LEAST_ALIKE else _without_pieces(lengths)


def text_of(table: Mapping[str, NameLength]) -> str:
    """The table as it ships."""
    rows = (f"{key}\t{one.shortest_aa}\t{one.proteins}\n" for key, one in table.items())
    return _HEAD + "".join(rows)


if __name__ == "__main__":
    main()
