#!/bin/sh
# Make or update .venv from requirements/NAME.txt, whose every file is checked by its hash; nothing to do if it is
# current. Needs Python 3.12 or later and a network, nothing else.
set -eu
name=$1
lock=requirements/$name.txt
stamp=.venv/installed-$name

fail() { echo "$*" >&2; exit 1; }

if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c 'import sys' 2>/dev/null; then
    python=
    for candidate in ${PYTHON:-} python3.13 python3.14 python3.12 python3 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
            python=$candidate
            break
        fi
    done
    [ -n "$python" ] || fail "Bearena needs Python 3.12 or later: install it (Debian: apt-get install python3 python3-venv), or name it in PYTHON."
    "$python" -c 'import ensurepip, venv' 2>/dev/null \
        || fail "This Python has no venv module: install it (Debian: apt-get install python3-venv), then try again."
    echo "Making the environment (once, about a minute) ..."
    rm -rf .venv
    "$python" -m venv .venv
fi

if [ -f "$stamp" ] && cmp -s "$lock" "$stamp"; then
    exit 0
fi
echo "Installing $lock ..."
.venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes --no-deps -r "$lock" \
    || fail "Installing failed: see the lines above; it needs a network, or PIP_INDEX_URL naming a mirror."
cp "$lock" "$stamp"
