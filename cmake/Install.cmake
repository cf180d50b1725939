# What a user installs: headers, libvsr, its CMake package and pkg-config file, the program, and (VSR_BUNDLE_RUNTIME)
# the shared libraries below libvsr in lib/vsr/, so that the tree works wherever it is moved.
include(CMakePackageConfigHelpers)

set(_libdir ${CMAKE_INSTALL_LIBDIR})
set(_cmakedir ${_libdir}/cmake/vsr)

set(_rpath "$ORIGIN/vsr")
if(NOT VSR_BUNDLE_RUNTIME)
  list(APPEND _rpath ${LibTorch_LIBRARY_DIR})
endif()

install(TARGETS vsr EXPORT vsrTargets LIBRARY DESTINATION ${_libdir})
vsr_runpath(vsr ${_libdir} INSTALLED ${_rpath} BUILT ${LibTorch_LIBRARY_DIR})
install(DIRECTORY include/vsr DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vsr)
if(TARGET vsr_cli)
  file(RELATIVE_PATH _bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  install(TARGETS vsr_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  vsr_runpath(vsr_cli ${CMAKE_INSTALL_BINDIR}
    INSTALLED "$ORIGIN/${_bin_to_lib}" "$ORIGIN/${_bin_to_lib}/vsr" BUILT ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
endif()

# find_package(vsr)
install(EXPORT vsrTargets NAMESPACE vsr:: DESTINATION ${_cmakedir})
configure_package_config_file(cmake/vsrConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/vsrConfig.cmake
  INSTALL_DESTINATION ${_cmakedir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/vsrConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/vsrConfig.cmake ${PROJECT_BINARY_DIR}/cmake/vsrConfigVersion.cmake
  DESTINATION ${_cmakedir})

# pkg-config, for the installed tree and, in build/pkgconfig, for the build tree
file(RELATIVE_PATH _pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" _pc_to_prefix "${_pc_to_prefix}")
set(PC_PREFIX "\${pcfiledir}/${_pc_to_prefix}")
set(PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
set(PC_LIBDIR "\${prefix}/${_libdir}")
configure_file(cmake/vsr.pc.in ${PROJECT_BINARY_DIR}/cmake/vsr.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/vsr.pc DESTINATION ${_libdir}/pkgconfig)
set(PC_PREFIX ${PROJECT_SOURCE_DIR})
set(PC_INCLUDEDIR "\${prefix}/include")
set(PC_LIBDIR ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
configure_file(cmake/vsr.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/vsr.pc @ONLY)

if(VSR_BUNDLE_RUNTIME)
  install(CODE "set(VSR_LIBRARY \"$<TARGET_FILE:vsr>\")")
  if(TARGET vsr_cli)
    install(CODE "set(VSR_PROGRAM \"$<TARGET_FILE:vsr_cli>\")")
  endif()
  install(CODE "set(VSR_RUNTIME_DIR \"${_libdir}/vsr\")")
  install(SCRIPT cmake/InstallRuntime.cmake)
  # The wheels keep their licences beside their folders.
  file(GLOB _licences
    ${LibTorch_ROOT_DIR}/../torch-*.dist-info/licenses/LICENSE
    ${LibTorch_ROOT_DIR}/../nvidia_cuda_*.dist-info/licenses/License.txt)
  foreach(_licence IN LISTS _licences)
    string(REGEX REPLACE ".*/([a-z_]+)-[^/]*dist-info/.*" "\\1" _of ${_licence})
    install(FILES ${_licence} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vsr RENAME LICENSE.${_of})
  endforeach()
endif()
