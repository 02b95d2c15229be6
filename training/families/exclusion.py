"""What a blind build must not know: the file of ``--exclude``.

One per line ``record <id>`` or ``protein <SHA-256 of the residues>``; ``#`` begins a
comment. The version of an accession does not matter.
"""

from __future__ import annotations

import re
from pathlib import Path

from training.families.inputs import InputError, read_text
from training.families.readers import record_id
from training.families.values import Corpus, Exclusion

_HASH = re.compile(r"[0-9a-f]{64}")


def read_exclusion(path: Path) -> Exclusion:
    """Read an exclusion file.

    Raises:
        InputError: the file cannot be read, or a line says neither.
    """
    records: set[str] = set()
    proteins: set[str] = set()
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        what, _, value = line.partition("#")[0].strip().partition(" ")
        value = value.strip()
        if what == "record" and value:
            records.add(record_id(value))
        elif what == "protein" and _HASH.fullmatch(value.lower()):
            proteins.add(value.lower())
        elif what:
            raise InputError(
                f"{path.name}, line {number}: neither 'record <id>' nor 'protein <SHA-256>'"
            )
    return Exclusion(frozenset(records), frozenset(proteins))


def unknown_records(exclusion: Exclusion, corpus: Corpus) -> tuple[str, ...]:
    """Excluded records that the corpus has not: a slip of the pen would hide nothing."""
    known = {naming.record for protein in corpus.proteins.values() for naming in protein.namings}
    return tuple(sorted(exclusion.records - known))


def unknown_proteins(exclusion: Exclusion, corpus: Corpus) -> tuple[str, ...]:
    """Excluded hashes of proteins that the corpus has not."""
    return tuple(sorted(exclusion.proteins - corpus.proteins.keys()))
