#!/bin/bash
# Measures the proxy beside nginx and prints each figure with whether it is reached.
#
#   tests/bench/run.sh [OUT.json] [--quick] [--only ROW]… [--headless FILE] [--desktop FILE]
#
# ROW is latency, throughput, streams, memory, open-streams, big-prompt, pause, desktop, start or pages. Raw numbers go to OUT.json
# (build/bench/result.json by default). Ends with 1 when a figure is missed. About five minutes; --quick takes one.
# What is not built yet is built for release; run `cmake --build build/release` yourself after a change.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

missing=()
command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || missing+=(nginx-light)
command -v node >/dev/null || missing+=(nodejs)
command -v taskset >/dev/null || missing+=(util-linux)
command -v make >/dev/null || missing+=(make)
if [ ${#missing[@]} -gt 0 ]; then
    echo "installing ${missing[*]}" >&2
    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    $as_root apt-get install -y --no-install-recommends "${missing[@]}" >&2
fi
PATH=$PATH:/usr/sbin

make -s -C "$here" all
given=" $* "
if { [[ $given != *" --headless "* ]] && [ ! -x "$root/build/release/app/omniroute-headless" ]; } ||
    [ ! -x "$root/build/release/tests/omniroute-bench-fill" ] || [ ! -x "$root/build/release/tests/omniroute-bench-pages" ]; then
    (cd "$root" && cmake --preset release -DOMNIROUTE_TESTS=ON >/dev/null &&
        cmake --build build/release --target omniroute-headless omniroute-bench-fill -- -j "$(nproc)" &&
        { cmake --build build/release --target omniroute-desktop omniroute-bench-pages -- -j "$(nproc)" ||
            echo "without the rows of the desktop program, which was not built" >&2; }) >&2
fi
exec node "$here/bench.mjs" "$@"
