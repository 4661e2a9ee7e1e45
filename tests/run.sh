#!/usr/bin/env bash
# Everything that is a test: builds, unit, integration and GUI tests, the real SDKs, the sanitizers, translations and metadata.
#   tests/run.sh            all of it
#   tests/run.sh quick      without the sanitizers
# Benches (tests/bench/run.sh) and pictures (tests/shots.sh) are apart: they measure and show, they do not judge.
set -euo pipefail
cd "$(dirname "$0")/.."

packaging/install_dependencies.sh test
jobs=$(nproc)
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:die_after_fork=0:suppressions=$PWD/tests/tsan.supp

step() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }

build_and_test() {  # PRESET CTEST-ARGUMENTS…
    local preset=$1
    shift
    step "build $preset"
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" -- -j "$jobs"
    step "test $preset"
    # Most tests wait more than they compute: for a socket, a timer, an answer.
    ctest --preset "$preset" -j $((2 * jobs)) "$@"
}

build_and_test dev
step "translations and metadata"
tests/check_translations.sh
tests/check_metadata.sh
step "client SDKs"
OMNIROUTE_HEADLESS=$PWD/build/dev/app/omniroute-headless tests/clients/run.sh
if [ "${1:-}" != quick ]; then
    build_and_test asan-ubsan -L 'unit|integration'
    build_and_test tsan -L 'unit|integration'
fi
step "done"
