# SPDX-License-Identifier: BSD-3-Clause
# A build for pip (pyproject.toml): the C library, its headers and its pkg-config and CMake files are inside the Python
# package, in libldpc/lib and libldpc/include; manual pages and completions are in the environment's share. Sets LDPC_WHEEL.
if(SKBUILD)
  set(LDPC_WHEEL ON)
  set(LDPC_PYTHON_DIR "." CACHE STRING "the root of the wheel")
  set(CMAKE_INSTALL_LIBDIR "libldpc/lib")
  set(CMAKE_INSTALL_INCLUDEDIR "libldpc/include")
  set(CMAKE_INSTALL_BINDIR "${SKBUILD_SCRIPTS_DIR}")
  set(CMAKE_INSTALL_DATADIR "${SKBUILD_DATA_DIR}/share")
  set(CMAKE_INSTALL_DATAROOTDIR "${CMAKE_INSTALL_DATADIR}")
  set(CMAKE_INSTALL_MANDIR "${CMAKE_INSTALL_DATADIR}/man")
endif()
