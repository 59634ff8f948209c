# One switch for all targets: the warnings, and whether they stop the build.
function(ovf_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                         -Woverloaded-virtual -Wdouble-promotion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 reports its own AVX-512 headers below Eigen; clang-tidy checks for the real thing.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-uninitialized
                           -Wno-array-bounds)
  endif()
  if(OVF_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
