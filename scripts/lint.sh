#!/usr/bin/env bash
# Formatting, layers, clang-tidy: reports everything it finds, then fails if there was anything.
# clang-tidy reads build/lint/compile_commands.json, which `make lint` brings up to date. What it once found clean
# is not gone over again as long as nothing that it reads has changed.
#
#   scripts/lint.sh [source.cpp ...]      (clang-tidy only on these; no argument: on all sources)
set -euo pipefail
cd "$(dirname "$0")/.."

clang_tidy=${CLANG_TIDY:-$(command -v clang-tidy-14 || echo clang-tidy)}
failed=()

echo "lint: formatting"
scripts/format.sh --check || failed+=("formatting (make format)")

echo "lint: layers"
scripts/check_layers.py || failed+=("layers")

sources=("$@")
[[ $# -gt 0 ]] || mapfile -d '' sources < <(find ovf_core/src ovf_core/apps -name '*.cpp' -print0)
echo "lint: clang-tidy on ${#sources[@]} sources"
printf '%s\0' "${sources[@]}" |
  CLANG_TIDY=$clang_tidy xargs -0 -n 1 -P "${JOBS:-$(nproc)}" scripts/tidy_once.sh ||
  failed+=("clang-tidy")

if [[ ${#failed[@]} -gt 0 ]]; then
  printf 'lint: failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
echo "lint: clean"
