# SPDX-License-Identifier: BSD-3-Clause
# One kernel source, compiled once per instruction set; no other object gets the flags.
include(CheckCCompilerFlag)

# Floating-point exceptions are not used; with them the compiler may not vectorise comparisons of floats.
check_c_compiler_flag(-fno-trapping-math LDPC_COMPILER_HAS_NO_TRAPPING_MATH)

# Clang reports each loop that UNROLL_FULLY (lib/cpu/simd/isa.h) does not unroll: loops in functions that are also called
# with a variable number of iterations.
check_c_compiler_flag(-Wno-pass-failed LDPC_COMPILER_HAS_NO_PASS_FAILED)

# A short code's iteration, all of it calls of small functions, takes up to 6 % longer if they are badly aligned.
check_c_compiler_flag(-falign-functions=32 LDPC_COMPILER_HAS_ALIGN_FUNCTIONS)

# For builds with sanitizers: the unrolled kernels take minutes to compile with all of their checks.
set(LDPC_KERNEL_OPTIONS "" CACHE STRING "compiler options for the kernels only, appended last")

# ldpc_isa_library(<target> <isa> <sources...>)
# An object library of sources that are compiled for one of LDPC_ISAS, with its flags, LDPC_ISA=<isa> and LDPC_ISA_<ISA>=1.
function(ldpc_isa_library target isa)
  string(TOUPPER "${isa}" upper)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/lib")
  target_compile_options(${target} PRIVATE ${LDPC_ISA_FLAGS_${isa}})
  if(LDPC_COMPILER_HAS_NO_TRAPPING_MATH)
    target_compile_options(${target} PRIVATE -fno-trapping-math)
  endif()
  if(LDPC_COMPILER_HAS_ALIGN_FUNCTIONS)
    target_compile_options(${target} PRIVATE -falign-functions=32)
  endif()
  if(LDPC_COMPILER_HAS_NO_PASS_FAILED AND CMAKE_C_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE -Wno-pass-failed)
  endif()
  target_compile_definitions(${target} PRIVATE LDPC_ISA=${isa} LDPC_ISA_${upper}=1)
  ldpc_compile_options(${target})
  target_compile_options(${target} PRIVATE ${LDPC_KERNEL_OPTIONS})
endfunction()

# Development builds may omit instruction sets: "avx2" builds scalar and AVX2 with its variants, "avx2$" AVX2 without variants.
# "native" builds those that this processor uses: its widest one, and AMD's need no second variant of AVX2 (lib/cpu/isa_list.h).
# If the compiler defines no macro of an instruction set, "native" builds all.
set(LDPC_ONLY_ISAS "" CACHE STRING "instruction sets to build besides plain C, such as avx2;avx512, or native; empty = all")
set(_isas "${LDPC_ONLY_ISAS}")
if(_isas STREQUAL "native")
  execute_process(COMMAND "${CMAKE_C_COMPILER}" -march=native -dM -E - INPUT_FILE /dev/null OUTPUT_VARIABLE _macros ERROR_QUIET)
  if(_macros MATCHES "__AVX512BW__" AND _macros MATCHES "__AVX512DQ__" AND _macros MATCHES "__AVX512VL__")
    set(_isas avx512)
  elseif(_macros MATCHES "__AVX2__")
    set(_isas avx2)
    if(_macros MATCHES "__znver")
      set(_isas avx2$)
    endif()
  elseif(_macros MATCHES "__SSE4_1__")
    set(_isas sse41)
  elseif(_macros MATCHES "__ARM_NEON")
    set(_isas neon)
  else()
    set(_isas "")
  endif()
endif()
string(REPLACE ";" "|" LDPC_ISA_PATTERN "scalar;${_isas}")
if(NOT _isas)
  set(LDPC_ISA_PATTERN ".*")
endif()

# ldpc_add_isa(<name> [flags...])
# Compiles ${LDPC_ISA_SOURCES} into the object library ldpc_cpu_<name>, adds it to LDPC_OBJECTS and the name to LDPC_ISAS,
# and defines LDPC_HAVE_<NAME>=1 for the rest of the library. Skipped if the compiler lacks the flags, or by LDPC_ONLY_ISAS.
macro(ldpc_add_isa name)
  if(LDPC_ISA_SOURCES AND "${name}" MATCHES "^(${LDPC_ISA_PATTERN})")
    string(TOUPPER "${name}" _isa)
    string(REPLACE ";" " " _flags "${ARGN}")
    set(_isa_works TRUE)
    if(_flags)
      check_c_compiler_flag("${_flags}" LDPC_COMPILER_HAS_${_isa})
      set(_isa_works ${LDPC_COMPILER_HAS_${_isa}})
    endif()
    if(_isa_works)
      list(APPEND LDPC_ISAS ${name})
      set(LDPC_ISA_FLAGS_${name} ${ARGN})
      ldpc_isa_library(ldpc_cpu_${name} ${name} ${LDPC_ISA_SOURCES})
      target_compile_definitions(ldpc_core PRIVATE LDPC_HAVE_${_isa}=1)
      list(APPEND LDPC_OBJECTS $<TARGET_OBJECTS:ldpc_cpu_${name}>)
    else()
      ldpc_feature("CPU kernel ${name}" OFF "the compiler does not support ${_flags}")
    endif()
  endif()
endmacro()
