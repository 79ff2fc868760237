#!/bin/bash
# One GPU of one node. Submit with: sbatch configs/slurm/gpu.sh path/to/case.yaml [options of swe run]
# The job stops by itself before the wall limit with a checkpoint (exit code 75) and puts itself back in the queue;
# the same command then continues where it stopped.
#SBATCH --job-name=swe
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --gpus-per-task=1
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=swe-%j.log
#SBATCH --signal=B:TERM@600
set -uo pipefail

case_file="${1:?usage: sbatch gpu.sh CASE.yaml [options]}"
shift
program="${SWE:-build/cuda/swe}"

export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"

# Slurm's warning goes to this script; the program writes a checkpoint when it receives it.
"$program" run "$case_file" --restart --device gpu --wall-limit 11h45m "$@" &
program_id=$!
trap 'kill -TERM "$program_id"' TERM
wait "$program_id"; code=$?
# a signal ends the first wait early; the second one gives the program's own code
while kill -0 "$program_id" 2>/dev/null; do wait "$program_id"; code=$?; done

if [[ $code == 75 ]]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
