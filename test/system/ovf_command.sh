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
"$ovf" simulate --out log1 --seconds 40 >log 2>&1 || { cat log >&2; fail "simulate failed"; }
refuses 'log1' "$ovf" simulate --out log1 --seconds 20
"$ovf" experiment localisation --data log1 --config "$config/planar_all_sensors.yaml" >log 2>&1 ||
  { cat log >&2; fail "the localisation experiment failed"; }
for file in report.html results.json config.yaml trajectory.csv trajectory.tum; do
  [[ -s results/latest/$file ]] || fail "results/latest/$file is missing"
done
"$ovf" experiment localisation --data log1 --config "$config/planar_all_sensors.yaml" --method ekf >log 2>&1 ||
  { cat log >&2; fail "the localisation experiment with another method failed"; }
grep -q '^ekf ' log || fail "the localisation experiment does not name its method"
sed 's/noise: \[0.5\]/noise: [-0.5]/' "$config/planar_all_sensors.yaml" >bad.yaml
refuses 'uwb.noise is [-0.5]' "$ovf" experiment localisation --data log1 --config bad.yaml
refuses 'controls.csv' "$ovf" experiment localisation --data empty --config "$config/planar_all_sensors.yaml"

# A robot that is as its model says has a true value for all that is learned.
"$ovf" simulate --out log2 --seconds 20 --well-specified >log 2>&1 || { cat log >&2; fail "simulate --well-specified failed"; }
"$ovf" replay log2/recording --config "$config/planar_all_sensors.yaml" log2/landmarks.yaml --out run0 >log 2>&1 ||
  { cat log >&2; fail "the replay of a well-specified robot failed"; }
tail -n +2 log2/true_parameters.csv | cut -d, -f1 | while read -r name; do
  grep -qF "$name" run0/parameters.csv || fail "$name has a true value but is not learned"
done
"$ovf" experiment calibration --quick --only linear,robot --seeds 5 --seconds 8 >log 2>&1 ||
  { cat log >&2; fail "the calibration experiment failed"; }
for words in 'Linear-Gaussian model, one state' 'uwb.noise' 'motion.noise.rate' 'not identified'; do
  grep -qF "$words" log || { cat log >&2; fail "the calibration experiment did not print '$words'"; }
done
for file in report.html results.json robot_ranks.csv robot_coverage.csv linear_z.csv; do
  [[ -s results/latest/$file ]] || fail "results/latest/$file is missing"
done
refuses '--only' "$ovf" experiment calibration --only planes

# The demonstration compares what was learned with its references.
"$ovf" demo --seconds 40 >log 2>&1 || { cat log >&2; fail "the demonstration failed"; }
for words in 'reference is' '±1σ' 'true value' 'batch ML on true residuals' 'uwb.nu' 'imu.noise' 'camera.yaw'; do
  grep -qF "$words" log || { cat log >&2; fail "the demonstration did not print '$words'"; }
done
! grep -qE ' 0\.0+ +(-?[0-9.]+|–)$' log || fail "the demonstration shows a standard deviation as zero"
grep -q 'batch ML on true residuals' results/latest/report.html || fail "the references are not in the demonstration's report"

# A camera in a maze.
maze=("$ovf" simulate maze --frames 40 --size 24x16)
"${maze[@]}" --out maze1 >log 2>&1 || { cat log >&2; fail "simulate maze failed"; }
[[ $(find maze1/images -name '*.png' | wc -l) -eq 40 ]] || fail "simulate maze did not write 40 images"
for file in images/index.csv recording/metadata.yaml recording/recording_0.mcap maze.txt contact_sheet.png; do
  [[ -s maze1/$file ]] || fail "maze1/$file is missing"
