# SPDX-License-Identifier: BSD-3-Clause
# LDPC_CUDA_ARCHITECTURES=all selects the architectures that nvcc supports, native those of this machine's GPUs. cmake -DFOLDER=... -DMODULES=... -P this file
list(INSERT CMAKE_MODULE_PATH 0 "${MODULES}")
file(MAKE_DIRECTORY "${FOLDER}")
set(ENV{PATH} "${FOLDER}:$ENV{PATH}")

function(write_program name text)
  file(WRITE "${FOLDER}/${name}" "#!/bin/sh\n${text}\n")
  file(CHMOD "${FOLDER}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# Selects architectures with a program nvidia-smi that runs `gpus`.
function(expect expected wanted gpus)
  write_program(nvidia-smi "${gpus}")
  set(LDPC_CUDA_ARCHITECTURES "${wanted}" CACHE STRING "" FORCE)
  include(LdpcCuda)
  if(NOT "${LDPC_CUDA_ARCHITECTURES}" STREQUAL "${expected}")
    message(SEND_ERROR "${wanted}, ${gpus}: expected ${expected}, found ${LDPC_CUDA_ARCHITECTURES}")
  endif()
endfunction()

write_program(nvcc "printf 'sm_75\\nsm_86\\nsm_90\\nsm_90a\\n'")
set(UNIX ON)
set(LDPC_CUDA ON)
set(LDPC_NVCC "${FOLDER}/nvcc" CACHE FILEPATH "")
include(LdpcFeatures)
expect("75;86;90" all "exit 9")
expect("86;90" native "printf '9.0\\n8.6\\n9.0\\n'")
expect("90" native "echo 12.1")
expect("75;86" native "printf '8.9\\n6.1\\n'")
expect("75" native "exit 9")
expect("90" 90 "echo 8.6")
