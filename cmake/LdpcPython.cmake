# SPDX-License-Identifier: BSD-3-Clause
# Chooses the Python interpreter: the first on PATH that can import gnuradio, because flowgraphs cannot use modules built for
# another one. Without GNU Radio: the first with numpy. -DPython3_EXECUTABLE=... takes precedence.
# Sets LDPC_PYTHON_EXECUTABLE, LDPC_PYTHON_DIR (relative to the prefix), LDPC_HAVE_PYTHON, and LDPC_PYTHON_BUILD_DIR: the
# folder of the build tree that holds importable packages. bin/ldpc-python of the build tree runs programs with them.

function(ldpc_choose_python result)
  find_program(LDPC_PATH_PYTHON NAMES python3 python)
  mark_as_advanced(LDPC_PATH_PYTHON)
  foreach(modules "numpy, pmt; from gnuradio import gr" "numpy" "sys")
    foreach(candidate ${LDPC_PATH_PYTHON} /usr/bin/python3 /usr/local/bin/python3)
      if(EXISTS "${candidate}")
        execute_process(COMMAND "${candidate}" -c "import ${modules}" RESULT_VARIABLE rc OUTPUT_QUIET ERROR_QUIET)
        if(rc EQUAL 0)
          set(${result} "${candidate}" PARENT_SCOPE)
          return()
        endif()
      endif()
    endforeach()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

if(NOT Python3_EXECUTABLE AND PYTHON_EXECUTABLE)
  set(Python3_EXECUTABLE "${PYTHON_EXECUTABLE}")
endif()
if(NOT Python3_EXECUTABLE)
  ldpc_choose_python(Python3_EXECUTABLE)
endif()
set(LDPC_PYTHON_EXECUTABLE "${Python3_EXECUTABLE}")
set(_missing "")

