# Runs during installation: copies the shared libraries that VSR_LIBRARY and VSR_PROGRAM (which may be empty) need into
# VSR_RUNTIME_DIR, but for those of the C and C++ runtime, which every system has. libtorch_cpu.so finds its own beside
# itself by its RPATH.
file(GET_RUNTIME_DEPENDENCIES
  LIBRARIES ${VSR_LIBRARY}
  EXECUTABLES ${VSR_PROGRAM}
  RESOLVED_DEPENDENCIES_VAR libraries
  UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES "^libvsr\\.so" "^ld-linux" "^lib(c|m|dl|rt|util|pthread|gcc_s|stdc\\+\\+)\\.so")
if(missing)
  message(FATAL_ERROR "libvsr or its program needs ${missing}, found nowhere")
endif()
foreach(library IN LISTS libraries)
  file(INSTALL ${library} DESTINATION ${CMAKE_INSTALL_PREFIX}/${VSR_RUNTIME_DIR} TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
endforeach()
