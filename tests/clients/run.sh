#!/bin/bash
# Runs the official OpenAI and Anthropic SDKs against the headless program and its sandbox.
#
#   tests/clients/run.sh            through the proxy: OMNIROUTE_HEADLESS (build/dev/app/omniroute-headless by default)
#   tests/clients/run.sh --direct   straight to the sandbox, to try the tests themselves: SANDBOX_SERVER (build/dev/tests/sandbox-server)
#
# Further arguments go to node's test runner, such as --test-name-pattern=stream.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

if [ "${1:-}" = --direct ]; then
    shift
    export OMNIROUTE_DIRECT=1
    program=${SANDBOX_SERVER:-$root/build/dev/tests/sandbox-server}
else
    program=${OMNIROUTE_HEADLESS:-$root/build/dev/app/omniroute-headless}
fi
[ -x "$program" ] || { echo "tests/clients: there is no program $program; build it first" >&2; exit 2; }
command -v node >/dev/null || { echo "tests/clients: node is missing (apt-get install nodejs npm)" >&2; exit 2; }
export OMNIROUTE_HEADLESS=$program

cd "$here"
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules ]; then
    npm ci --no-audit --no-fund --loglevel=error
    touch node_modules
fi

data=$(mktemp -d)
pid=
cleanup() {
    if [ -n "$pid" ]; then
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    fi
    rm -rf "$data"
}
trap cleanup EXIT

args=()
[ "${OMNIROUTE_DIRECT:-}" = 1 ] || args=(--data-dir "$data/store" --port 0 --sandbox)
"$program" "${args[@]}" >"$data/ready" 2>"$data/log" & pid=$!
for _ in $(seq 150); do
    url=$(sed -n 's/.*"event":"ready".*"url":"\([^"]*\)".*/\1/p' "$data/ready")
    [ -n "$url" ] && break
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
done
if [ -z "$url" ]; then
    echo "tests/clients: $program did not become ready" >&2
    cat "$data/log" >&2
    exit 1
fi
export OMNIROUTE_URL=$url

node --test --test-reporter=spec --test-timeout=60000 "$@" openai.test.js anthropic.test.js
