# Finds LibTorch without its own config, which demands a CUDA toolkit when the build is a CUDA one. Looks, in this order,
# in CMAKE_PREFIX_PATH (a libtorch download or a site-packages/torch folder; variable or environment), in build/venv,
# and where the active Python has its torch.
#
# Result: the target LibTorch::cpu, and LibTorch_VERSION, LibTorch_ROOT_DIR, LibTorch_LIBRARY_DIR.

# What an earlier run found may be gone, with a virtual environment made anew.
if(LibTorch_ROOT_DIR AND NOT EXISTS ${LibTorch_ROOT_DIR}/include/ATen/ATen.h)
  unset(LibTorch_ROOT_DIR CACHE)
  unset(LibTorch_CPU_LIBRARY CACHE)
  unset(LibTorch_C10_LIBRARY CACHE)
endif()

set(_roots ${CMAKE_PREFIX_PATH})
if(DEFINED ENV{CMAKE_PREFIX_PATH})
  string(REPLACE ":" ";" _env_roots "$ENV{CMAKE_PREFIX_PATH}")
  list(APPEND _roots ${_env_roots})
endif()
find_path(LibTorch_ROOT_DIR NAMES include/ATen/ATen.h PATHS ${_roots} NO_DEFAULT_PATH
  DOC "Folder with LibTorch's include/ and lib/")
if(NOT LibTorch_ROOT_DIR)
  file(GLOB _venv_torch ${PROJECT_SOURCE_DIR}/build/venv/lib/python3*/site-packages/torch)
  find_path(LibTorch_ROOT_DIR NAMES include/ATen/ATen.h PATHS ${_venv_torch} NO_DEFAULT_PATH)
endif()
if(NOT LibTorch_ROOT_DIR)
  # find_spec does not import torch, which would take seconds and need its CUDA libraries.
  execute_process(
    COMMAND python3 -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
    OUTPUT_VARIABLE _python_torch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  find_path(LibTorch_ROOT_DIR NAMES include/ATen/ATen.h PATHS ${_python_torch} NO_DEFAULT_PATH)
endif()

set(LibTorch_LIBRARY_DIR ${LibTorch_ROOT_DIR}/lib)
find_library(LibTorch_CPU_LIBRARY torch_cpu PATHS ${LibTorch_LIBRARY_DIR} NO_DEFAULT_PATH)
find_library(LibTorch_C10_LIBRARY c10 PATHS ${LibTorch_LIBRARY_DIR} NO_DEFAULT_PATH)

unset(LibTorch_VERSION)
set(_version_header ${LibTorch_ROOT_DIR}/include/torch/headeronly/version.h)
if(NOT EXISTS ${_version_header})
  set(_version_header ${LibTorch_ROOT_DIR}/include/torch/csrc/api/include/torch/version.h)
endif()
if(EXISTS ${_version_header})
  set(_parts "")
  foreach(part MAJOR MINOR PATCH)
    file(STRINGS ${_version_header} _line REGEX "define TORCH_VERSION_${part} [0-9]+" LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+$" _number "${_line}")
    list(APPEND _parts ${_number})
  endforeach()
  list(JOIN _parts "." LibTorch_VERSION)
endif()

include(FindPackageHandleStandardArgs)
string(CONCAT _hint "run scripts/bootstrap.sh, which installs it into build/venv, or give the folder of a libtorch "
  "download or of a Python's site-packages/torch with -DCMAKE_PREFIX_PATH=, or activate a Python that has torch")
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_ROOT_DIR LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY
  VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "${_hint}")

if(LibTorch_FOUND AND NOT TARGET LibTorch::cpu)
  # The wheel's libtorch_cpu is of a CUDA build and needs libcudart and libcupti, which come in wheels of their own and
  # are found through its RPATH. Where they are missing the linker's message would name neither cause nor cure.
  file(GLOB _nvidia ${LibTorch_ROOT_DIR}/../nvidia)
  if(EXISTS ${LibTorch_LIBRARY_DIR}/libtorch_cuda.so AND NOT LibTorch_CUDA_RUNTIME)
    file(GLOB_RECURSE LibTorch_CUDA_RUNTIME
      ${LibTorch_LIBRARY_DIR}/libcudart* ${_nvidia}/cu*/lib/libcudart.so* ${_nvidia}/cuda_runtime/lib/libcudart.so*)
    find_library(LibTorch_SYSTEM_CUDART cudart PATHS /usr/local/cuda/lib64)
    if(NOT LibTorch_CUDA_RUNTIME AND NOT LibTorch_SYSTEM_CUDART)
      message(WARNING "LibTorch in ${LibTorch_ROOT_DIR} is a CUDA build, and libcudart is not beside it: "
        "install the wheels nvidia-cuda-runtime and nvidia-cuda-cupti into the same Python")
    endif()
  endif()

  add_library(LibTorch::c10 SHARED IMPORTED)
  set_target_properties(LibTorch::c10 PROPERTIES
    IMPORTED_LOCATION ${LibTorch_C10_LIBRARY} IMPORTED_SONAME libc10.so)
  add_library(LibTorch::cpu SHARED IMPORTED)
  set_target_properties(LibTorch::cpu PROPERTIES
    IMPORTED_LOCATION ${LibTorch_CPU_LIBRARY} IMPORTED_SONAME libtorch_cpu.so
    INTERFACE_INCLUDE_DIRECTORIES ${LibTorch_ROOT_DIR}/include
    INTERFACE_COMPILE_DEFINITIONS AT_PER_OPERATOR_HEADERS  # else every header brings in every operator
    INTERFACE_LINK_LIBRARIES LibTorch::c10)
endif()
mark_as_advanced(LibTorch_ROOT_DIR LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_SYSTEM_CUDART)
