# SPDX-License-Identifier: BSD-3-Clause
# One kernel source, compiled once per instruction set; no other object gets the flags.
include(CheckCCompilerFlag)

# Nobody asks for floating-point exceptions, and comparing floats could raise one.
check_c_compiler_flag(-fno-trapping-math LDPC_COMPILER_HAS_NO_TRAPPING_MATH)

# ldpc_add_isa(<name> [flags...])
# Compiles ${LDPC_ISA_SOURCES} into the object library ldpc_cpu_<name> with LDPC_ISA=<name> and LDPC_ISA_<NAME>=1, adds it
# to LDPC_OBJECTS, and tells the rest of the library by LDPC_HAVE_<NAME>=1. Skipped when the compiler refuses the flags.
macro(ldpc_add_isa name)
  if(LDPC_ISA_SOURCES)
    string(TOUPPER "${name}" _isa)
    string(REPLACE ";" " " _flags "${ARGN}")
    set(_isa_works TRUE)
    if(_flags)
      check_c_compiler_flag("${_flags}" LDPC_COMPILER_HAS_${_isa})
      set(_isa_works ${LDPC_COMPILER_HAS_${_isa}})
    endif()
    if(_isa_works)
      add_library(ldpc_cpu_${name} OBJECT ${LDPC_ISA_SOURCES})
      target_include_directories(ldpc_cpu_${name} PRIVATE include lib)
      target_compile_options(ldpc_cpu_${name} PRIVATE ${ARGN})
      if(LDPC_COMPILER_HAS_NO_TRAPPING_MATH)
        target_compile_options(ldpc_cpu_${name} PRIVATE -fno-trapping-math)
      endif()
      target_compile_definitions(ldpc_cpu_${name} PRIVATE LDPC_ISA=${name} LDPC_ISA_${_isa}=1)
      ldpc_compile_options(ldpc_cpu_${name})
      target_compile_definitions(ldpc_core PRIVATE LDPC_HAVE_${_isa}=1)
      list(APPEND LDPC_OBJECTS $<TARGET_OBJECTS:ldpc_cpu_${name}>)
    else()
      ldpc_feature("CPU kernel ${name}" OFF "the compiler does not know ${_flags}")
    endif()
  endif()
endmacro()
