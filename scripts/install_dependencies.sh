#!/usr/bin/env bash
# Installs the packages that are missing on a Debian or Ubuntu machine, and nothing else.
# Says nothing and calls nothing when all of them are there.
#
#   scripts/install_dependencies.sh [build] [test] [bench] [fuzz] [lint]      (no argument: build)
#
# OVF_SKIP_DEPENDENCIES=1 leaves the machine alone, for libraries that did not come from apt.
set -euo pipefail

# For the networks of pictures. Ubuntu 22.04 has no LibTorch, and everything else does without.
optional=()
declare -A packages=(
  [build]="g++ cmake ninja-build make pkg-config libeigen3-dev libfmt-dev libyaml-cpp-dev
           nlohmann-json3-dev libcli11-dev libjs-chart.js liblz4-dev libzstd-dev libsqlite3-dev
           libopencv-dev"
  [test]="libgtest-dev libgmock-dev"
  [bench]="libbenchmark-dev"
  [fuzz]="clang"
  [lint]="clang-format clang-tidy python3"
)

say() { echo "install_dependencies: $*" >&2; }

[[ "${OVF_SKIP_DEPENDENCIES:-0}" != 1 ]] || exit 0

wanted=()
for group in "${@:-build}"; do
  if [[ -z "$group" || -z "${packages[$group]:-}" ]]; then
    say "unknown group '$group'; the groups are: build test bench fuzz lint"
    exit 2
  fi
  read -r -d '' -a names <<<"${packages[$group]}" || true
  wanted+=("${names[@]}")
  [[ "$group" != build ]] || optional=(libtorch-dev libopenblas0-pthread)
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  say "no apt-get here, so nothing was checked. Needed, by their Debian names: ${wanted[*]}"
  exit 0
fi

# dpkg-query fails when it does not know one of the names, and still answers for the others.
installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${wanted[@]}" \
  "${optional[@]}" 2>/dev/null || true)
is_installed() { [[ $'\n'"$installed"$'\n' == *$'\n'"installed $1"$'\n'* ]]; }
missing=()
for package in "${wanted[@]}"; do
  is_installed "$package" || missing+=("$package")
done
absent=()
for package in "${optional[@]}"; do
  is_installed "$package" || absent+=("$package")
done
# Adds those of the absent packages that apt knows.
add_optional() {
  local package unknown=()
  for package in "${absent[@]}"; do
    if apt-cache show "$package" >/dev/null 2>&1; then missing+=("$package"); else unknown+=("$package"); fi
  done
  [[ ${#unknown[@]} -eq 0 ]] || say "apt has no ${unknown[*]}: vision's networks are left out"
  absent=()
}
# A fresh machine has no lists of packages yet; then apt knows only after the update below.
if [[ ${#absent[@]} -gt 0 ]] && apt-cache show g++ >/dev/null 2>&1; then add_optional; fi
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $EUID -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    reason="no sudo"
  elif sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  elif [[ -t 0 ]]; then
    as_root=(sudo)
  else
    reason="sudo asks for a password and there is no terminal"
  fi
  if [[ ${#as_root[@]} -eq 0 ]]; then
    say "packages are missing, and installing them needs root ($reason). Run this as root:"
    say "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    say "or set OVF_SKIP_DEPENDENCIES=1 if the libraries are installed in another way."
    exit 1
  fi
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@"
}

say "installing ${missing[*]}"
apt update || say "apt-get update failed; trying with the package lists that are there"
add_optional
if ! apt install --yes --no-install-recommends "${missing[@]}" >/dev/null; then
  say "could not install: ${missing[*]}"
  exit 1
fi
