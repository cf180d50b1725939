# Finds LibTorch without its own config, which demands a CUDA toolkit when the build is a CUDA one.
# Looks in CMAKE_PREFIX_PATH (a libtorch download or a site-packages/torch folder), then in build/venv, then asks the
# active Python for its torch. Defines the target LibTorch::cpu, LibTorch_VERSION and LibTorch_LIBRARY_DIR.
set(_python_torch "")
find_path(LibTorch_ROOT_DIR NAMES include/ATen/ATen.h PATHS ${CMAKE_PREFIX_PATH} NO_DEFAULT_PATH)
if(NOT LibTorch_ROOT_DIR)
  file(GLOB _venv_torch ${PROJECT_SOURCE_DIR}/build/venv/lib/python3*/site-packages/torch)
  find_program(_python NAMES python3)
  if(_python)
    execute_process(
      COMMAND ${_python} -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
      OUTPUT_VARIABLE _python_torch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  find_path(LibTorch_ROOT_DIR NAMES include/ATen/ATen.h PATHS ${_venv_torch} ${_python_torch} NO_DEFAULT_PATH)
endif()
find_library(LibTorch_CPU_LIBRARY torch_cpu PATHS ${LibTorch_ROOT_DIR}/lib NO_DEFAULT_PATH)
find_library(LibTorch_C10_LIBRARY c10 PATHS ${LibTorch_ROOT_DIR}/lib NO_DEFAULT_PATH)
set(LibTorch_LIBRARY_DIR ${LibTorch_ROOT_DIR}/lib)
if(EXISTS ${LibTorch_ROOT_DIR}/include/torch/headeronly/version.h)
  file(STRINGS ${LibTorch_ROOT_DIR}/include/torch/headeronly/version.h _version REGEX "define TORCH_VERSION ")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" LibTorch_VERSION "${_version}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_ROOT_DIR VERSION_VAR LibTorch_VERSION)

if(LibTorch_FOUND AND NOT TARGET LibTorch::cpu)
  add_library(LibTorch::cpu INTERFACE IMPORTED)
  set_target_properties(LibTorch::cpu PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${LibTorch_ROOT_DIR}/include"
    INTERFACE_LINK_LIBRARIES "${LibTorch_CPU_LIBRARY};${LibTorch_C10_LIBRARY}")
endif()
