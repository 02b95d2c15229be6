"""Shares of the stages in the time of a job, from which the service tells how far a job is.

    python -m benchmarks.service.stages [--out FILE] GENOME ...

Each genome is interpreted as a worker of the service does it, twice: the first run fills the
cache of profiles and starts the worker processes. Of the second one the beginning of each stage
is written as a share of the whole, to ``benchmarks/service/stages.json`` unless told otherwise.
``genint/worker/progress.py`` takes its shares from there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from functools import partial
from pathlib import Path

from genint.compute import ProcessBackend
from genint.model.interpretation import Parameters
from genint.pipeline.resources import Folders, held_open, load_resources
from genint.pipeline.run import Progress, run_pipeline
from genint.pipeline.workspace import ScratchWorkspace
from genint.settings import Settings
from genint.worker.result_files import read_upload, write_result

OUT = Path(__file__).with_name("stages.json")
_MOST_TEXT_BYTES = 400_000_000
_WORKERS = 4


class Clock:
    """Notes when each stage began.

    Attributes:
        began: Seconds from the start of the run to that of each stage.
    """

    def __init__(self) -> None:
        self._start = time.monotonic()
        self.began: dict[str, float] = {}

    def __call__(self, step: Progress) -> None:
        """What the pipeline reports."""
        self.began.setdefault(step.stage, self.seconds())

    def seconds(self) -> float:
        """Seconds since the run started."""
        return time.monotonic() - self._start


async def measured(genome: Path, backend: ProcessBackend, folders: Folders) -> dict[str, object]:
    """One run: seconds in all, and the shares at which stages began."""
    parameters, clock = Parameters("offline", False), Clock()
    resources = await asyncio.to_thread(load_resources, parameters, folders)
    with tempfile.TemporaryDirectory() as folder, held_open(resources):
        share, scratch = backend.share(), Path(folder)
        source = partial(read_upload, genome, genome.name, _MOST_TEXT_BYTES)
        workspace = ScratchWorkspace(share, scratch)
        summary = await run_pipeline(source, parameters, resources, workspace, progress=clock)
        outcome = await share.run(write_result, summary, scratch)
    total_s = clock.seconds()
    shares = {stage: round(began_s / total_s, 3) for stage, began_s in clock.began.items()}
    return {
        "genome": genome.name,
        "genes": outcome.counts.total_genes,
        "seconds": round(total_s, 1),
        "begins_at": shares,
    }


async def measure(genomes: list[Path]) -> list[dict[str, object]]:
    """The second run of each genome."""
    settings = Settings.from_environment()
    folders = Folders(settings.cache_folder, None, cache_limit_bytes=0)
    backend = ProcessBackend(_WORKERS)
    try:
        runs = []
        for genome in genomes:
            await measured(genome, backend, folders)
            runs.append(await measured(genome, backend, folders))
            print(json.dumps(runs[-1]), flush=True)
    finally:
        await backend.close()
    return runs


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("genomes", nargs="+", type=Path, metavar="GENOME")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    runs = asyncio.run(measure(options.genomes))
    report = {"cores": os.cpu_count(), "workers": _WORKERS, "runs": runs}
    options.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
