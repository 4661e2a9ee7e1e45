#!/usr/bin/env bash
# From a fresh checkout to the running program: installs what is missing, builds the release and starts it.
# Arguments go to the program: packaging/run.sh --data-dir DIR
set -euo pipefail
cd "$(dirname "$0")/.."

packaging/install_dependencies.sh build
cmake --preset release >/dev/null
cmake --build --preset release

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec build/release/app/omniroute-desktop "$@"
fi
echo "There is no display here: starting the program without its window. Stop it with Ctrl+C." >&2
exec build/release/app/omniroute-headless "$@"