done
"${maze[@]}" --out maze2 >log 2>&1
diff -r maze1 maze2 || fail "the same seed gave other files"
"${maze[@]}" --out maze3 --seed 2 >log 2>&1
! cmp -s maze1/maze.txt maze3/maze.txt || fail "another seed gave the same maze"
"$ovf" simulate maze --out maze4 --unordered 10 >log 2>&1 || { cat log >&2; fail "unordered images failed"; }
[[ -s maze4/images/000009.png && ! -e maze4/recording ]] || fail "unordered images are not images alone"
refuses 'not an empty folder' "${maze[@]}" --out maze1
refuses '--size' "$ovf" simulate maze --out bad0 --size 24y16
refuses '--what images' "$ovf" simulate maze --out bad0 --unordered 5 --what both
refuses '--out is required' "$ovf" simulate maze
refuses '--out is required' "$ovf" simulate
refuses 'odd number' "$ovf" simulate maze --out bad0 --cells 12
[[ ! -e bad0 ]] || fail "a simulation that cannot start left a folder"

# A model of pictures, where LibTorch was found when ovf was built.
if [[ -x $ovf-vision ]]; then
  "$ovf" train-vae maze1/images maze1/recording --out vae --size 24x16 --latent 4 --epochs 2 --threads 1 >log 2>&1 ||
    { cat log >&2; fail "train-vae failed"; }
  grep -q '^80 pictures, 24 x 16 pixels$' log || fail "train-vae did not read folder and recording"
  for file in manifest.json pixel_scale.f32 decoder.f32 encoder.f32 contact_sheet.png; do
    [[ -s vae/$file ]] || fail "vae/$file is missing"
  done
  "$ovf" test-vae vae maze1/recording >log 2>&1 || { cat log >&2; fail "test-vae failed"; }
  grep -q '^explained variance: ' log || fail "test-vae did not print the explained variance"
  [[ -s reconstructions.png ]] || fail "reconstructions.png is missing"
  refuses 'there is something already' "$ovf" train-vae maze1/images --out vae
  refuses 'expected a multiple of 4' "$ovf" train-vae maze1/images --out vae2 --size 30
  refuses '/camera/image' "$ovf" train-vae maze1/recording --out vae2 --topic /other
  truncate -s 100 vae/decoder.f32
  refuses 'decoder.f32: 100 bytes' "$ovf" test-vae vae maze1/images
else
  refuses 'libtorch-dev' "$ovf" train-vae maze1/images --out vae
fi

# exits CODE WORDS COMMAND...: the command ends with this code and says so.
exits() {
  local code=$1 words=$2 got=0
  shift 2
  "$@" >log 2>&1 || got=$?
  [[ $got -eq $code ]] || { cat log >&2; fail "exit code $got instead of $code: $*"; }
  grep -qF -- "$words" log || { cat log >&2; fail "did not say '$words': $*"; }
}
bag=log1/recording
robot=(--config "$config/planar_all_sensors.yaml" log1/landmarks.yaml)

# From a recording to an evaluation.
exits 0 '/camera/image' "$ovf" info maze1/recording
exits 0 '/imu/data' "$ovf" info $bag
exits 0 'result: /' "$ovf" replay $bag "${robot[@]}" --out run1
exits 0 'result: /' "$ovf" replay $bag "${robot[@]}" --out run2 --no-learn
# Methods to compare with, from a pose: a short recording will do.
short=(--initial ground_truth --duration 2)
for method in ekf ukf no-learn; do
  exits 0 'result: /' "$ovf" replay $bag "${robot[@]}" "${short[@]}" --method $method --out short_$method
  grep -q "\"method\": \"$method\"" short_$method/summary.json || fail "summary.json does not name $method"
done
grep -q 'sigma_points: true' short_ukf/config.yaml || fail "ukf has no sigma points"
exits 0 'Noise of the tuned' "$ovf" replay $bag "${robot[@]}" "${short[@]}" --method ekf-tuned --out short_tuned
grep -q 'tuned noise' short_tuned/summary.json || fail "summary.json has no tuned noise"
exits 1 'expected one of both' "$ovf" replay $bag "${robot[@]}" --method ekf --no-learn --out bad0
exits 1 'expected one of both' "$ovf" replay $bag "${robot[@]}" --method ekf-tuned --checkpoint c --out bad0
for file in estimates/metadata.yaml estimates/estimates_0.mcap trajectory.tum trajectory.csv parameters.csv updates.csv \
  events.csv config.yaml summary.json machine.json; do
  [[ -s run1/$file ]] || fail "run1/$file is missing"
