#!/bin/bash
# Runs the benchmark on a CPU with each number of threads named, and writes NAME.jsonl, NAME.md and NAME.png.
#
# usage: measure.sh PROGRAM NAME THREADS...      for example
#        benchmarks/measure.sh build/release/kokkidio/benchmarks/kokkidio_bench benchmarks/results/epyc 1 2
# environment: SIZES (default 10 to 5e7), SECONDS_PER_SIZE (default 0.5), NOTE (a sentence for the report)
set -eu
program=$1 name=$2
shift 2
: >"$name.jsonl"
for threads in "$@"; do
  "$program" --json --device cpu --sizes "${SIZES:-10,100,1e3,1e4,1e5,1e6,1e7,5e7}" --seconds "${SECONDS_PER_SIZE:-0.5}" \
    --kokkos-num-threads="$threads" >>"$name.jsonl"
done
processor=$(lscpu | sed -n 's/^Model name: *//p' | head -n 1)
about=$("$program" --about 2>/dev/null)
/usr/bin/env python3 "$(dirname "$0")/report.py" "$name" "$processor, $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg) when done; $about; $(. /etc/os-release; echo "$PRETTY_NAME"), $(date +%F). ${NOTE:-}
Repeat with \`benchmarks/measure.sh PROGRAM NAME $*\`." "$name.jsonl"
