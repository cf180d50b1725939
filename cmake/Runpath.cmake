# vsr_runpath(<target> <folder in the installed tree> INSTALLED <element>... BUILT <element>...)
#   Where the loader looks for what a target needs: INSTALLED in the installed tree, and in the build tree also BUILT.
#   To be called after install(TARGETS <target>); COMPONENT as there.
#
# CMake's own way, which is to link with one path and to write another over it during installation, leaves an empty
# element at the end of the first: the loader takes that for the current folder, and loads what lies there.
function(vsr_runpath target folder)
  cmake_parse_arguments(arg "" "COMPONENT" "INSTALLED;BUILT" ${ARGN})
  set(built ${arg_INSTALLED} ${arg_BUILT})
  list(REMOVE_DUPLICATES built)
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${built}")
  if(built STREQUAL "${arg_INSTALLED}")
    return()
  endif()
  list(JOIN built ":" built)
  list(JOIN arg_INSTALLED ":" installed)
  set(component "")
  if(arg_COMPONENT)
    set(component COMPONENT ${arg_COMPONENT} EXCLUDE_FROM_ALL)
  endif()
  install(CODE "file(RPATH_CHANGE
    FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/$<TARGET_FILE_NAME:${target}>\"
    OLD_RPATH [[${built}]] NEW_RPATH [[${installed}]])" ${component})
endfunction()