if(LDPC_PYTHON STREQUAL "AUTO" OR LDPC_PYTHON)
  include(CheckLanguage)
  check_language(CXX)
  if(NOT LDPC_PYTHON_EXECUTABLE)
    set(_missing "no python3 found")
  elseif(NOT CMAKE_CXX_COMPILER)
    set(_missing "no C++ compiler found")
  else()
    enable_language(CXX)
    set(PYTHON_EXECUTABLE "${Python3_EXECUTABLE}") # the variable that pybind11 and GNU Radio read
    find_package(Python3 COMPONENTS Interpreter Development.Module NumPy)
    find_package(pybind11 CONFIG QUIET)
    if(NOT pybind11_FOUND) # installed by pip: the interpreter reports its path
      execute_process(COMMAND "${LDPC_PYTHON_EXECUTABLE}" -m pybind11 --cmakedir OUTPUT_VARIABLE _pip_pybind11
                      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      find_package(pybind11 CONFIG QUIET HINTS "${_pip_pybind11}")
    endif()
    if(NOT Python3_Development.Module_FOUND)
      set(_missing "${LDPC_PYTHON_EXECUTABLE} has no headers (python3-dev)")
    elseif(NOT Python3_NumPy_FOUND)
      set(_missing "${LDPC_PYTHON_EXECUTABLE} has no numpy (python3-numpy)")
    elseif(NOT pybind11_FOUND)
      set(_missing "pybind11 not found (pybind11-dev, or pip install pybind11)")
    endif()
  endif()
endif()

ldpc_want(LDPC_HAVE_PYTHON "${LDPC_PYTHON}" "Python module" "${_missing}")
if(LDPC_HAVE_PYTHON)
  # The folder below the prefix where this interpreter searches modules: dist-packages below /usr and /usr/local on Debian,
  # otherwise site-packages. Not cached, because it depends on the prefix.
  set(LDPC_PYTHON_DIR "" CACHE STRING "Python modules, relative to the prefix; empty = where Python looks")
  execute_process(
    COMMAND "${LDPC_PYTHON_EXECUTABLE}" -c "
import os, site, sys, sysconfig
prefix = sys.argv[1]
known = [p for p in site.getsitepackages() if p.startswith(os.path.join(prefix, 'lib'))]
scheme = 'venv' if 'venv' in sysconfig.get_scheme_names() else 'posix_prefix'
path = known[0] if known else sysconfig.get_path('platlib', scheme, vars={'base': prefix, 'platbase': prefix})
print(os.path.relpath(path, prefix), end='')" "${CMAKE_INSTALL_PREFIX}"
    OUTPUT_VARIABLE _directory)
  if(NOT LDPC_PYTHON_DIR)
    set(LDPC_PYTHON_DIR "${_directory}")
  endif()
  set(GR_PYTHON_DIR "${LDPC_PYTHON_DIR}")
  set(LDPC_PYTHON_BUILD_DIR "${PROJECT_BINARY_DIR}/test_modules")
  file(WRITE "${PROJECT_BINARY_DIR}/bin/ldpc-python" "#!/bin/sh
PYTHONPATH=\"${LDPC_PYTHON_BUILD_DIR}\${PYTHONPATH:+:$PYTHONPATH}\" exec \"${LDPC_PYTHON_EXECUTABLE}\" \"$@\"
")
  file(CHMOD "${PROJECT_BINARY_DIR}/bin/ldpc-python" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
       GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  ldpc_feature("Python module" ON "libldpc for ${LDPC_PYTHON_EXECUTABLE} (${Python3_VERSION}), pybind11 ${pybind11_VERSION}")
endif()

# ldpc_python_package(<package> <extension> <Python files of this folder>...)
# Copies the files to the build tree and installs them; the extension module, a target, too. NONE: there is no extension.
function(ldpc_python_package package extension)
  if(NOT extension STREQUAL NONE)
    file(RELATIVE_PATH library_dir "/prefix/${LDPC_PYTHON_DIR}/${package}" "/prefix/${CMAKE_INSTALL_LIBDIR}")
    set_target_properties(${extension} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${LDPC_PYTHON_BUILD_DIR}/${package}"
                                                  INSTALL_RPATH "$ORIGIN/${library_dir}")
    install(TARGETS ${extension} LIBRARY DESTINATION ${LDPC_PYTHON_DIR}/${package})
    configure_file("${PROJECT_SOURCE_DIR}/python/argument_errors.py" "${LDPC_PYTHON_BUILD_DIR}/${package}/argument_errors.py" COPYONLY)
    install(FILES "${PROJECT_SOURCE_DIR}/python/argument_errors.py" DESTINATION "${LDPC_PYTHON_DIR}/${package}")
  endif()
  foreach(module ${ARGN})
    configure_file(${module} "${LDPC_PYTHON_BUILD_DIR}/${package}/${module}" COPYONLY)
    get_filename_component(folder ${module} DIRECTORY)
    install(FILES ${module} DESTINATION "${LDPC_PYTHON_DIR}/${package}/${folder}")
  endforeach()
endfunction()

# ldpc_add_python_tests(<label> [<folder>...])
# Each test_*.py beside the CMakeLists.txt becomes a CTest test, run by unittest with the modules of the build tree and of the folders.
function(ldpc_add_python_tests label)
  list(TRANSFORM ARGN PREPEND ":${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE modules)
  list(JOIN modules "" modules)
  file(GLOB sources CONFIGURE_DEPENDS test_*.py)
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_test(NAME ${name} COMMAND "${LDPC_PYTHON_EXECUTABLE}" -B -m unittest -v ${name}
             WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    set_tests_properties(
      ${name} PROPERTIES LABELS ${label} TIMEOUT 900
                         ENVIRONMENT "PYTHONPATH=${LDPC_PYTHON_BUILD_DIR}${modules};LDPC_PROGRAMS=${PROJECT_BINARY_DIR}/bin")
  endforeach()
endfunction()
