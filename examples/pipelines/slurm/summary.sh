#!/usr/bin/env bash
# After the array job: one table of all results, whichever tasks made them.
#SBATCH --job-name=genint-summary
#SBATCH --mem=4G
#SBATCH --time=01:00:00
#SBATCH --output=genint-summary-%j.log
set -euo pipefail

genint summary "$1"
