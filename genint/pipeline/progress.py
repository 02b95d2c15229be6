"""What callers of the library hand in, and how they are told how far a run is."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from genint.model.genome import Genome
from genint.pipeline.gene_calling import Payload


class Progress(NamedTuple):
    """How far a run is: ``done`` of ``total`` steps of ``stage``."""

    stage: str
    done: int
    total: int


ProgressCallback = Callable[[Progress], None]
GenomeSourceLike = Genome | Payload | str | os.PathLike[str]
"""A genome that was read, the path of a file, or its bytes with a name."""
ProteinSourceLike = Payload | str | os.PathLike[str]
"""The path of a file of proteins, or its bytes with a name."""
