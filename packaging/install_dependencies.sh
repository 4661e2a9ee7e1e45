#!/usr/bin/env bash
# Installs what is missing to build (and with "test", to test) on Debian 12. Needs root, or sudo.
set -euo pipefail

build=(g++ cmake ninja-build ccache pkg-config qt6-base-dev qt6-base-private-dev qt6-charts-dev libqt6opengl6-dev qt6-svg-dev qt6-tools-dev
       qt6-tools-dev-tools qt6-l10n-tools libqt6sql6-sqlite nlohmann-json3-dev libcurl4-openssl-dev libboost1.81-dev libsimdjson-dev
       qtkeychain-qt6-dev libssl-dev libsqlite3-dev zlib1g-dev tzdata)
test=(clang libclang-rt-dev llvm fonts-noto-core python3 dbus-daemon desktop-file-utils appstream sqlite3)

wanted=("${build[@]}")
if [ "${1:-build}" = test ]; then
    wanted+=("${test[@]}")
    # A Node.js that is there already is taken as it is; Debian's own would clash with one from elsewhere.
    command -v node >/dev/null || wanted+=(nodejs)
    command -v npm >/dev/null || wanted+=(npm)
fi

missing=()
for package in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "Missing packages, and no apt-get to install them: ${missing[*]}" >&2
    exit 1
fi
root=()
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "Install these as root, then start again: ${missing[*]}" >&2; exit 1; }
    root=(sudo)
fi
echo "Installing: ${missing[*]}"
"${root[@]}" apt-get update -qq
"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
