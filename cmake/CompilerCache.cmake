# ccache, where it is found. A Kokkos for GPUs may put a launcher of its own before the compiler, which then hands files to the
# GPU's compiler only if nothing stands in between; include(Kokkos) comes first.
get_property(_launcher GLOBAL PROPERTY RULE_LAUNCH_COMPILE)
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT _launcher)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
