"""Interpret genomes on the nodes of a Slurm cluster, which come and go as there is work.

    python examples/cluster/slurm.py --jobs 20 genomes/*.fasta -o results/ --format json

Needs ``pip install "genint[dask]" dask-jobqueue`` in an environment that the nodes see too. It runs
where jobs may be submitted, on a machine that the nodes can reach, until all genomes are done; what
is no option of its own goes to ``genint interpret``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from dask_jobqueue import SLURMCluster

CORES = 16
"""Of each job: one worker of one thread a core."""
MEMORY_MB = 1_000 * CORES
"""A worker needs 500 MB, more with installed databases."""


def cluster_of(options: argparse.Namespace) -> SLURMCluster:
    """A scheduler in this process; jobs follow when there is work."""
    return SLURMCluster(
        cores=options.cores,
        processes=options.cores,
        memory=f"{MEMORY_MB * options.cores // CORES} MB",
        queue=options.partition,
        walltime="12:00:00",
        interface=options.interface,
        local_directory="/tmp",  # noqa: S108 - of the node, not of a shared file system
        # Indexed profiles and results of searches are kept on the node too.
        job_script_prologue=['export GENINT_CACHE_DIR="/tmp/genint-cache-$(id -u)"'],
        # Workers end before their job does, so that no genome begins anew for it.
        worker_extra_args=["--lifetime", "11h", "--lifetime-stagger", "30m"],
        log_directory="slurm-logs",
    )


def main() -> int:
    """Run the command; its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], allow_abbrev=False)
    parser.add_argument("--jobs", type=int, default=10, help="most jobs at a time (default: 10)")
    parser.add_argument("--cores", type=int, default=CORES, help="of each job (default: 16)")
    parser.add_argument("--partition", help="where they are submitted to")
    parser.add_argument("--interface", help="network that the nodes reach, such as ib0")
    parser.add_argument("--show", action="store_true", help="print the job script, submit nothing")
    options, arguments = parser.parse_known_args()
    with cluster_of(options) as cluster:
        if options.show:
            sys.stdout.write(cluster.job_script())
            return 0
        cluster.adapt(minimum_jobs=1, maximum_jobs=options.jobs)
        address = cluster.scheduler_address
        command = ["genint", "interpret", *arguments, "--dask", address]
        return subprocess.run(command, check=False).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
