#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_site.sh VENV
# Builds the documentation site without warnings, with the package installed by pip in VENV.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PATH="$(realpath "$1")/bin:$PATH"
pip install --quiet ".[docs]" --config-settings=cmake.define.LDPC_NVCC=
sphinx-build -W -q -b html docs build-docs
sphinx-build -q -b linkcheck docs build-docs/links || echo "some addresses did not answer; see build-docs/links"
grep -q ldpc_decoder_create build-docs/reference/c_api.html
grep -q "ldpc-ber" build-docs/reference/programs.html
grep -q "wimax:2304:1/2" build-docs/reference/all_codes.html
