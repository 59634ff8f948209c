#!/usr/bin/env bash
# Every allocation, write, fsync and read of a short replay with a checkpoint, and of its evaluation, fails once: each
# time there is a clear error or success, and never a damaged file in place of a good one. Where there are more calls
# of a kind than FAULTS, so many of them are taken at even distances.
#
#   FAULTS=40 test/system/fault_injection.sh <build folder>
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ovf=$(cd "$1" && pwd)/ovf
config=$here/../../config/planar_beacons.yaml
faults=${FAULTS:-40}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cc -shared -fPIC -O1 -o fault.so "$here/fault_injection.c" -ldl
"$ovf" simulate --out driven --seconds 4 >/dev/null
"$ovf" simulate --out before --seconds 3 --seed 5 >/dev/null
landmarks=driven/landmarks.yaml
replay=("$ovf" replay driven/recording --config "$config" "$landmarks" --checkpoint robot.ovf --initial /ground_truth --out run)
evaluate=("$ovf" evaluate run --write-baseline baseline.json)

"$ovf" replay before/recording --config "$config" before/landmarks.yaml --checkpoint old.ovf --initial /ground_truth --out old_run >/dev/null
cp old.ovf robot.ovf
"${replay[@]}" >/dev/null
mv robot.ovf new.ovf
mv run good_run
problems=0
complain() { echo "fault_injection: $*" >&2; problems=$((problems + 1)); }

# with KIND:N FILE COMMAND...: exit code in `code`, what it said in log.
with() {
  local fault=$1 file=$2
  shift 2
  code=0
  timeout 60 env LD_PRELOAD="$scratch/fault.so" OVF_FAULT="$fault" OVF_FAULT_FILE="$file" \
    OVF_FAULT_COUNT="$scratch/count" "$@" >log 2>&1 || code=$?
}
check_code() {
  case $code in
    0) ;;
    1 | 3) [[ -s log ]] || complain "$1: exit code $code without a word" ;;
    # Known: std::filesystem::directory_iterator of libstdc++ allocates where it must not throw, and a resize of Eigen
    # frees before it allocates, so that what failed there is freed twice.
    134) grep -qE 'std::bad_alloc|without an active exception|free\(\)|munmap_chunk|double free' log || complain "$1: aborted: $(tail -n 2 log | tr '\n' ' ')" ;;
    *) complain "$1: exit code $code: $(tail -n 2 log | tr '\n' ' ')" ;;
  esac
}
inject() {
  local what=$1 kind=$2 file=$3 calls step n outcome
  shift 3
  declare -A outcomes=()
  prepare_"$what"
  with "$kind:0" "$file" "$@"
  calls=$(cat count)
  step=$((calls > faults ? calls / faults : 1))
  for ((n = 1; n <= calls; n += step)); do
    prepare_"$what"
    with "$kind:$n" "$file" "$@"
    check_code "$what, $kind $n of $calls"
    outcome="exit code $code"
    outcomes[$outcome]=$((${outcomes[$outcome]:-0} + 1))
    check_"$what" "$what, $kind $n of $calls"
  done
  printf '%s: %s calls of %s, one failed each time:' "$what" "$calls" "$kind"
  for outcome in "${!outcomes[@]}"; do printf ' %s times %s;' "${outcomes[$outcome]}" "$outcome"; done
  echo
}

prepare_replay() { rm -rf run robot.ovf .robot.ovf.part; cp old.ovf robot.ovf; }
check_replay() {
  cmp -s robot.ovf old.ovf || cmp -s robot.ovf new.ovf || complain "$1: the checkpoint is damaged"
  if [[ $code -eq 0 ]]; then
    cmp -s robot.ovf new.ovf || complain "$1: success without the checkpoint"
    cmp -s run/trajectory.tum good_run/trajectory.tum || complain "$1: success with another trajectory"
    grep -q '"complete": true' run/summary.json || complain "$1: success without a complete summary"
  fi
}
prepare_evaluate() { rm -rf run baseline.json; cp -r good_run run; }
check_evaluate() {
  [[ ! -e baseline.json || $code -ne 0 ]] || python3 -m json.tool baseline.json >/dev/null || complain "$1: bad baseline"
  [[ $code -eq 0 || ! -e baseline.json ]] || python3 -m json.tool baseline.json >/dev/null ||
    complain "$1: a damaged baseline"
}

for kind in malloc write fsync read; do
  inject replay $kind planar_beacons.yaml "${replay[@]}"
  inject evaluate $kind run/ "${evaluate[@]}"
done
[[ $problems -eq 0 ]] || { echo "fault_injection: $problems problems" >&2; exit 1; }
