#!/usr/bin/env bash
# Formats all C++ files in place; with --check, reports and fails instead.
# Formatting is defined by clang-format 14, the version of Debian 12 and Ubuntu 22.04.
set -euo pipefail
cd "$(dirname "$0")/.."

clang_format=${CLANG_FORMAT:-$(command -v clang-format-14 || echo clang-format)}
mode=(-i)
[[ "${1:-}" != --check ]] || mode=(--dry-run --Werror)

find ovf_* test -type f \( -name '*.hpp' -o -name '*.cpp' \) -print0 |
  xargs -0 --no-run-if-empty "$clang_format" "${mode[@]}"
