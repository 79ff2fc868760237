# Finds Kokkos 3.4 ... 5.x and makes Kokkos::kokkos usable.
#
# Debian 12's package sets an include folder in its CMake target that does not hold Kokkos_Core.hpp;
# Kokkos_INCLUDE_DIRS is right, so the target is corrected where needed.
find_package(Kokkos QUIET)
if(NOT Kokkos_FOUND)
  message(FATAL_ERROR
    "Kokkos was not found (3.4 or newer is needed).\n"
    "  Debian 12:          apt-get install libtrilinos-kokkos-dev\n"
    "  newer Debian:       apt-get install libkokkos-dev\n"
    "  Spack:              spack install kokkos +openmp\n"
    "  your own build:     -DKokkos_ROOT=/path/to/kokkos")
endif()
if(Kokkos_VERSION VERSION_LESS 3.4)
  message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} is too old: 3.4 or newer is needed")
endif()
if(Kokkos_INCLUDE_DIRS)
  get_target_property(_kokkos_include Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  set(_kokkos_core_seen FALSE)
  foreach(_dir IN LISTS _kokkos_include)
    if(EXISTS "${_dir}/Kokkos_Core.hpp")
      set(_kokkos_core_seen TRUE)
    endif()
  endforeach()
  if(NOT _kokkos_core_seen)
    foreach(_dir IN LISTS Kokkos_INCLUDE_DIRS)
      if(EXISTS "${_dir}/Kokkos_Core.hpp")
        get_filename_component(_dir "${_dir}" REALPATH)
        set_target_properties(Kokkos::kokkos PROPERTIES
          INTERFACE_INCLUDE_DIRECTORIES "${_dir}"
          INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_dir}")
      endif()
    endforeach()
  endif()
endif()
