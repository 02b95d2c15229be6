"""Shows online mode without a network: interprets genomes beside made-up services.

    python -m tests.online_services.demo FOLDER GENOME...

Reports go into the folder. Nothing is kept of the made-up answers: the caches of this run are in
a folder of its own, which is removed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .genomes import world_of_genomes
from .services import Services, serving

LATENCY_S = (0.3, 1.0)
_WARNING = (
    "The answers of UniProt and InterPro in these reports are made up by genint's own tests:\n"
    "no service was asked, and no name, family or term of theirs says anything about the genomes."
)


def surroundings(services: Services, cache: str) -> dict[str, str]:
    """Variables of a run that asks these services and remembers nothing of it elsewhere."""
    return {**os.environ, **services.environment, "GENINT_CACHE_DIR": cache}


def main() -> None:
    """Interpret and say where the reports are; exit status as of ``genint interpret``."""
    folder, *genomes = (Path(argument) for argument in sys.argv[1:])
    if not genomes:
        sys.exit(__doc__)
    genint = Path(sys.executable).with_name("genint")
    command = [genint, "interpret", *genomes, "--mode", "online", "--format", "html", "--format"]
    with (
        serving(world_of_genomes(*genomes)) as services,
        tempfile.TemporaryDirectory(prefix="genint-demo-") as cache,
    ):
        services.slow("", *LATENCY_S)
        environment = surroundings(services, cache)
        done = subprocess.run(
            [*command, "md", "--force", "-o", folder], env=environment, check=False
        )
        requests = services.record.count()
    if done.returncode == 0:
        print(f"\n{requests} requests were answered by a server on this machine.\n{_WARNING}")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
