# find_package(solo), or FetchContent with SOURCE_SUBDIR tools/cmake, defines:
#   solo::offload   target regions with the compiler's libomp (usual choice)
#   solo::static    a fully static program, with glibc
#   solo::solo      alias of solo::offload
#   SOLO_CC, SOLO_CXX, SOLO_FC, SOLO_LINK, SOLO_INFO   paths of the tools
# Both targets add -fopenmp and -fopenmp-targets for Clang; SOLO_OFFLOAD_TARGETS lists the targets
# (Clang's triples, separated by commas). If solo-cc is the compiler, they add only the missing options.
# Never link libsolo.a and libomp into one program: both are OpenMP runtimes.
#
# In a cross build (a toolchain file, CMAKE_C_COMPILER_TARGET) the libraries are for
# CMAKE_SYSTEM_PROCESSOR (configure.sh --host) and the tools for the building machine.
get_filename_component(SOLO_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_solo_machine "")
if(CMAKE_CROSSCOMPILING)
  set(_solo_machine "${CMAKE_SYSTEM_PROCESSOR}-linux-gnu/")
endif()
set(SOLO_LIBRARY_DIR "${SOLO_PREFIX}/lib/solo/${_solo_machine}glibc")
set(SOLO_INCLUDE_DIR "${SOLO_PREFIX}/include/solo")
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../../tools/cmake/solo-config.cmake") # the source tree
  get_filename_component(SOLO_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../build" ABSOLUTE)
  set(SOLO_LIBRARY_DIR "${SOLO_PREFIX}/lib/${_solo_machine}glibc")
  set(SOLO_INCLUDE_DIR "${SOLO_PREFIX}/include")
endif()
set(SOLO_CC "${SOLO_PREFIX}/bin/solo-cc")
set(SOLO_CXX "${SOLO_PREFIX}/bin/solo-c++")
set(SOLO_FC "${SOLO_PREFIX}/bin/solo-fc")
set(SOLO_LINK "${SOLO_PREFIX}/bin/solo-link")
set(SOLO_INFO "${SOLO_PREFIX}/bin/solo-info")
if(NOT SOLO_OFFLOAD_TARGETS)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    set(SOLO_OFFLOAD_TARGETS x86_64-pc-linux-gnu)
  else()
    set(SOLO_OFFLOAD_TARGETS "${CMAKE_SYSTEM_PROCESSOR}-unknown-linux-gnu")
  endif()
endif()
if(NOT EXISTS "${SOLO_LIBRARY_DIR}/libomptarget.a")
  set(solo_FOUND FALSE)
  set(solo_NOT_FOUND_MESSAGE
    "solo is not built for ${CMAKE_SYSTEM_PROCESSOR}: ${SOLO_LIBRARY_DIR}/libomptarget.a is missing (./configure.sh --host=)")
endif()

if(EXISTS "${SOLO_LIBRARY_DIR}/libomptarget.a" AND NOT TARGET solo::offload)
  find_package(Threads REQUIRED)
  if("${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER}" MATCHES "/solo-c(c|\\+\\+)( |$)")
    set(_solo_compile "")
    set(_solo_link "")
    set(_solo_static_compile --static --glibc)
    set(_solo_static_link --static --glibc)
  else()
    set(_solo_compile -fopenmp "-fopenmp-targets=${SOLO_OFFLOAD_TARGETS}")
    # The linker searches this -L folder before the compiler's. interface.list: symbols that libomp and images look up.
    set(_solo_link ${_solo_compile} "-L${SOLO_LIBRARY_DIR}"
      "LINKER:--export-dynamic-symbol-list=${SOLO_LIBRARY_DIR}/interface.list")
    set(_solo_static_compile ${_solo_compile} -ffunction-sections -fdata-sections)
    set(_solo_static_link ${_solo_compile} -static "-B${SOLO_PREFIX}/libexec/solo"
      "LINKER:--libc=glibc")
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL riscv64) # not an offload target of Clang: target regions run on the host
      set(_solo_compile -fopenmp)
      set(_solo_static_compile -fopenmp)
      set(_solo_static_link -static)
    endif()
  endif()
  # Only Clang compiles target regions; other compilers can call omp_target_alloc() and so on.
  set(_solo_clang "$<OR:$<COMPILE_LANG_AND_ID:C,Clang>,$<COMPILE_LANG_AND_ID:CXX,Clang>>")
  set(_solo_clang_link "$<OR:$<LINK_LANG_AND_ID:C,Clang>,$<LINK_LANG_AND_ID:CXX,Clang>>")
  foreach(_solo_kind offload static)
    add_library(solo::${_solo_kind} INTERFACE IMPORTED GLOBAL)
    set_property(TARGET solo::${_solo_kind} PROPERTY
      INTERFACE_INCLUDE_DIRECTORIES "${SOLO_INCLUDE_DIR}")
  endforeach()
  set_property(TARGET solo::offload PROPERTY INTERFACE_COMPILE_OPTIONS "$<${_solo_clang}:${_solo_compile}>")
  set_property(TARGET solo::offload PROPERTY INTERFACE_LINK_OPTIONS "$<${_solo_clang_link}:${_solo_link}>")
  set_property(TARGET solo::offload PROPERTY
    INTERFACE_LINK_LIBRARIES "${SOLO_LIBRARY_DIR}/libomptarget.a;Threads::Threads")
  set_property(TARGET solo::static PROPERTY
    INTERFACE_COMPILE_OPTIONS "$<${_solo_clang}:${_solo_static_compile}>")
  set_property(TARGET solo::static PROPERTY INTERFACE_LINK_OPTIONS
    "$<${_solo_clang_link}:${_solo_static_link}>;$<$<NOT:${_solo_clang_link}>:-static>")
  set_property(TARGET solo::static PROPERTY INTERFACE_LINK_LIBRARIES
    "${SOLO_LIBRARY_DIR}/libsolo.a;${SOLO_LIBRARY_DIR}/libsolo_atomic.a;Threads::Threads")
  add_library(solo::solo INTERFACE IMPORTED GLOBAL)
  set_property(TARGET solo::solo PROPERTY INTERFACE_LINK_LIBRARIES solo::offload)
endif()
