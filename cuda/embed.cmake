# SPDX-License-Identifier: BSD-3-Clause
# cmake -DOUTPUT= -DTEXTS="a.cuh;any.cu" -DTEXT_DIR= -DIMAGES="any.fatbin" [-DHEADER=] -P embed.cmake
# Texts become ldpc_cuda_text_<name>[], images ldpc_cuda_image_<name>(), which returns NULL for a text without an image. HEADER
# declares them.
cmake_minimum_required(VERSION 3.20)

# bytes(<variable> <file>): its bytes as C numbers, sixteen or so on a line
function(bytes variable file)
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  set(${variable} "${hex}" PARENT_SCOPE)
endfunction()

if(NOT HEADER)
  set(HEADER cuda/kernels/kernel.h)
endif()
set(c "/* Made by embed.cmake. */\n#include \"${HEADER}\"\n")
foreach(text IN LISTS TEXTS)
  get_filename_component(name "${text}" NAME_WE)
  bytes(data "${TEXT_DIR}/${text}")
  string(APPEND c "\nconst char ldpc_cuda_text_${name}[] = {\n${data}0};\n")
  if(text MATCHES "[.]cu$")
    if("${name}.fatbin" IN_LIST IMAGES)
      bytes(data "${name}.fatbin")
      string(APPEND c "\n_Alignas(8) static const unsigned char image_${name}[] = {\n${data}};\n")
      string(APPEND c "\nconst void *ldpc_cuda_image_${name}(void)\n{\n    return image_${name};\n}\n")
    else()
      string(APPEND c "\nconst void *ldpc_cuda_image_${name}(void)\n{\n    return 0;\n}\n")
    endif()
  endif()
endforeach()
file(WRITE "${OUTPUT}" "${c}")
