"""What one genome costs to compute, to send to another machine, and to keep.

    python -m benchmarks.service.sizes [--out FILE] GENOME ...

Each genome is interpreted by one process without a cache of results. Written are seconds of
CPU to interpret it and to render it, bytes of the genome and of its result as a Dask cluster sends
them, and bytes of the files that the service keeps of it.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import tempfile
import time
from pathlib import Path
from typing import Final

from genint.model.interpretation import Parameters
from genint.pipeline.gene_calling import Payload
from genint.pipeline.library import as_result
from genint.pipeline.many import ForAll, in_one_piece
from genint.pipeline.workspace import Handle
from genint.report import render
from genint.worker.result_files import write_result

OUT: Final = Path(__file__).with_name("sizes.json")


def measured(genome: Path, cache: Path) -> dict[str, object]:
    """Figures of one genome."""
    payload = Payload(genome.read_bytes(), genome.name)
    begin_s = time.process_time()
    summary = in_one_piece(payload, ForAll(Parameters("offline", False), cache=cache))
    result = as_result(summary)
    cpu_s = time.process_time() - begin_s
    render_s = {}
    for name in ("json", "html"):
        begin_s = time.process_time()
        render(result, name)
        render_s[f"{name}_cpu_s"] = round(time.process_time() - begin_s, 2)
    with tempfile.TemporaryDirectory() as folder:
        outcome = write_result(Handle(lambda: summary), Path(folder))
    return {
        "genome": genome.name,
        "genes": outcome.counts.total_genes,
        "cpu_s": round(cpu_s, 1),
        **render_s,
        "sent_bytes": len(pickle.dumps(payload)),
        "returned_bytes": len(pickle.dumps(result)),
        "upload_bytes": genome.stat().st_size,
        "kept_bytes": outcome.result_bytes,
        "dark_genes": len(outcome.dark_genes),
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("genomes", nargs="+", type=Path, metavar="GENOME")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    os.environ["GENINT_CACHE_MB"] = "0"  # every search is made
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measured(options.genomes[0], folder)  # makes the indexes
        runs = []
        for genome in options.genomes:
            runs.append(measured(genome, folder))
            print(json.dumps(runs[-1]), flush=True)
    options.out.write_text(json.dumps({"runs": runs}, indent=1) + "\n")


if __name__ == "__main__":
    main()
