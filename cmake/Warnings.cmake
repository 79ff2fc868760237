# Warnings for our own targets only; libraries' headers are included as system headers.
add_library(swe_warnings INTERFACE)
target_compile_options(swe_warnings INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wall;-Wextra;-Wdeprecated>)
# GCC 12 takes the undefined operands of its own AVX-512 intrinsics and the characters of its own strings, inlined into our
# code, for mistakes of ours, and tells of a change of its conventions for wide vectors that came with version 4.6.
target_compile_options(swe_warnings INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized;-Wno-uninitialized;-Wno-restrict;-Wno-psabi>)
