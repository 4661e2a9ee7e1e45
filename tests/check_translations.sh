#!/usr/bin/env bash
# Fails when a translation lacks a text of the sources, holds one that is unfinished or no longer there, loses a placeholder, or sets a mnemonic on a letter that carries a sign.
#   tests/check_translations.sh            checks
#   tests/check_translations.sh --update   brings translations/*.ts up to the sources first; new texts are then to be filled in
set -euo pipefail
cd "$(dirname "$0")/.."

lupdate=$(command -v lupdate6 || true)
for candidate in "$(qtpaths6 --query QT_HOST_BINS 2>/dev/null || true)/lupdate" /usr/lib/qt6/bin/lupdate /usr/lib/qt6/libexec/lupdate; do
    [ -n "$lupdate" ] || { [ -x "$candidate" ] && lupdate=$candidate; }
done
[ -n "$lupdate" ] || { echo "lupdate of Qt 6 is missing (package qt6-l10n-tools)" >&2; exit 1; }
update() { "$lupdate" -silent -locations none -no-obsolete -I . -I core -I app ui app -ts "$@"; }

[ "${1:-}" = --update ] && update translations/omniroute_*.ts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp translations/omniroute_*.ts "$work"
update "$work"/omniroute_*.ts
python3 - "$work" <<'PY'
import pathlib, re, sys, unicodedata
import xml.etree.ElementTree as ET

def messages(path):
    found = {}
    for context in ET.parse(path).getroot().iter("context"):
        name = context.findtext("name")
        for message in context.iter("message"):
            key = (name, message.findtext("source"), message.findtext("comment") or "")
            found[key] = message.find("translation")
    return found

def texts(translation):
    forms = translation.findall("numerusform")
    return [form.text or "" for form in forms] if forms else [translation.text or ""]

problems = 0
for fresh in sorted(pathlib.Path(sys.argv[1]).glob("omniroute_*.ts")):
    ours = pathlib.Path("translations") / fresh.name
    now, kept = messages(fresh), messages(ours)
    lines = [f"not in the file: {key}" for key in now.keys() - kept.keys()]
    lines += [f"no longer in the sources: {key}" for key in kept.keys() - now.keys()]
    for key, translation in kept.items():
        if translation.get("type") or not all(texts(translation)):
            lines.append(f"{translation.get('type') or 'empty'}: {key}")
            continue
        wanted = sorted(set(re.findall(r"%L?\d|%L?n", key[1])))
        for text in texts(translation):
            if sorted(set(re.findall(r"%L?\d|%L?n", text))) != wanted:
                lines.append(f"placeholders differ: {key} -> {text}")
            # The line under a mnemonic would part the letter from the sign that stands on it.
            if any(unicodedata.category(text[mark.end()]) in ("Mn", "Mc") for mark in re.finditer(r"&[^&\s](?=.)", text)):
                lines.append(f"a mnemonic on a letter with a sign: {key} -> {text}")
    for line in sorted(lines):
        print(f"{ours}: {line}", file=sys.stderr)
    problems += len(lines)
    print(f"{ours}: {len(kept)} texts, {len(lines)} problems")
sys.exit(1 if problems else 0)
PY
