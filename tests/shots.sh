#!/usr/bin/env bash
# Pictures of every page as OUTDIR/<page>-<light|dark>-<language>.png, for eyes and for the README. The program runs with a
# scripted upstream and serves clients for SECONDS (100 unless given) before the first picture; what it shows of that is real, and the usage
# of the days before is handed to its store.
#   tests/shots.sh OUTDIR [SECONDS [WIDTHxHEIGHT [NAME,…]]]     NAME: how the wanted pictures' names begin; all without it
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { echo "usage: tests/shots.sh OUTDIR [SECONDS [WIDTHxHEIGHT [NAME,…]]]" >&2; exit 2; }
out=$(realpath -m "$1")
preset=${OMNIROUTE_PRESET:-dev}

packaging/install_dependencies.sh test
[ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" --target omniroute-shots
# No desktop of this machine has a say in how the pictures look.
unset DBUS_SESSION_BUS_ADDRESS
export QT_QPA_PLATFORM=offscreen QT_QPA_PLATFORMTHEME='' LC_ALL=C.UTF-8 TZ=UTC QT_LOGGING_RULES='omniroute.*=false'
exec "build/$preset/tests/omniroute-shots" "$out" "${2:-100}" "${3:-1280x800}" ${4+"$4"}
