"""The pipeline of an interpretation: from a genome file to its result.

    read -> call -> load_resources -> plan_search -> search (in parts) -> gather
         -> observe -> conclude

Each step is a plain function that a worker process can run: what goes in and out can be
pickled and is frozen. :mod:`genint.pipeline.run` puts them in order.
"""

from genint.pipeline.conclude import as_result, conclude, render_report
from genint.pipeline.gene_calling import Called, Payload, call, needs_finder, read
from genint.pipeline.observe import Observations, observe
from genint.pipeline.progress import GenomeSourceLike, Progress, ProgressCallback, ProteinSourceLike
from genint.pipeline.resources import Folders, Resources, held_open, load_resources
from genint.pipeline.run import MODES, interpret_genome_async
from genint.pipeline.searches import (
    Findings,
    SearchKit,
    SearchPlan,
    gather,
    plan_search,
    prepare,
    search,
)
from genint.pipeline.sync import GenomeInterpreter, interpret_genome

__all__ = [
    "MODES",
    "Called",
    "Findings",
    "Folders",
    "GenomeInterpreter",
    "GenomeSourceLike",
    "Observations",
    "Payload",
    "Progress",
    "ProgressCallback",
    "ProteinSourceLike",
    "Resources",
    "SearchKit",
    "SearchPlan",
    "as_result",
    "call",
    "conclude",
    "gather",
    "held_open",
    "interpret_genome",
    "interpret_genome_async",
    "load_resources",
    "needs_finder",
    "observe",
    "plan_search",
    "prepare",
    "read",
    "render_report",
    "search",
]
