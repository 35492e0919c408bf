#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_source.sh ROOT [SUITE]
# As root: builds, tests and demonstrates the committed tree in a fresh Debian root ROOT (SUITE, default the suite of this system)
# with the commands scripts/test and scripts/demo, which install all packages that they need. Prints the time of each.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$(realpath -m "$1")
. tests/packages/root.sh
make_root "${2:-}"
rm -rf "$root/gr-ldpc"
git clone -q . "$root/gr-ldpc"
for script in test demo; do
    start=$SECONDS
    inside "/gr-ldpc/scripts/$script" </dev/null
    echo "scripts/$script: $((SECONDS - start)) s"
done
inside rm -rf /gr-ldpc
