# SWE_STATIC: what a compute node may lack is linked from archives or compiled from headers. The compiler's own libraries stay
# shared, and so does a Kokkos that was built so.
set(SWE_GDAL OFF CACHE BOOL "Read and write GeoTIFF through GDAL when it is found")
if(SWE_GDAL)
  message(WARNING "SWE_STATIC: the program will need GDAL's shared libraries; -DSWE_GDAL=OFF leaves it out")
endif()

set(ZLIB_USE_STATIC_LIBS ON)
find_package(ZLIB REQUIRED)
find_library(SWE_YAML_ARCHIVE libyaml-cpp.a REQUIRED DOC "Archive of yaml-cpp")

set(HDF5_USE_STATIC_LIBRARIES ON)
find_package(HDF5 REQUIRED COMPONENTS C HL)
# FindHDF5 does not say what the archives need. The last two compress by szip, where HDF5 can.
find_library(SWE_SZIP_ARCHIVE libsz.a DOC "Archive of szip, if HDF5 uses it")
find_library(SWE_AEC_ARCHIVE libaec.a DOC "Archive of libaec, if szip uses it")
foreach(archive IN ITEMS SZIP AEC)
  if(SWE_${archive}_ARCHIVE)
    target_link_libraries(hdf5::hdf5 INTERFACE ${SWE_${archive}_ARCHIVE})
  endif()
endforeach()
target_link_libraries(hdf5::hdf5 INTERFACE ZLIB::ZLIB ${CMAKE_DL_LIBS} m)
target_link_libraries(hdf5::hdf5_hl INTERFACE hdf5::hdf5)

# CUDA's runtime; what it needs of the driver it looks for when it starts.
if(TARGET CUDA::cudart AND TARGET CUDA::cudart_static)
  find_package(Threads REQUIRED)
  set_target_properties(CUDA::cudart PROPERTIES IMPORTED_LOCATION ${CUDA_cudart_static_LIBRARY}
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};rt")
endif()

# Kokkos and others name more libraries than they use.
add_link_options(-Wl,--as-needed)
