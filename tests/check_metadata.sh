#!/usr/bin/env bash
# The files that desktops and software centres read.
set -euo pipefail
cd "$(dirname "$0")/../packaging/linux"
desktop-file-validate omniroute-desktop.desktop
appstreamcli validate --no-net --no-color io.github.omniroute.desktop.metainfo.xml
