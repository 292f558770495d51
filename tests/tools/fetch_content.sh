# Description: checks that FetchContent of CMake configures and builds solo from its source tree.
name=fetch_content
. tests/tools/lib.sh
command -v cmake >/dev/null || { echo "skipped: no cmake"; exit 77; }
mkdir tree
(cd "$tree/.." && git ls-files -z | xargs -0 tar -cf -) | tar -C tree -xf -
cat >c.c <<'END'
#include <omp.h>
#include <stdio.h>
int main(void) {
  int r = 1;
#pragma omp target map(from : r)
  r = omp_is_initial_device();
  printf("%d\n", r);
  return 0;
}
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(fetch C)
include(FetchContent)
FetchContent_Declare(solo SOURCE_DIR ${CMAKE_SOURCE_DIR}/tree SOURCE_SUBDIR tools/cmake)
FetchContent_MakeAvailable(solo)
foreach(kind offload static)
  add_executable(${kind} c.c)
  target_link_libraries(${kind} solo::${kind})
endforeach()
END
works cmake -S . -B b -DCMAKE_C_COMPILER=clang-19 && works cmake --build b
export OMP_TARGET_OFFLOAD=mandatory
says 0 b/offload && says 0 b/static && is_static b/static
done_testing
