#!/usr/bin/env bash
# The table of exit codes in docs/recordings.md, and that damage and failure never end with 0.
#
#   test/system/exit_codes.sh <build folder>
set -euo pipefail

ovf=$(cd "$1" && pwd)/ovf
config=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../config" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() { echo "exit_codes: $*" >&2; exit 1; }
# exits CODE WORDS COMMAND...: the command ends with this code and says so, without control characters.
exits() {
  local code=$1 words=$2 got=0
  shift 2
  "$@" >log 2>&1 || got=$?
  [[ $got -eq $code ]] || { cat log >&2; fail "exit code $got instead of $code: $*"; }
  grep -qF -- "$words" log || { cat log >&2; fail "did not say '$words': $*"; }
  ! grep -q $'[\x01-\x08\x0b-\x1f\x7f]' log || { cat -v log >&2; fail "printed control characters: $*"; }
}
# flip FILE BYTE: one byte becomes another one.
flip() { printf '\xa5' | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }

"$ovf" simulate --out driven --seconds 30 >/dev/null
bag=driven/recording
robot=(--config "$config/planar_all_sensors.yaml" driven/landmarks.yaml)
size=$(stat -c %s $bag/recording_0.mcap)
head -c $((size * 3 / 4)) $bag/recording_0.mcap >cut.mcap
cp -r $bag flipped && flip flipped/recording_0.mcap $((size / 2))
cp -r $bag partly && head -c 5000 /dev/urandom >partly/other.mcap && rm partly/metadata.yaml
head -c 5000 /dev/urandom >noise.mcap
mkdir empty
mkfifo pipe

# 0: all of it
exits 0 'duration' "$ovf" info $bag
exits 0 'result: /' "$ovf" replay $bag "${robot[@]}" --out run
exits 0 'position RMSE' "$ovf" evaluate run
exits 0 'recording: /' "$ovf" convert driven converted
exits 0 'baseline.json' "$ovf" evaluate run --write-baseline baseline.json
exits 0 'within their tolerances' "$ovf" evaluate run --baseline baseline.json
exits 0 'Online variational' "$ovf" --help

# 1: it failed
exits 1 'noise.mcap' "$ovf" info noise.mcap
exits 1 'whose type is' "$ovf" replay $bag "${robot[@]}" --topics uwb:=/imu/data --out bad
exits 1 'controls.csv' "$ovf" convert empty bad
exits 1 'no plain file' timeout 10 "$ovf" replay $bag --config pipe --out bad
exits 1 'has no .mcap' "$ovf" evaluate driven
exits 1 'cannot write' "$ovf" evaluate run --write-baseline none/baseline.json
[[ ! -e none ]] || fail "a baseline that cannot be written left something"
(ulimit -f 0; trap '' XFSZ; ! "$ovf" evaluate run --write-baseline limited.json >/dev/null 2>&1) || fail "a limit of files was no failure"
[[ ! -e limited.json ]] || fail "a baseline that cannot be written left an empty file"
sed '3s/,[^,]*/,nan/' driven/controls.csv >controls && cp -r driven bad_log && mv controls bad_log/controls.csv
exits 1 'controls.csv: line 3' "$ovf" convert bad_log bad
sed '3s/,[^,]*/,inf/' driven/controls.csv >bad_log/controls.csv
exits 1 'controls.csv: line 3' "$ovf" convert bad_log bad
if [[ -w /dev/full ]]; then
  got=0
  "$ovf" info $bag >/dev/full 2>log || got=$?
  [[ $got -eq 1 ]] || fail "exit code $got with a full disk behind the output"
  grep -q 'standard output' log || fail "nothing was said of a full disk behind the output"
fi

# 2: the command line is wrong
exits 2 'subcommand' "$ovf"
exits 2 '--out is required' "$ovf" simulate
exits 2 'not expected' "$ovf" info $bag $bag
exits 2 'bad.mcap' "$ovf" info bad.mcap

# 3: what could be read was used, and it was not all
for damaged in cut.mcap flipped partly; do
  exits 3 'warning: ' "$ovf" info $damaged
  exits 3 'the recording is damaged' "$ovf" replay $damaged "${robot[@]}" --out "run_$damaged"
