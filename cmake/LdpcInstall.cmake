# SPDX-License-Identifier: BSD-3-Clause
# Installing the C libraries: shared library, headers, pkg-config file, CMake package. `ninja uninstall` removes the files
# of the last installation from this folder.
include(CMakePackageConfigHelpers)

# Installed libraries find libldpc beside them without ldconfig, even after the prefix is moved. The prefix itself is not
# written into them: on another machine a user who can create that folder could inject a library. To write it anyway, set
# CMAKE_INSTALL_RPATH.
if(NOT CMAKE_INSTALL_RPATH)
  set(CMAKE_INSTALL_RPATH "$ORIGIN")
endif()

# ldpc_install_library(<target> <package> [<package it needs>...])
# The CMake package <package> offers the target ldpc::<target>, and <package>.pc is for pkg-config. Both derive the prefix
# from their own path, so that an install tree can be moved.
function(ldpc_install_library target package)
  set(folder "${CMAKE_INSTALL_LIBDIR}/cmake/${package}")
  install(TARGETS ${target} EXPORT ${package}Targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ${package}Targets NAMESPACE ldpc:: DESTINATION ${folder})
  set(LDPC_PACKAGE ${package})
  set(LDPC_PACKAGE_DEPENDENCIES ${ARGN})
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/PackageConfig.cmake.in" "${PROJECT_BINARY_DIR}/${package}Config.cmake"
                                INSTALL_DESTINATION ${folder})
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/${package}ConfigVersion.cmake" COMPATIBILITY SameMajorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/${package}Config.cmake" "${PROJECT_BINARY_DIR}/${package}ConfigVersion.cmake"
          DESTINATION ${folder})

  file(RELATIVE_PATH LDPC_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" LDPC_PC_PREFIX "${LDPC_PC_PREFIX}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in" "${PROJECT_BINARY_DIR}/${package}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${package}.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

ldpc_install_library(ldpc libldpc)
install(DIRECTORY include/ldpc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN "dvb[st]2*.h" EXCLUDE) # lib/dvbs2 and lib/dvbt2 install these headers

if(NOT LDPC_WHEEL) # pyproject.toml lists the licences of a wheel
  install(FILES README.md LICENSE.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "site" EXCLUDE PATTERN "conf.py" EXCLUDE)
  install(DIRECTORY LICENSES DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY examples/c examples/python DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
endif()

add_custom_target(uninstall COMMAND "${CMAKE_COMMAND}" -P "${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake"
                  WORKING_DIRECTORY "${PROJECT_BINARY_DIR}" VERBATIM)
