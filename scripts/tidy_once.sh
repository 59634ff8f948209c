#!/usr/bin/env bash
# clang-tidy on one source, unless it was clean before: then nothing of what clang-tidy reads has changed, that is the
# source after the preprocessor, the rules and the program. Remembered in $XDG_CACHE_HOME/ovf/tidy.
#
#   CLANG_TIDY=clang-tidy DATABASE=build/lint scripts/tidy_once.sh source.cpp
set -euo pipefail
source=$1
memory=${XDG_CACHE_HOME:-$HOME/.cache}/ovf/tidy
root=$PWD

read_by_tidy() {
  "$CLANG_TIDY" --version
  cat .clang-tidy
  # The command that clang-tidy would run, with -E and without its output file.
  python3 - "$source" <<'PYTHON'
import json, os, pathlib, shlex, subprocess, sys
source = str(pathlib.Path(sys.argv[1]).resolve())
database = pathlib.Path(os.environ["DATABASE"], "compile_commands.json")
for entry in json.load(open(database)):
    if str(pathlib.Path(entry["directory"], entry["file"]).resolve()) == source:
        words = shlex.split(entry["command"])
        words[words.index("-o") + 1] = "-"
        words[words.index("-c")] = "-E"
        sys.exit(subprocess.run(words, cwd=entry["directory"]).returncode)
sys.exit(f"{source} is not in {database}")
PYTHON
}

key=$(read_by_tidy | sed "s|$root|.|g" | sha256sum | cut -d ' ' -f 1)
[[ ! -e $memory/$key ]] || exit 0
# The count of suppressed warnings in other people's headers is of no interest.
"$CLANG_TIDY" -p "$DATABASE" --extra-arg=-Wno-unknown-warning-option --quiet "$source" 2> >(grep -vE '^[0-9]+ warnings? generated' >&2)
mkdir -p "$memory" && touch "$memory/$key"
