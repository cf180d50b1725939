# Compiler settings for every target, and the tools that make builds short.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
include(GNUInstallDirs)

# Python that tests and the module are built for: the one of build/venv, which has what the tests import.
if(NOT Python_EXECUTABLE AND EXISTS ${PROJECT_SOURCE_DIR}/build/venv/bin/python3)
  set(Python_EXECUTABLE ${PROJECT_SOURCE_DIR}/build/venv/bin/python3 CACHE FILEPATH "Python of tests and module")
  file(GLOB _pybind11 ${PROJECT_SOURCE_DIR}/build/venv/lib/python3*/site-packages/pybind11/share/cmake/pybind11)
  if(_pybind11)
    set(pybind11_DIR ${_pybind11} CACHE PATH "Folder of pybind11Config.cmake")
  endif()
endif()

add_compile_options(-Wall -Wextra -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict -Wno-stringop-overflow)  # wrong about "literal" + string (GCC bug 105651)
endif()

if(VSR_SANITIZE STREQUAL "address")
  # vptr needs the type information of LibTorch's hidden classes.
  set(_sanitize -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined)
elseif(VSR_SANITIZE STREQUAL "thread")
  set(_sanitize -fsanitize=thread)
elseif(VSR_SANITIZE)
  message(FATAL_ERROR "VSR_SANITIZE is \"${VSR_SANITIZE}\", expected address or thread")
endif()
if(VSR_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "VSR_FUZZ takes Clang, the compiler is ${CMAKE_CXX_COMPILER_ID} (hint: CXX=clang++)")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(VSR_SANITIZE)
  # The instrumented standard library looks uninitialised to GCC.
  add_compile_options(${_sanitize} -fno-omit-frame-pointer -g1
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(${_sanitize})
endif()

# ccache reuses what includes a precompiled header only when told that such headers' own dates and macros do not matter,
# and across build folders only when it goes by the header's .sum file (cmake/Layer.cmake) instead of its bytes.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_PCH_EXTSUM=1 ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(VSR_PCH_OPTIONS -fpch-preprocess -Winvalid-pch)
endif()

# One file that includes LibTorch takes a compiler over a gigabyte: never more than two at a time.
set_property(GLOBAL APPEND PROPERTY JOB_POOLS torch_compile=2)
