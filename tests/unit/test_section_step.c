/* Description: checks the strides that are read from the names that compilers emit for array
 * sections: constant, omitted, not constant, invalid. */
#include "runtime/map/section_step.h"
#include "tests/unit/test.h"

int main(void) {
  const char *three = ";a[1:3:2][2:3:3][0:4:2];st.c;1;5;;";
  CHECK_INT(solo_section_step(three, 0), 2);
  CHECK_INT(solo_section_step(three, 1), 3);
  CHECK_INT(solo_section_step(three, 2), 2);
  CHECK_INT(solo_section_step(three, 3), 0);
  CHECK_INT(solo_section_step(";a[1:3][i][0:4];f;1;1;;", 2), 1);
  CHECK_INT(solo_section_step(";a[1:3][i][0:4];f;1;1;;", 1), 1);
  CHECK_INT(solo_section_step(";a[1:3:k][0:4];f;1;1;;", 1), 0);
  CHECK_INT(solo_section_step(";a[1:3:2 * 2][0:4];f;1;1;;", 1), 0);
  CHECK_INT(solo_section_step(";a[1:3:4UL][0:4];f;1;1;;", 1), 4);
  CHECK_INT(solo_section_step(";a[b ? 1 : 2:3:2][0:4];f;1;1;;", 1), 0);
  CHECK_INT(solo_section_step(";a[N::k:3][0:4];f;1;1;;", 1), 0);
  CHECK_INT(solo_section_step(";s.p[x[1:2:3]][0:4];f;1;1;;", 1), 1);
  CHECK_INT(solo_section_step(";a[f(1, y[2:3:4]):3:5][0:4];f;1;1;;", 1), 5);
  CHECK_INT(solo_section_step(";a[0:4].x;f;1;1;;", 0), 0);
  CHECK_INT(solo_section_step(";a;f;1;1;;", 0), 0);
  CHECK_INT(solo_section_step(";];f;1;1;;", 0), 0);
  CHECK_INT(solo_section_step(";", 0), 0);
  CHECK_INT(solo_section_step("", 0), 0);
  CHECK_INT(solo_section_step(NULL, 0), 0);
  return TEST_RESULT();
}
