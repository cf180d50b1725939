# src/core/kernels/table_*.cpp: the same kernels compiled for several instruction sets; the best that the machine has is
# picked at run time. Included where the target vsr_core is made, since a source's properties belong to a folder.
set(_kernels ${CMAKE_CURRENT_SOURCE_DIR}/core/kernels)
set_source_files_properties(${_kernels}/table_baseline.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set_source_files_properties(${_kernels}/table.cpp ${CMAKE_CURRENT_SOURCE_DIR}/core/schedule/machine.cpp PROPERTIES
    COMPILE_DEFINITIONS VSR_KERNELS_X86)
  set_source_files_properties(${_kernels}/table_avx2.cpp PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "-mavx2;-mfma;-ffp-contract=fast")
  set_source_files_properties(${_kernels}/table_avx512.cpp PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON
    COMPILE_OPTIONS "-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mfma;-mprefer-vector-width=512;-ffp-contract=fast")
else()
  set_source_files_properties(${_kernels}/table_avx2.cpp ${_kernels}/table_avx512.cpp PROPERTIES HEADER_FILE_ONLY ON)
endif()
