#!/usr/bin/env bash
# One task of an array job: its part of the genomes, into a folder that all tasks share.
#
#   jobs=$(sbatch --parsable --array=1-8 interpret.sh results/ genomes/*.fasta)
#   sbatch --dependency=afterany:"$jobs" summary.sh results/
#
# Submitted again, the same array does only what is missing. To repeat some tasks of eight alone:
#   SHARDS=8 sbatch --array=3,5 interpret.sh results/ genomes/*.fasta
#SBATCH --job-name=genint
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=12:00:00
#SBATCH --output=genint-%A_%a.log
set -euo pipefail

results=$1
shift
# Indexed profiles and results of searches: on a disk of the machine, not in a shared home folder.
export GENINT_CACHE_DIR="${GENINT_CACHE_DIR:-${TMPDIR:-/tmp}/genint-cache-$(id -u)}"

genint interpret "$@" \
    --shard "$SLURM_ARRAY_TASK_ID/${SHARDS:-$SLURM_ARRAY_TASK_COUNT}" \
    --workers "${SLURM_CPUS_PER_TASK:-1}" \
    --format json --format html -o "$results"
