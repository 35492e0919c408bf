# SPDX-License-Identifier: BSD-3-Clause
# GNU Radio 3.10: on when it and the Python module are there. Sets LDPC_HAVE_GNURADIO.
if(POLICY CMP0148)
  cmake_policy(SET CMP0148 OLD) # GNU Radio 3.10 looks for Python the old way
endif()
set(_missing "")
if(LDPC_GNURADIO STREQUAL "AUTO" OR LDPC_GNURADIO)
  if(NOT LDPC_HAVE_PYTHON)
    set(_missing "it needs the Python module")
  elseif(NOT EXISTS "${PROJECT_SOURCE_DIR}/lib/gr/CMakeLists.txt")
    set(_missing "this source tree has no GNU Radio blocks")
  else()
    find_package(Gnuradio 3.10 QUIET COMPONENTS blocks)
    if(NOT Gnuradio_FOUND)
      set(_missing "GNU Radio 3.10 not found (gnuradio-dev)")
    endif()
  endif()
endif()

ldpc_want(LDPC_HAVE_GNURADIO "${LDPC_GNURADIO}" "GNU Radio blocks" "${_missing}")
if(LDPC_HAVE_GNURADIO)
  # What GNU Radio's helper functions expect; the library goes where ours goes.
  set(VERSION ${PROJECT_VERSION})
  set(LIBVER ${PROJECT_VERSION_MAJOR})
  set(GR_LIBRARY_DIR ${CMAKE_INSTALL_LIBDIR})
  set(GR_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gnuradio-ldpc)
  ldpc_feature("GNU Radio blocks" ON "GNU Radio ${Gnuradio_VERSION}")
endif()
