"""Names of all groups, on several processes, remembered by what they were made from."""

from __future__ import annotations

import hashlib
import pickle
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from genint.knowledge.products import ProductVocabulary, load_products
from genint.knowledge.table_files import PRODUCT_KEYS, PRODUCTS, read_shipped
from training.families.corrections import Corrections
from training.families.naming import Label, label
from training.families.profiles import in_processes
from training.families.store import Store, content_key
from training.families.values import Cluster, Corpus, TrainingProtein

_READING: Final = (
    "genint.knowledge.product_names",
    "genint.knowledge.products",
    "genint.knowledge.spelling",
    "training.families.choice",
    "training.families.corrections",
    "training.families.naming",
    "training.families.style",
    "training.families.values",
    "training.families.votes",
    "training.families.wording",
)
"""Modules that a name depends on: another line in one of them, and all are read anew."""
_ANY: Final = re.compile("")
_PROTEINS_PER_TASK: Final = 4_000
_GROUPS_PER_TASK: Final = 600


class Words(NamedTuple):
    """What names are read with.

    Attributes:
        vocabulary: Of product names: the one that ships, which the processes load themselves.
        corrections: Of wrong names.
    """

    vocabulary: ProductVocabulary
    corrections: Corrections


class _Task(NamedTuple):
    groups: tuple[tuple[str, str, tuple[TrainingProtein, ...]], ...]
    corrections: Corrections


def labels_of(
    groups: Iterable[Cluster],
    corpus: Corpus,
    words: Words,
    store: Store,
    processes: int,
) -> dict[str, Label]:
    """Names by the id of the group; groups that earn none are left out.

    Args:
        groups: Clusters and parts.
        corpus: Their proteins.
        words: What they are read with.
        store: Where names are remembered.
        processes: How many to use.

    Cost: some 4 minutes on two cores for 100,000 groups; 20 s if all are known.
    """
    basis = content_key(
        _code(), words.vocabulary.version, _known_products(), _written(words.corrections)
    )
    said = {key: _digest(protein) for key, protein in corpus.proteins.items()}
    listed = list(groups)
    keys = {
        group.id: content_key(
            "label",
            basis,
            group.id,
            _decided(group, corpus, words.corrections),
            *(said[member] for member in group.members),
        )
        for group in listed
    }
    known = store.known(list(keys.values()))
    missing = [group for group in listed if keys[group.id] not in known]
    tasks = (
        _Task(
            tuple(
                (
                    group.id,
                    keys[group.id],
                    tuple(corpus.proteins[member] for member in group.members),
                )
                for group in some
            ),
            words.corrections,
        )
        for some in _portions(missing)
    )
    for found in in_processes(_labelled, tasks, processes):
        store.save(found)
    results = store.load(keys.values())
    labels = {group.id: pickle.loads(results[keys[group.id]]) for group in listed}  # noqa: S301 - our own
    return {name: found for name, found in labels.items() if found is not None}


def _portions(groups: Sequence[Cluster]) -> Iterator[tuple[Cluster, ...]]:
    """Groups, so many at a time that one portion is seconds of work."""
    rest = iter(groups)
    while some := list(islice(rest, _GROUPS_PER_TASK)):
        portion: list[Cluster] = []
        proteins = 0
        for group in some:
            portion.append(group)
            proteins += len(group.members)
            if proteins >= _PROTEINS_PER_TASK:
                yield tuple(portion)
                portion, proteins = [], 0
        if portion:
            yield tuple(portion)


def _labelled(task: _Task) -> dict[str, bytes]:
    vocabulary = _vocabulary()
    return {
        key: pickle.dumps(label(name, members, vocabulary, task.corrections))
        for name, key, members in task.groups
    }


@lru_cache(maxsize=1)
def _vocabulary() -> ProductVocabulary:
    return load_products()


def _digest(protein: TrainingProtein) -> str:
    return hashlib.sha1(repr((protein.hash, protein.namings)).encode()).hexdigest()  # noqa: S324 - no secret


def _code() -> str:
    """Digest of the modules that read names."""
    files: Mapping[str, str | None] = {name: import_module(name).__file__ for name in _READING}
    return content_key(*(Path(file).read_text("utf-8") for file in files.values() if file))


def _known_products() -> str:
    """Digest of the vocabulary that ships."""
    return content_key(read_shipped(PRODUCTS).decode(), read_shipped(PRODUCT_KEYS).decode())


def _written(corrections: Corrections) -> str:
    """Entries that may change the name of any family."""
    rows: list[object] = [
        (one.pattern.pattern, replace(one, pattern=_ANY)) for one in corrections.names
    ]
    rows += [one.hash_prefix for one in corrections.proteins]
    return content_key(*rows)


def _decided(group: Cluster, corpus: Corpus, corrections: Corrections) -> str:
    """All that is said of one family: another entry, and only this one is named anew."""
    entry = corrections.family(group.id, (corpus.proteins[member] for member in group.members))
    return repr(entry and replace(entry, reason=""))
