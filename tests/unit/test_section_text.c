/* Description: checks the subscripts that are parsed from the names which compilers emit for array
 * sections: constants, expressions, omitted parts, C++ names, text that is not a section. */
#include "runtime/map/section_text.h"
#include "tests/unit/test.h"

static solo_section_text text;

static long long step(const char *name, int from_last) {
  solo_section_parse(name, &text);
  if (from_last >= text.count) return -1;
  const solo_section_term *t = &text.at[text.count - 1 - from_last].step;
  return t->known ? t->value : 0;
}

static void check_lower(const char *name, int is_known, long long value) {
  solo_section_parse(name, &text);
  CHECK_INT(text.count, 1);
  CHECK_INT(text.at[0].lower.known, is_known);
  if (is_known) CHECK_INT(text.at[0].lower.value, value);
}

static void check_length(const char *name, int is_known, long long value) {
  solo_section_parse(name, &text);
  CHECK_INT(text.count, 1);
  CHECK_INT(text.at[0].length.known, is_known);
  if (is_known) CHECK_INT(text.at[0].length.value, value);
}

int main(void) {
  const char *three = ";a[1:3:2][2:3:3][0:4:2];st.c;1;5;;";
  CHECK_INT(step(three, 0), 2);
  CHECK_INT(step(three, 1), 3);
  CHECK_INT(step(three, 2), 2);
  CHECK_INT(step(three, 3), -1);
  CHECK_INT(step(";a[1:3][i][0:4];f;1;1;;", 2), 1);
  CHECK_INT(step(";a[1:3][i][0:4];f;1;1;;", 1), 1);
  CHECK_INT(step(";a[1:3:k][0:4];f;1;1;;", 1), 0);
  CHECK_INT(step(";a[1:3:2 * (4 - 1)];f;1;1;;", 0), 6);
  CHECK_INT(step(";a[1:3:7 / 0];f;1;1;;", 0), 0);
  CHECK_INT(step(";a[1:3:99999999999999999999];f;1;1;;", 0), 0);
  CHECK_INT(step(";a[1:3:4UL][0:4];f;1;1;;", 1), 4);
  CHECK_INT(step(";a[1:3:sizeof(int)];f;1;1;;", 0), 0);
  CHECK_INT(step(";a[b ? 1 : 2:3:2][0:4];f;1;1;;", 1), 2);
  CHECK_INT(step(";a[N::k:3];f.cpp;1;1;;", 0), 1);
  CHECK_INT(step(";a[N::k:3:N::k];f.cpp;1;1;;", 0), 0);
  CHECK_INT(step(";a[0::k];f.c;1;1;;", 0), 0);
  CHECK_INT(step(";a[0::2];f.cpp;1;1;;", 0), 2);
  CHECK_INT(step(";s.p[x[1:2:3]][0:4];f;1;1;;", 1), 1);
  CHECK_INT(step(";a[f(1, y[2:3:4]):3:5][0:4];f;1;1;;", 1), 5);
  CHECK_INT(step(";a[':'];f;1;1;;", 0), 1);
  CHECK_INT(step(";a[f(\":\\\":\")];f;1;1;;", 0), 1);
  CHECK_INT(step(";a[0:4].x;f;1;1;;", 0), -1);
  CHECK_INT(step(";a;f;1;1;;", 0), -1);
  CHECK_INT(step(";a[1:2:3:4];f;1;1;;", 0), -1);
  CHECK_INT(step(";a[1:2;f;1;1;;", 0), -1);
  CHECK_INT(step(";];f;1;1;;", 0), -1);
  CHECK_INT(step(";", 0), -1);
  CHECK_INT(step("", 0), -1);
  CHECK_INT(step(NULL, 0), -1);
  check_lower(";p[-1:4:3];f;1;1;;", 1, -1);
  check_lower(";p[:4];f;1;1;;", 1, 0);
  check_lower(";p[k];f;1;1;;", 0, 0);
  check_length(";p[7];f;1;1;;", 1, 1);
  check_length(";p[2:];f;1;1;;", 0, 0);
  check_length(";p[2:010];f;1;1;;", 0, 0);
  check_length(";p[2: 10 ];f;1;1;;", 1, 10);
  CHECK(solo_section_may_have_step(";a[0:2:3];f;1;1;;"));
  CHECK(!solo_section_may_have_step(";a[0:2];f:;1:;1;;"));
  CHECK(!solo_section_may_have_step(";a"));
  return TEST_RESULT();
}
