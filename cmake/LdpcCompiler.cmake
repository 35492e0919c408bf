# SPDX-License-Identifier: BSD-3-Clause
# Warnings, hardening, sanitizers and exported symbols, the same for every target of this project.

if(CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN") # include/ldpc/status.h also rejects big-endian machines
  message(FATAL_ERROR "gr-ldpc supports little-endian processors only, and ${CMAKE_SYSTEM_PROCESSOR} is big-endian")
endif()

# -ffp-contract=off: simulated frames and float decoders do not depend on whether the CPU has fused multiply-add.
set(LDPC_COMMON_OPTIONS -Wall -Wextra -Wshadow -ffp-contract=off)
set(LDPC_C_OPTIONS -Wmissing-prototypes -Werror=implicit-function-declaration)
if(LDPC_WERROR)
  list(APPEND LDPC_COMMON_OPTIONS -Werror)
endif()

# Hardening makes memory errors harder to exploit, without measurable cost in speed: stack protector, checked string
# functions (they need optimisation), address tables that are read-only after loading, no executable stack. tests/install
# checks the installed files. Sanitizers find the same errors earlier and cannot be combined with it.
option(LDPC_HARDEN "Stack protector, _FORTIFY_SOURCE, full RELRO" ON)
set(LDPC_HARDEN_COMPILE_OPTIONS)
set(LDPC_HARDENED OFF)
if(LDPC_HARDEN AND NOT LDPC_SANITIZE AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND UNIX AND NOT APPLE)
  set(LDPC_HARDEN_COMPILE_OPTIONS -fstack-protector-strong
                                  "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
  set(LDPC_HARDENED ON)
endif()

if(LDPC_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${LDPC_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize-recover=all>
                      $<$<COMPILE_LANGUAGE:C,CXX>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=${LDPC_SANITIZE})
  ldpc_feature("sanitizers" ON "${LDPC_SANITIZE}")
endif()

# ldpc_compile_options(<target>)
function(ldpc_compile_options target)
  target_compile_options(
    ${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:${LDPC_COMMON_OPTIONS};${LDPC_HARDEN_COMPILE_OPTIONS}>
                      $<$<COMPILE_LANGUAGE:C>:${LDPC_C_OPTIONS}>)
endfunction()

# Most of the time goes into the headers of GNU Radio and pybind11. A source that lacks an include may compile with others in
# front of it; scripts/nightly compiles each source alone.
option(LDPC_UNITY_BUILD "Compile several C++ sources of a target as one" ON)

# ldpc_unity_build(<target>)
function(ldpc_unity_build target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${LDPC_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 10)
endfunction()

# ldpc_python_module_options(<target>)
# Python cannot load a module with sanitizers: a build with them only checks the sources for warnings, and the modules are empty files.
if(LDPC_SANITIZE)
  set(CMAKE_CXX_CREATE_SHARED_MODULE "<CMAKE_COMMAND> -E touch <TARGET>")
endif()
function(ldpc_python_module_options target)
  ldpc_compile_options(${target})
  ldpc_unity_build(${target})
  if(LDPC_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all -fsyntax-only)
  endif()
endfunction()

# ldpc_export_only(<shared library> <linker version script>)
function(ldpc_export_only target script)
  if(UNIX AND NOT APPLE)
    target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}")
  endif()
endfunction()
