"""Swiss-Prot: an index of its proteins that similarity searches read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from genint.databases.build import Built, Report, Step, opened
from genint.knowledge.protein_index import INDEX_FORMAT
from genint.knowledge.protein_index_build import build_index
from genint.knowledge.swissprot import read_swissprot
from genint.model.evidence import ReferenceProtein

INDEX = "index"
_REPORT_EVERY = 5_000
_PERCENT = 100


def build(sources: Mapping[str, Path], target: Path, progress: Report) -> Built:
    """Index the proteins of all divisions into ``index/``.

    Raises:
        FormatError: a published file cannot be read.
    """
    (target / INDEX).mkdir()

    def index_progress(share: float) -> None:
        progress(Step("indexing proteins", int(share * _PERCENT), _PERCENT))

    info = build_index(_proteins(sources, progress), target / INDEX, progress=index_progress)
    return Built(
        info.proteins,
        facts=(("index_format", str(INDEX_FORMAT)), ("residues", str(info.residues))),
    )


def _proteins(sources: Mapping[str, Path], progress: Report) -> Iterator[ReferenceProtein]:
    count = 0
    for name, file in sorted(sources.items()):
        with opened(file) as stream:
            for protein in read_swissprot(stream, source=name):
                count += 1
                yield protein
                if count % _REPORT_EVERY == 0:
                    progress(Step("reading proteins", count))
