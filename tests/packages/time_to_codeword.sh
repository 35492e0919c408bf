#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: time_to_codeword.sh ROOT DEBS [WHEELS]
# As root: measures the time from downloaded packages to the first decoded codeword in ROOT, a fresh Debian root, with the Debian
# packages in directory DEBS and with the wheel in directory WHEELS. Fails above 60 s.
set -euo pipefail
debs=$(realpath "$2")
root=$(realpath "$1")
. "$(dirname "$0")/root.sh"
make_root

cat >"$root/first_codeword.py" <<'END'
import libldpc

code = libldpc.code("wimax:2304:1/2")
messages, llrs = libldpc.noisy_frames(code, ebn0=3.0, count=1)
bits, info = libldpc.decoder(code).decode(llrs)
assert (bits == messages).all() and info["converged"].all()
END

# timed NAME COMMAND: runs the command in the root, at most 60 s.
timed() {
    local begin end
    begin=$(date +%s%N)
    inside sh -ec "$2" >"$root/timed.log" 2>&1 || { cat "$root/timed.log" >&2 && return 1; }
    end=$(date +%s%N)
    echo "$1: $(((end - begin) / 1000000)) ms"
    [ $((end - begin)) -le 60000000000 ]
}

rm -rf "$root/debs" "$root/wheels"
mkdir -p "$root/debs" "$root/wheels"
cp "$debs"/libldpc1_*.deb "$debs"/libdvb?2-1_*.deb "$debs"/python3-libldpc_*.deb "$debs"/ldpc-tools_*.deb "$root/debs"
inside apt-get update -q >/dev/null

install="apt-get install -q -y --no-install-recommends"
inside sh -c "$install --download-only /debs/*.deb" >/dev/null
timed "deb, from downloaded packages to the first codeword" "$install /debs/*.deb; python3 /first_codeword.py"
inside ldpc-info wimax:2304:1/2 >/dev/null
inside sh -c "apt-get purge -q -y libldpc1 libdvbt2-1 libdvbs2-1 python3-libldpc ldpc-tools" >/dev/null 2>&1

[ $# -ge 3 ] || exit 0
cp "$3"/*.whl "$root/wheels"
inside sh -c "$install python3-venv" >/dev/null 2>&1
inside sh -c "python3 -m venv /fetch && /fetch/bin/pip download -q -d /wheels /wheels/libldpc*.whl" >/dev/null
timed "pip, from downloaded wheels to the first codeword" \
    "rm -rf /venv; python3 -m venv /venv; /venv/bin/pip install -q --no-index --find-links /wheels libldpc; /venv/bin/python /first_codeword.py"
