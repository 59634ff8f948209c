#!/usr/bin/env bash
# Formatting, layers, clang-tidy: reports everything it finds, then fails if there was anything.
# clang-tidy reads build/lint/compile_commands.json, which `make lint` brings up to date, and the one of the nodes if they
# were built. What it once found clean is not gone over again as long as nothing that it reads has changed.
#
#   scripts/lint.sh [source.cpp ...]      (clang-tidy only on these; no argument: on all sources)
#
# SINCE=COMMIT: of all sources, only those that changed since then.
set -euo pipefail
cd "$(dirname "$0")/.."

clang_tidy=${CLANG_TIDY:-$(command -v clang-tidy-14 || echo clang-tidy)}
failed=()

echo "lint: formatting"
scripts/format.sh --check || failed+=("formatting (make format)")

echo "lint: layers"
scripts/check_layers.py || failed+=("layers")

# tidy DATABASE SOURCE...
tidy() {
  echo "lint: clang-tidy on $(($# - 1)) sources"
  printf '%s\0' "${@:2}" |
    CLANG_TIDY=$clang_tidy DATABASE=$1 xargs -0 -n 1 -P "${JOBS:-$(nproc)}" scripts/tidy_once.sh ||
    failed+=("clang-tidy")
}
# tidy_changed DATABASE SOURCE...: those that changed since SINCE; all of them without it.
tidy_changed() {
  local sources=("${@:2}")
  if [[ -n ${SINCE:-} ]]; then
    mapfile -t sources < <(printf '%s\n' "${sources[@]}" |
      grep -Fx -f <(git diff --name-only --diff-filter=d "$SINCE" -- '*.cpp') || true)
  fi
  [[ ${#sources[@]} -eq 0 ]] || tidy "$1" "${sources[@]}"
}
if [[ $# -gt 0 ]]; then
  tidy build/lint "$@"
else
  # Left out: sources with LibTorch's headers, which clang 14 cannot compile as C++20, and all that need LibTorch where
  # there is none.
  mapfile -d '' sources < <(find ovf_core/src ovf_core/apps -name '*.cpp' -print0 |
    xargs -0 grep -LZ 'torch_network\.hpp"')
  if ! grep -q 'src/vision/torch/' build/lint/compile_commands.json; then
    mapfile -d '' sources < <(printf '%s\0' "${sources[@]}" | grep -zv -e 'src/vision/torch/' -e 'ovf_vision\.cpp')
  fi
  tidy_changed build/lint "${sources[@]}"
  nodes=build/ros/build/ovf_ros
  if [[ -e $nodes/compile_commands.json ]]; then
    tidy_changed "$nodes" ovf_ros/src/*.cpp ovf_ros/src/camera/*.cpp
  else
    echo "lint: the nodes are left out until \`make test-ros\` has built them"
  fi
fi

if [[ ${#failed[@]} -gt 0 ]]; then
  printf 'lint: failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
echo "lint: clean"
