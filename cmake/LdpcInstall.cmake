# SPDX-License-Identifier: BSD-3-Clause
# Installing the C library: shared library, headers, pkg-config file "libldpc", CMake package libldpc (ldpc::ldpc).
include(CMakePackageConfigHelpers)

# Installed modules and programs find libldpc without ldconfig, also when the prefix is moved.
set(CMAKE_INSTALL_RPATH "$ORIGIN" "${CMAKE_INSTALL_FULL_LIBDIR}")
set(LDPC_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/libldpc")

install(TARGETS ldpc EXPORT libldpcTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ldpc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN "dvbt2*.h" EXCLUDE) # lib/dvbt2 installs its own
install(EXPORT libldpcTargets NAMESPACE ldpc:: DESTINATION ${LDPC_CMAKE_DIR})

configure_package_config_file(cmake/libldpcConfig.cmake.in libldpcConfig.cmake INSTALL_DESTINATION ${LDPC_CMAKE_DIR})
write_basic_package_version_file(libldpcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/libldpcConfig.cmake" "${PROJECT_BINARY_DIR}/libldpcConfigVersion.cmake"
        DESTINATION ${LDPC_CMAKE_DIR})

# The prefix in the file follows the file, so that an install tree can be moved.
file(RELATIVE_PATH LDPC_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" LDPC_PC_PREFIX "${LDPC_PC_PREFIX}")
configure_file(cmake/libldpc.pc.in libldpc.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/libldpc.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
