#!/usr/bin/env bash
# Pictures of every page as OUTDIR/<page>-<light|dark>-<language>.png, for eyes and for the README. The program runs with a
# scripted upstream and serves clients for a while (100 s) before the first picture; what it shows of that is real, and the usage
# of the days before is handed to its store.
#   tests/shots.sh OUTDIR [--seconds N] [--size WIDTHxHEIGHT] [--only NAME,…] [--empty] [--right-to-left]
#       NAME             how the wanted pictures' names begin; all without it
#       --empty          of a program in which nothing has happened yet: no connection, no request
#       --right-to-left  once more as a reader of Arabic would see it, in a sample text
#   QT_SCALE_FACTOR=2 before it takes them as on a screen of double density.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '5,9s/^# *//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/.."
out=$(realpath -m "$1")
shift
preset=${OMNIROUTE_PRESET:-dev}

packaging/install_dependencies.sh test
[ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" --target omniroute-shots
# No desktop of this machine has a say in how the pictures look.
unset DBUS_SESSION_BUS_ADDRESS
export QT_QPA_PLATFORM=offscreen QT_QPA_PLATFORMTHEME='' LC_ALL=C.UTF-8 TZ=UTC QT_LOGGING_RULES='omniroute.*=false'
exec "build/$preset/tests/omniroute-shots" "$out" "$@"
