#!/usr/bin/env bash
# The installed package is complete: a project that knows only find_package(ovf_core) builds and runs.
#
#   test/system/installs_and_links.sh <build folder>
set -euo pipefail

consumer=$(cd "$(dirname "$0")/consumer" && pwd)
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

quietly() {
  "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; echo "installs_and_links: failed: $*" >&2; exit 1; }
}

quietly cmake --install "$build" --prefix "$scratch/prefix"
quietly cmake -S "$consumer" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$scratch/prefix"
quietly cmake --build "$scratch/build"
quietly "$scratch/prefix/bin/ovf" --help
echo "installs_and_links: passed: $("$scratch/build/consumer")"
