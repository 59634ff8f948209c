#!/usr/bin/env bash
# The installed package is complete: the examples, which know only find_package(ovf_core), build and run. The README shows
# the first of them word for word.
#
#   test/system/installs_and_links.sh <build folder>
set -euo pipefail

repository=$(cd "$(dirname "$0")/../.." && pwd)
examples=$repository/ovf_core/examples
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "installs_and_links: failed: $*" >&2; exit 1; }
quietly() {
  "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "$*"; }
}
# close_to FILE NAME VALUE TOLERANCE: the line "NAME VALUE ..." of an example's output.
close_to() {
  awk -v name="$2" -v value="$3" -v tolerance="$4" \
    '$1 == name { found = 1; off = $2 - value; exit !(off * off <= tolerance * tolerance) } END { if (!found) exit 1 }' "$1" ||
    { cat "$1" >&2; fail "$2 is not $3 ± $4"; }
}

sed -n '/^```cpp$/,/^```$/p' "$repository/README.md" | sed '1d;$d' | diff - "$examples/linear_gaussian.cpp" ||
  fail "the README's program is not ovf_core/examples/linear_gaussian.cpp"

quietly cmake --install "$build" --prefix "$scratch/prefix"
quietly cmake -S "$examples" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$scratch/prefix"
quietly cmake --build "$scratch/build"
quietly "$scratch/prefix/bin/ovf" --help

quietly "$scratch/build/linear_gaussian"
close_to "$scratch/log" 'V[0,0]' 0.04 0.01
quietly "$scratch/build/pendulum"
close_to "$scratch/log" length 1.0 0.05
quietly "$scratch/build/robot" "$repository/config/planar_beacons.yaml"
close_to "$scratch/log" motion.scale 0.97 0.03
echo "installs_and_links: passed: three examples"