done
exits 3 'no messages' "$ovf" replay $bag "${robot[@]}" --start 1000 --out bad3
cp -r run damaged_run
flip damaged_run/estimates/estimates_0.mcap $(($(stat -c %s run/estimates/estimates_0.mcap) / 2))
exits 3 'chunk at byte' "$ovf" evaluate damaged_run
exits 3 'no baseline was written' "$ovf" evaluate damaged_run --write-baseline damaged.json
[[ ! -e damaged.json ]] || fail "a damaged run became a baseline"
exits 3 'chunk at byte' "$ovf" evaluate run damaged_run
cp -r run broken_off && rm broken_off/summary.json
exits 3 'the replay was broken off' "$ovf" evaluate broken_off

# 4: out of tolerance
sed 's/"value": [-0-9.e]*/"value": 1e6/' baseline.json >other.json
exits 4 'out of tolerance' "$ovf" evaluate run --baseline other.json

# 128 + signal: interrupted, with a result that can be evaluated and a checkpoint to go on from
"$ovf" simulate --out long --seconds 1200 >/dev/null
for signal in INT TERM; do
  code=$([[ $signal == INT ]] && echo 130 || echo 143)
  # A background process of a shell ignores SIGINT unless it is told otherwise.
  env --default-signal=INT "$ovf" replay long/recording --config "$config/planar_all_sensors.yaml" long/landmarks.yaml \
    --out cut_$signal --checkpoint at_$signal >log 2>&1 &
  process=$!
  for _ in $(seq 600); do [[ -s cut_$signal/trajectory.tum ]] && break; sleep 0.1; done
  kill -$signal $process
  got=0
  wait $process || got=$?
  [[ $got -eq $code ]] || { cat log >&2; fail "exit code $got instead of $code after SIG$signal"; }
  grep -q "interrupted by SIG$signal" log || { cat log >&2; fail "did not say that it was interrupted"; }
  exits 3 'the replay was interrupted' "$ovf" evaluate cut_$signal
  grep -q 'position RMSE' log || fail "an interrupted replay cannot be evaluated"
  exits 0 '/ovf/posterior' "$ovf" info cut_$signal/estimates
  exits 0 'result: /' "$ovf" replay long/recording --config "$config/planar_all_sensors.yaml" long/landmarks.yaml \
    --checkpoint at_$signal --start 600 --duration 5 --out after_$signal
done

# Names from a file do not reach the terminal as they are.
escape=$'/odom\x1b[2J\x07\nresult: /etc'
if command -v sqlite3 >/dev/null; then
  sqlite3 hostile.db3 "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT, offered_qos_profiles TEXT);
    CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB);
    INSERT INTO topics VALUES (1, '$escape', '$escape', 'cdr', ''); INSERT INTO messages VALUES (1, 1, 1, x'00010000');"
  exits 0 '\x1b[2J\x07\x0aresult: /etc' "$ovf" info hostile.db3
  exits 1 '\x1b[2J\x07\x0aresult: /etc' "$ovf" replay hostile.db3 "${robot[@]}" --out bad
fi

# A camera's model, and its training, where LibTorch was found when ovf was built.
if [[ -x $ovf-vision ]]; then
  # Nothing in it can load a program or a stored object.
  ! nm -DC "$ovf-vision" | grep -E 'torch::(jit::|load|pickle)' || fail "ovf-vision can load programs"
  "$ovf" simulate maze --frames 40 --size 24x16 --out maze >/dev/null
  training=(--size 24x16 --latent 4 --threads 1)
  exits 0 'model: /' "$ovf" train-vae maze/images --out model "${training[@]}" --epochs 1
  exits 0 'explained variance' "$ovf" test-vae model maze/images
  exits 1 'decoder.f32' env bash -c "cp -r model half && truncate -s 100 half/decoder.f32 && '$ovf' test-vae half maze/images"
  echo no picture >maze/images/000003.png
  exits 3 '1 are left out' "$ovf" train-vae maze/images --out model3 "${training[@]}" --epochs 1
  exits 3 '1 are left out' "$ovf" test-vae model maze/images
  env --default-signal=INT "$ovf" train-vae maze/images --out model4 "${training[@]}" --epochs 100000 --patience 100000 >train 2>&1 &
  process=$!
  for _ in $(seq 600); do [[ -s model4.checkpoint ]] && break; sleep 0.1; done
  kill -INT $process
  got=0
  wait $process || got=$?
  [[ $got -eq 130 ]] || { tail -n 3 train >&2; fail "exit code $got instead of 130 of a training"; }
  grep -q 'go on with --resume' train || fail "a training that was interrupted did not say what to do"
  [[ -s model4.checkpoint && ! -e model4 ]] || fail "a training that was interrupted did not leave a checkpoint alone"
fi

echo "exit_codes: passed"
