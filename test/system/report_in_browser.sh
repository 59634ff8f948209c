#!/usr/bin/env bash
# The report of the demonstration in a browser without a screen: it loads without an error and draws every chart.
# Left out, with a message, where there is no Chromium.
#
#   test/system/report_in_browser.sh <build folder>
set -euo pipefail

ovf=$(cd "$1" && pwd)/ovf
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [[ -z "$browser" ]]; then
  echo "report_in_browser: skipped, there is no Chromium here (apt-get install chromium)"
  exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() { echo "report_in_browser: $*" >&2; exit 1; }

"$ovf" demo --seconds 60 >log 2>&1 || { cat log >&2; fail "the demonstration failed"; }
page=$(sed -n 's/^report: *//p' log)
for scheme in light dark; do
  flags=(--headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile-$scheme" --window-size=1280,1000
    --virtual-time-budget=10000 --enable-logging=stderr)
  [[ $scheme == light ]] || flags+=(--force-dark-mode --blink-settings=preferredColorScheme=0)
  timeout 120 "$browser" "${flags[@]}" --dump-dom "file://$page" >dom.html 2>errors || { tail errors >&2; fail "the browser failed"; }
  if grep -E 'CONSOLE.*(Error|Uncaught|Refused)' errors >&2; then fail "the page reports errors ($scheme)"; fi
  charts=$(grep -cE 'class="plot( tall)?"' dom.html || true)
  drawn=$(grep -oE 'class="plot( tall)?"[^>]*><canvas' dom.html | wc -l)
  [[ $charts -ge 15 && $drawn -eq $charts ]] || fail "$drawn of $charts charts were drawn ($scheme); expected 15 or more"
  for chart in trajectory error_x nees nis_uwb parameter_uwb_noise rollout_paths rollout_error health events latency; do
    grep -q "id=\"chart-$chart\"" dom.html || fail "there is no chart $chart"
  done
done
echo "report_in_browser: passed, $drawn charts"
