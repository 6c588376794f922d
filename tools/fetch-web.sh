#!/usr/bin/env bash
# Fetch KaTeX, which sets the formulas of pages, CodeMirror, the editor of the studio, and the driver of the browser tests, into
# build/web. web/package-lock.json
# says which versions and which bytes. Without npm, or without a network, the program is built all
# the same and shows formulas as text.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/web
cmp --silent web/package-lock.json build/web/fetched && exit 0
command -v npm >/dev/null || {
  echo "npm is absent, so reports will show formulas as text; with it they are set: apt-get install npm"
  exit 0
}
cp web/package.json web/package-lock.json build/web/
if (cd build/web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null); then
  cp web/package-lock.json build/web/fetched
else
  echo "npm could not fetch KaTeX: reports will show formulas as text"
fi
