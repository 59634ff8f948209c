#!/usr/bin/env bash
# The ovf command as a user meets it: results on disk, and mistakes that are explained.
#
#   test/system/ovf_command.sh <build folder>
set -euo pipefail

ovf=$(cd "$1" && pwd)/ovf
config=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../config" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() { echo "ovf_command: $*" >&2; exit 1; }
# refuses WORDS COMMAND...: the command fails and says so.
refuses() {
  local words=$1
  shift
  if "$@" >log 2>&1; then fail "accepted: $*"; fi
  grep -qF -- "$words" log || { cat log >&2; fail "did not say '$words': $*"; }
}

"$ovf" experiment linear-gaussian-states --dim 2 --steps 3 --iterations 50 >log 2>&1 ||
  { cat log >&2; fail "the states experiment failed"; }
for file in report.html results.json config.yaml kl.csv; do
  [[ -s results/latest/$file ]] || fail "results/latest/$file is missing"
done
grep -q '^report: /.*/report.html$' log || fail "the place of the report was not printed"

printf 'setting: fast\nlearning:\n  rul: adam\n' >bad.yaml
refuses 'bad.yaml:3: unknown key learning.rul; did you mean learning.rule?' \
  "$ovf" experiment linear-gaussian-parameters --dim 2 --steps 20 --sampled-steps 20 --config bad.yaml
refuses '--steps' "$ovf" experiment linear-gaussian-states --steps -1
refuses 'none' "$ovf" experiment linear-gaussian-parameters --data none
refuses 'subcommand' "$ovf"
mkdir empty
refuses 'F_diag.csv' "$ovf" experiment linear-gaussian-parameters --data empty
touch file
refuses 'file' "$ovf" --out file/results experiment linear-gaussian-states --dim 2 --steps 2 --iterations 1
"$ovf" parameters >log
grep -q '`learning.rule`' log || fail "the parameter reference lacks learning.rule"
grep -q '`motion.kind`' log || fail "the parameter reference lacks motion.kind"

# A simulated robot, from its log to a report.
"$ovf" simulate --out log1 --seconds 20 >log 2>&1 || { cat log >&2; fail "simulate failed"; }
refuses 'log1' "$ovf" simulate --out log1 --seconds 20
"$ovf" experiment localisation --data log1 --config "$config/planar_all_sensors.yaml" >log 2>&1 ||
  { cat log >&2; fail "the localisation experiment failed"; }
for file in report.html results.json config.yaml trajectory.csv; do
  [[ -s results/latest/$file ]] || fail "results/latest/$file is missing"
done
sed 's/noise: \[0.5\]/noise: [-0.5]/' "$config/planar_all_sensors.yaml" >bad.yaml
refuses 'uwb.noise is [-0.5]' "$ovf" experiment localisation --data log1 --config bad.yaml
refuses 'controls.csv' "$ovf" experiment localisation --data empty --config "$config/planar_all_sensors.yaml"

echo "ovf_command: passed"
