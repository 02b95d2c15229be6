"""genint: what each gene of a phage or bacterium does, how sure that is, and why.

    import asyncio
    from genint import interpret_genome_async, render_report

    summary = asyncio.run(interpret_genome_async("lambda.gbk"))
    for result in summary.results:
        if result.interpretation:
            print(result.gene_id, result.interpretation.hypothesis)
    page = render_report(summary, "html")

Names are imported when they are first used: ``import genint`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from genint.version import __version__

if TYPE_CHECKING:
    from genint.errors import GenintError
    from genint.formats import FastaParser, GenBankParser, read_genome
    from genint.model.interpretation import InterpretationSummary
    from genint.pipeline.library import (
        GenomeInterpreter,
        interpret_genome,
        interpret_genome_async,
        render_report,
    )
    from genint.pipeline.run import Progress


__all__ = [
    "FastaParser",
    "GenBankParser",
    "GenintError",
    "GenomeInterpreter",
    "InterpretationSummary",
    "Progress",
    "__version__",
    "interpret_genome",
    "interpret_genome_async",
    "read_genome",
    "render_report",
]

_HOMES = {
    "FastaParser": "genint.formats",
    "GenBankParser": "genint.formats",
    "GenintError": "genint.errors",
    "GenomeInterpreter": "genint.pipeline.library",
    "InterpretationSummary": "genint.model.interpretation",
    "Progress": "genint.pipeline.run",
    "interpret_genome": "genint.pipeline.library",
    "interpret_genome_async": "genint.pipeline.library",
    "read_genome": "genint.formats",
    "render_report": "genint.pipeline.library",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'genint' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
