"""The corpus: every usable protein once, with all that its records say of it."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from training.families.inputs import Input
from training.families.readers import Reading, read_all
from training.families.values import CogLetter, Corpus, Naming, TrainingProtein

SHORTEST_AA = 20
"""A profile of fewer positions cannot reach any threshold that we use (25 bits)."""
MOST_UNKNOWN = 0.05
"""Share of residues X, B, Z or J: more of them, and it is a guess, not a sequence."""

_RESIDUES = re.compile(r"[A-Z]+")
_UNKNOWN = re.compile(r"[XBZJ]")
_PART = re.compile(
    r"\b(?:fragments?|truncat(?:ed|ion)|partial|pseudo(?:gene)?|interrupted|frame-?shift(?:ed)?"
    r"|disrupted|remnant|degenerate|[nc]-?terminal (?:part|end|fragment|region|portion))\b",
    re.IGNORECASE,
)
"""Half a protein aligns as one with half of its columns missing."""
_FRAMESHIFT_IS_NATURAL = re.compile(r"tail|assembly|chaperone|programmed", re.IGNORECASE)


class ReadCorpus(NamedTuple):
    """What was read.

    Attributes:
        corpus: Everything usable, pools unthinned, in order of hash.
        pooled: Hashes of proteins that only a pool to be thinned has.
        dropped: How many proteins of records were left out, by reason.
    """

    corpus: Corpus
    pooled: frozenset[str]
    dropped: Mapping[str, int]


def read_corpus(data: Path, inputs: Sequence[Input]) -> ReadCorpus:
    """Read all inputs.

    Args:
        data: The data folder; its files are taken to be checked.
        inputs: Which to read.

    Raises:
        InputError: a file is not as its reader expects.

    Cost: some 4 s and 200 MB for 95,000 proteins.
    """
    return collect(read_all(data, inputs))


def collect(readings: Iterable[Reading]) -> ReadCorpus:
    """Bring readings of one sequence together; leave out what would harm."""
    namings: dict[str, set[Naming]] = {}
    letters: dict[str, set[CogLetter]] = {}
    residues_of: dict[str, str] = {}
    unpooled: set[str] = set()
    of_entries: set[tuple[str, Naming]] = set()
    symbols: set[str] = set()
    dropped: Counter[str] = Counter()
    for reading in readings:
        residues = reading.residues.upper().rstrip("*")
        reason = _unusable(residues, reading)
        if reason:
            dropped[reason] += 1
            continue
        key = sequence_hash(residues)
        residues_of[key] = residues
        namings.setdefault(key, set()).add(reading.naming)
        if reading.is_symbol_of_entry:
            of_entries.add((key, reading.naming))
        else:
            symbols.add(reading.naming.symbol)
        letters.setdefault(key, set()).update(
            CogLetter(reading.naming.record, letter) for letter in reading.letters
        )
        if not reading.thinned:
            unpooled.add(key)
    for key, naming in of_entries:
        if naming.symbol not in symbols:  # dnlJ, capP: names of entries that no gene has
            namings[key].remove(naming)
            namings[key].add(naming._replace(symbol=""))
    proteins = {
        key: TrainingProtein(
            key, residues_of[key], tuple(sorted(namings[key])), tuple(sorted(letters[key]))
        )
        for key in sorted(residues_of)
    }
    return ReadCorpus(Corpus(proteins), frozenset(proteins.keys() - unpooled), dict(dropped))


def sequence_hash(residues: str) -> str:
    """SHA-256 (hex) of residues in upper case without the stop."""
    return hashlib.sha256(residues.encode("ascii")).hexdigest()


def _unusable(residues: str, reading: Reading) -> str:
    """Why a protein is left out, or nothing."""
    if len(residues) < SHORTEST_AA:
        return f"shorter than {SHORTEST_AA} aa"
    if not _RESIDUES.fullmatch(residues):
        return "stop or other sign inside the sequence"
    if len(_UNKNOWN.findall(residues)) > MOST_UNKNOWN * len(residues):
        return f"more than {MOST_UNKNOWN:.0%} unknown residues"
    if reading.partial:
        return "pseudogene"
    part = _PART.search(reading.naming.product)
    if part and not (
        part[0].lower().startswith("frame")
        and _FRAMESHIFT_IS_NATURAL.search(reading.naming.product)
    ):
        return "named a fragment"
    return ""
