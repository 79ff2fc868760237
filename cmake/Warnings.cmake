# Warnings for our own targets only; libraries' headers are included as system headers.
add_library(swe_warnings INTERFACE)
target_compile_options(swe_warnings INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wall;-Wextra;-Wdeprecated>)
