# SPDX-License-Identifier: BSD-3-Clause
# `ninja package`: all installed files as one tarball, which can be unpacked in any folder. It is for the distribution of the
# build machine: it does not contain the libraries that it depends on.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME gr-ldpc)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "LDPC decoders and receivers of DVB-T2 and DVB-S2 for GNU Radio, Python and C")
set(CPACK_PACKAGE_FILE_NAME "gr-ldpc-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR OFF)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE.md")
set(CPACK_RESOURCE_FILE_README "${PROJECT_SOURCE_DIR}/README.md")
include(CPack)
