# The GPU architectures of a fat build: machine code for each that this nvcc knows of those below,
# and PTX of the newest, which a driver compiles for GPUs that came later.
set(MEZZOTINT_TESTED_ARCHITECTURES 75 80 86 89 90 100 120)

function(mezzotint_gpu_architectures out)
  execute_process(COMMAND ${MEZZOTINT_NVCC} --list-gpu-arch OUTPUT_VARIABLE known
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" known "${known}")
  set(chosen)
  foreach(architecture IN LISTS MEZZOTINT_TESTED_ARCHITECTURES)
    if("compute_${architecture}" IN_LIST known)
      list(APPEND chosen ${architecture}-real)
      set(newest ${architecture})
    endif()
  endforeach()
  if(NOT chosen)
    message(FATAL_ERROR "${MEZZOTINT_NVCC} knows none of the architectures "
                        "${MEZZOTINT_TESTED_ARCHITECTURES}")
  endif()
  set(${out} ${chosen} ${newest}-virtual PARENT_SCOPE)
endfunction()
