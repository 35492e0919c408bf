# SPDX-License-Identifier: BSD-3-Clause
"""Tests the instruction sets that LDPC_ONLY_ISAS selects, with a fake compiler."""
import pathlib
import subprocess
import tempfile
import unittest

TREE = pathlib.Path(__file__).resolve().parents[2]
NAMES = ["scalar", "sse41", "avx2", "avx512", "avx2_mask", "avx512_256", "avx512vbmi", "neon"]
AVX512 = "__SSE4_1__ __AVX2__ __AVX512BW__ __AVX512DQ__ __AVX512VL__"
SCRIPT = f"""
set(CMAKE_MODULE_PATH "${{CMAKE_CURRENT_LIST_DIR}}")
set(LDPC_ISA_SOURCES isa.c)
include("{TREE}/cmake/LdpcIsa.cmake")
function(ldpc_isa_library)
endfunction()
function(target_compile_definitions)
endfunction()
foreach(name {" ".join(NAMES)})
  ldpc_add_isa(${{name}})
endforeach()
message("${{LDPC_ISAS}}")
"""


class Isas(unittest.TestCase):
    def selected(self, only, macros):
        """Returns the selected instruction sets. macros: macros that -march=native defines; if empty, the compiler fails."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            compiler = folder / "cc"
            compiler.write_text("#!/bin/sh\n" + "".join(f"echo '#define {macro} 1'\n" for macro in macros.split()) + ("" if macros else "exit 1\n"))
            compiler.chmod(0o755)
            (folder / "CheckCCompilerFlag.cmake").write_text("function(check_c_compiler_flag)\nendfunction()\n")
            (folder / "isas.cmake").write_text(SCRIPT)
            result = subprocess.run(["cmake", f"-DLDPC_ONLY_ISAS={only}", f"-DCMAKE_C_COMPILER={compiler}", "-P", folder / "isas.cmake"],
                                    capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stderr.strip().split(";")

    def test_selection(self):
        for only, macros, expected in (("", "", NAMES), ("avx2", "", ["scalar", "avx2", "avx2_mask"]), ("none", "", ["scalar"]),
                                       ("avx2$;neon", "", ["scalar", "avx2", "neon"]),
                                       ("native", AVX512, ["scalar", "avx512", "avx512_256", "avx512vbmi"]),
                                       ("native", "__SSE4_1__ __AVX2__", ["scalar", "avx2", "avx2_mask"]),
                                       ("native", "__SSE4_1__ __AVX2__ __znver2__", ["scalar", "avx2"]),
                                       ("native", "__ARM_NEON", ["scalar", "neon"]),
                                       ("native", "__SSE2__", NAMES), ("native", "", NAMES)):
            with self.subTest(only, macros=macros):
                self.assertEqual(self.selected(only, macros), expected)


if __name__ == "__main__":
    unittest.main()
