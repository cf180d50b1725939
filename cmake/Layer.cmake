# vsr_layer(<name> [TORCH] [USES <layer>...])
#   The object library vsr_<name> of src/<name>. TORCH: its sources include LibTorch, as do those of layers that use it.
#   USES: the layers whose code it calls, and through them all that those use. A folder may have no sources yet.
# vsr_layers(<file>)
#   One vsr_layer() for each line of the file: "<name>: <used layer>, ..., torch".
# vsr_link_layer(<target> <name>)
#   Links a program or library with a layer and all that it uses.
# vsr_use_torch(<target>)
#   Makes a target's sources fit to include LibTorch.

# What all layers see.
add_library(vsr_common INTERFACE)
target_include_directories(vsr_common INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(vsr_common INTERFACE nlohmann_json::nlohmann_json TBB::tbb yaml-cpp
  PkgConfig::SODIUM)

# Every file that includes LibTorch shares one precompiled header.
add_library(vsr_torch_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/torch_pch.cpp)
target_precompile_headers(vsr_torch_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/torch_pch.h)
target_link_libraries(vsr_torch_pch PRIVATE vsr_common LibTorch::cpu)
target_compile_options(vsr_torch_pch PRIVATE ${VSR_PCH_OPTIONS})
set_target_properties(vsr_torch_pch PROPERTIES JOB_POOL_COMPILE torch_compile)
# What the precompiled header was made of; ccache adds the compiler and its options itself.
file(READ ${PROJECT_SOURCE_DIR}/cmake/torch_pch.h _pch)
string(SHA256 _pch "${_pch} ${LibTorch_VERSION}")
file(CONFIGURE OUTPUT CMakeFiles/vsr_torch_pch.dir/cmake_pch.hxx.gch.sum CONTENT "${_pch}\n")

function(vsr_use_torch target)
  target_link_libraries(${target} PRIVATE vsr_common LibTorch::cpu)
  target_compile_options(${target} PRIVATE ${VSR_PCH_OPTIONS})
  target_precompile_headers(${target} REUSE_FROM vsr_torch_pch)
  set_target_properties(${target} PROPERTIES JOB_POOL_COMPILE torch_compile)
endfunction()

function(vsr_layer name)
  cmake_parse_arguments(arg "TORCH" "" "USES" ${ARGN})
  set(target vsr_${name})
  set(folder ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(sources)
    add_library(${target} OBJECT ${sources})
    target_link_libraries(${target} PUBLIC vsr_common)
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE vsr_common)
  endif()

  # An object library hands on only its own objects, so the closure is kept here.
  set(closure ${target})
  set(torch ${arg_TORCH})
  foreach(used IN LISTS arg_USES)
    get_property(layers GLOBAL PROPERTY VSR_LAYERS_${used})
    get_property(used_torch GLOBAL PROPERTY VSR_TORCH_${used})
    list(APPEND closure ${layers})
    if(used_torch)
      set(torch TRUE)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES closure)
  if(torch AND sources AND NOT name STREQUAL "c_api")  # which only links with it
    vsr_use_torch(${target})
  endif()
  set_property(GLOBAL PROPERTY VSR_LAYERS_${name} ${closure})
  set_property(GLOBAL PROPERTY VSR_TORCH_${name} ${torch})
endfunction()

function(vsr_layers file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines REGEX "^[a-z]")
  foreach(line IN LISTS lines)
    string(REGEX MATCHALL "[a-z_]+" words "${line}")
    list(POP_FRONT words name)
    set(torch)
    if("torch" IN_LIST words)
      set(torch TORCH)
    endif()
    list(REMOVE_ITEM words torch)
    vsr_layer(${name} ${torch} USES ${words})
  endforeach()
endfunction()

function(vsr_link_layer target name)
  get_property(layers GLOBAL PROPERTY VSR_LAYERS_${name})
  get_property(torch GLOBAL PROPERTY VSR_TORCH_${name})
  target_link_libraries(${target} PRIVATE ${layers})
  if(torch)
    target_link_libraries(${target} PRIVATE LibTorch::cpu)
  endif()
endfunction()
