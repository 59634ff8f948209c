#!/usr/bin/env bash
# Runs every fuzz target in a folder for FUZZ_SECONDS, from the seeds in test/fuzz/corpus. What it learns is kept in the
# build folder; an input that breaks something is named, and the exit code is not zero.
#
#   FUZZ_SECONDS=12 scripts/fuzz.sh build/fuzz/fuzz
set -euo pipefail
folder=$(realpath "$1")
cd "$(dirname "$0")/.."

failed=()
for target in "$folder"/*_fuzz; do
  name=$(basename "$target" _fuzz)
  mkdir -p "$folder/corpus/$name" "$folder/broken"
  echo "fuzz: $name for ${FUZZ_SECONDS:=12} s"
  "$target" -max_total_time="$FUZZ_SECONDS" -timeout=20 -rss_limit_mb=2500 -max_len=8192 -print_final_stats=1 \
    -artifact_prefix="$folder/broken/$name-" "$folder/corpus/$name" "test/fuzz/corpus/$name" \
    >"$folder/$name.log" 2>&1 || { tail -n 40 "$folder/$name.log"; failed+=("$name"); }
  grep -E "number_of_executed_units" "$folder/$name.log" || true
done
if [[ ${#failed[@]} -gt 0 ]]; then
  echo "fuzz: broken: ${failed[*]}; the inputs are in $folder/broken" >&2
  exit 1
fi
