#!/usr/bin/env bash
# Say how long the first build of the program takes; nothing when it has been built before.
#
#     tools/announce-build.sh BUILD
#
# The time is that of docs/decisions/0012-a-build-one-does-not-wait-for.md, divided by the processors of this machine.
set -euo pipefail
processor_minutes=8
[ -x "$1/apps/rattleback/rattleback" ] && exit 0
cores=$(nproc)
echo "The program is compiled first: about $(((processor_minutes + cores - 1) / cores)) minutes on $cores processors. [done/all] shows how far it is."
