#!/usr/bin/env bash
# What the program does, in a minute. To extend the demonstration, add a line at the end.
#
#     tools/demo.sh BUILD
set -euo pipefail
PATH="$(realpath "$1")/apps/rattleback:$PATH"

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

show rattleback check chaplygin-sleigh
show rattleback derive chaplygin-sleigh --form hamel
show rattleback report rattleback -o "$1/rattleback.html"
printf '\nOpen %s in a browser.\n' "$(realpath "$1")/rattleback.html"
printf '\nIn Python, after `make python`:\n\n  $ build/python/bin/python\n'
printf '  >>> import rattleback as rb\n  >>> m = rb.zoo("chaplygin-sleigh")\n  >>> m.derive("hamel").rates["u"]\n'
printf '  >>> m.analyze("invariant-measure")\n  >>> m.simulate(until=20).y_final\n'
