"""Serves made-up answers about genomes until it is interrupted.

    python -m tests.online_services GENOME... [--port N] [--latency 0.3-3]

Prints the variables that lead genint here. Nothing of what is answered is real.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from .genomes import world_of_genomes
from .services import Services
from .world import World

FIRST_PORT = 8790


def main() -> None:
    """Serve."""
    parser = argparse.ArgumentParser(prog="python -m tests.online_services", description=__doc__)
    parser.add_argument("genomes", nargs="+", type=Path, metavar="GENOME")
    parser.add_argument("--port", type=int, default=FIRST_PORT, help="first of four in a row")
    parser.add_argument("--latency", type=seconds, default=(0.0, 0.0), metavar="S or S-S")
    parser.add_argument("--taxon", type=int, help="of all entries, instead of the file's own")
    options = parser.parse_args()
    world = world_of_genomes(*options.genomes, taxon_id=options.taxon)
    try:
        asyncio.run(serve(world, options.port, options.latency))
    except KeyboardInterrupt:
        print("stopped")
    except OSError as problem:
        parser.exit(1, f"cannot serve from port {options.port} on: {problem.strerror}\n")


def seconds(written: str) -> tuple[float, float]:
    """``0.3-3`` or ``1``."""
    least, _, most = written.partition("-")
    return float(least), float(most or least)


async def serve(world: World, port: int, latency_s: tuple[float, float]) -> None:
    """Until it is cancelled."""
    async with Services(world, first_port=port) as services:
        services.slow("", *latency_s)
        print("# Made-up UniProt and InterPro: nothing that they answer is real.")
        print(
            f"# {len(world.entries):,} entries, {len(world.uniparc):,} sequences. Ctrl-C ends it."
        )
        for name, value in services.environment.items():
            print(f"export {name}={value}")
        print("export GENINT_CACHE_DIR=$(mktemp -d)  # else made-up answers would be remembered")
        print("# ready", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    main()
