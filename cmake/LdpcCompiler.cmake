# SPDX-License-Identifier: BSD-3-Clause
# Warnings, sanitizers and exported symbols, the same for every target of ours.

# -ffp-contract=off: simulated frames and float decoders do not depend on whether the CPU has fused multiply-add.
set(LDPC_COMMON_OPTIONS -Wall -Wextra -Wshadow -ffp-contract=off)
set(LDPC_C_OPTIONS -Wmissing-prototypes -Werror=implicit-function-declaration)
if(LDPC_WERROR)
  list(APPEND LDPC_COMMON_OPTIONS -Werror)
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
    ${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:${LDPC_COMMON_OPTIONS}> $<$<COMPILE_LANGUAGE:C>:${LDPC_C_OPTIONS}>)
endfunction()

# ldpc_export_only(<shared library> <linker version script>)
function(ldpc_export_only target script)
  if(UNIX AND NOT APPLE)
    target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}")
  endif()
endfunction()
