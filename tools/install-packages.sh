#!/usr/bin/env bash
# Install the Debian packages that a job needs, and only those that are missing.
#
#     tools/install-packages.sh build test      groups: build test python package docs bench mutants dev
#
# When nothing is missing this asks dpkg alone and returns at once: no root, no network.
set -euo pipefail

declare -A groups=(
  # Compiler, build tools and the libraries the program links.
  [build]="g++ make cmake ninja-build python3
           libflint-dev libflint-arb-dev libcalcium-dev libantic-dev libmpfr-dev libgmp-dev
           libfmt-dev nlohmann-json3-dev libtomlplusplus-dev libcli11-dev libeigen3-dev
           zlib1g-dev libmimalloc-dev libhdf5-dev libopenmpi-dev openmpi-bin llvm-19-dev npm"
  # The test framework; two other computer algebra systems, a simulator of robots (2 MB) and AUTO-07p (continuation) as oracles; a Fortran
  # compiler and Octave for exported programs, what sets formulas, and a browser for the pages.
  [test]="doctest-dev pkg-config gfortran octave auto-07p libmujoco-dev python3-sympy maxima texlive-latex-base python3-markdown nodejs
          chromium dpkg-dev file coq libcoq-coquelicot"
  # What the Python package is built with, what it works beside, and what tests it.
  [python]="python3-dev python3-venv pybind11-dev python3-pybind11 python3-build python3-setuptools python3-wheel
            python3-numpy python3-scipy python3-sympy python3-pandas python3-xarray python3-matplotlib
            python3-pytest python3-hypothesis mypy python3-nbclient python3-nbformat python3-ipykernel"
  # What makes a package for Debian.
  [package]="dpkg-dev file"
  # What turns the documentation into pages.
  [docs]="python3-markdown"
  # What the benchmarks compare against.
  [bench]="libginac-dev libsundials-dev libsimbody-dev maxima pkg-config python3-sympy python3-scipy"
  # What reads the sources of the kernel, to mutate them.
  [mutants]="python3-clang-14 libclang1-14"
  # What contributors use: formatter, linter, sanitizers and fuzzer of clang.
  [dev]="clang-19 clang-tidy-19 clang-format-14 libclang-rt-19-dev"
)

wanted=()
for group in "$@"; do
  [[ -v groups[$group] ]] || { echo "unknown package group '$group' (have: ${!groups[*]})" >&2; exit 2; }
  # shellcheck disable=SC2206  # splitting the list into words is the point
  wanted+=(${groups[$group]})
done

if ! command -v dpkg-query >/dev/null; then
  echo "This is not a Debian system; please provide the equivalents of: ${wanted[*]}" >&2
  exit 0  # the configure step names whatever is really absent
fi

installed=$(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')
missing=()
for package in "${wanted[@]}"; do
  [[ $package == npm ]] && command -v npm >/dev/null && continue  # it also comes with other builds of node
  grep --quiet --line-regexp --fixed-strings -- "$package" <<<"$installed" || missing+=("$package")
done
((${#missing[@]})) || exit 0

# A fresh machine often runs apt by itself: wait for its lock instead of failing.
apt_get=(apt-get -o DPkg::Lock::Timeout=600)
install=(install --yes --no-install-recommends "${missing[@]}")
if ((EUID == 0)); then
  as_root=(env)
elif command -v sudo >/dev/null && sudo --non-interactive true 2>/dev/null; then
  as_root=(sudo --non-interactive env)
else
  echo "These packages are missing: ${missing[*]}" >&2
  echo "Installing them needs root. Please run, then try again:" >&2
  echo "    sudo apt-get update && sudo apt-get ${install[*]}" >&2
  exit 1
fi

# A dot for each package that is unpacked or set up; what apt says is shown when it fails.
said=$(mktemp)
trap 'rm -f "$said"' EXIT
run_apt() {
  "${as_root[@]}" DEBIAN_FRONTEND=noninteractive "${apt_get[@]}" "$@" </dev/null 2>&1 | tee -a "$said" |
    awk '/^(Unpacking|Setting up)/ { printf "."; fflush(); any = 1 } END { if (any) print "" }' && return
  cat "$said" >&2
  exit 1
}
echo "installing: ${missing[*]}"
run_apt update --quiet
run_apt "${install[@]}"