done
exits 0 '/ovf/posterior' "$ovf" info run1/estimates
exits 0 'position RMSE' "$ovf" evaluate run1 run2 --names on off
[[ -s results/latest/report.html ]] || fail "the evaluation has no report"
exits 0 'baseline.json' "$ovf" evaluate run1 --write-baseline baseline.json
exits 0 'within their tolerances' "$ovf" evaluate run1 --baseline baseline.json
exits 4 'out of tolerance' "$ovf" evaluate run2 --baseline baseline.json
exits 0 'no ground truth' "$ovf" evaluate run1 --ground-truth none
# The same replay again gives the same bytes.
exits 0 'result: /' "$ovf" replay $bag "${robot[@]}" --out run3
diff -r --exclude machine.json run1 run3 || fail "two replays of a recording differ"

# A log as a recording, and a scoreboard of both.
exits 0 'recording: /' "$ovf" convert log1 board/bag
[[ -s board/bag/landmarks.yaml ]] || fail "the recording of a log has no landmarks.yaml"
exits 0 '/ground_truth' "$ovf" info board/bag
refuses 'not an empty folder' "$ovf" convert log1 board/bag
refuses 'controls.csv' "$ovf" convert empty bad0
[[ ! -e bad0 ]] || fail "a conversion that cannot start left a folder"
cp "$config/planar_all_sensors.yaml" board/robot.yaml
exits 0 'results/benchmark-' "$ovf" benchmark board --methods ovf,ekf
for method in ovf ekf; do
  grep -Eq "^bag +$method +[0-9.]+ +[0-9.]+ \(2\)" log || { cat log >&2; fail "no line of $method on the scoreboard"; }
  grep -q "^bag,$method,[0-9]" results/latest/results.csv || fail "no line of $method in results.csv"
done
[[ -s results/latest/report.html ]] || fail "the scoreboard has no report"
printf -- '- {name: gone, recording: none.mcap, config: robot.yaml}\n- {name: kept, log: ../log1, config: robot.yaml}\n' \
  >board/benchmark.yaml
exits 1 '1 of 2 entries failed: gone' "$ovf" benchmark board --methods no-learn
grep -q '^gone .*error: .*none.mcap' log || { cat log >&2; fail "a broken entry has no error line"; }
grep -Eq '^kept +no-learn +[0-9]' log || { cat log >&2; fail "an entry after a broken one was not run"; }
refuses 'OVF_DATA_DIR is not set' env -u OVF_DATA_DIR "$ovf" benchmark
refuses 'no recording' "$ovf" benchmark empty
refuses '--methods' "$ovf" benchmark board --methods magic
printf -- '- {recording: a, config: b, colour: red}\n' >board/benchmark.yaml
refuses 'benchmark.yaml:1: unknown key colour' "$ovf" benchmark board

# Recordings that are none, or not whole.
exits 1 '/radio' "$ovf" replay $bag "${robot[@]}" --topics uwb:=/radio --out bad1
exits 1 'whose type is sensor_msgs/msg/Imu' "$ovf" replay $bag "${robot[@]}" --topics uwb:=/imu/data --out bad1
exits 1 'NAME:=TOPIC' "$ovf" replay $bag "${robot[@]}" --topics uwb --out bad1
[[ ! -e bad1 ]] || fail "a replay that cannot start left a folder"
head -c $(($(stat -c %s $bag/recording_0.mcap) * 3 / 4)) $bag/recording_0.mcap >cut.mcap
exits 3 'damaged' "$ovf" replay cut.mcap "${robot[@]}" --out cut
[[ -s cut/trajectory.tum ]] || fail "nothing was kept of a recording that breaks off"
: >none.mcap
exits 1 'none.mcap' "$ovf" replay none.mcap "${robot[@]}" --out bad2
head -c 5000 /dev/urandom >noise.mcap
exits 1 'noise.mcap' "$ovf" info noise.mcap
exits 3 'no messages' "$ovf" replay $bag "${robot[@]}" --start 1000 --out bad3
# No more room: what fits stays readable.
(trap '' XFSZ && ulimit -f 400 && exits 1 'cannot' "$ovf" replay $bag "${robot[@]}" --out full) || exit 1
exits 3 '/ovf/posterior' "$ovf" info full/estimates
exits 3 'the replay was broken off' "$ovf" evaluate full

echo "ovf_command: passed"
