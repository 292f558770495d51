/* Initialises, queries, uses and destroys interop objects of the CPU device and the host. */
#include "../../unit/test.h"
#include <omp.h>

extern int ompx_interop_add_completion_callback(omp_interop_t, void (*)(omp_interop_t, void *),
                                                void *);

static void called(omp_interop_t interop, void *data) {
  (void)interop;
  ++*(int *)data;
}

static void ask(omp_interop_t o, int device) {
  int rc = 99;
  CHECK(omp_get_interop_int(o, omp_ipr_device_num, &rc) == device && rc == omp_irc_success);
  CHECK(omp_get_interop_int(o, omp_ipr_fr_id, &rc) == 0 && rc == omp_irc_no_value);
  CHECK(!omp_get_interop_ptr(o, omp_ipr_targetsync, &rc) && rc == omp_irc_no_value);
  CHECK(!omp_get_interop_ptr(o, omp_ipr_device_num, &rc) && rc == omp_irc_type_int);
  CHECK(!omp_get_interop_str(o, omp_ipr_device, &rc) && rc == omp_irc_type_ptr);
  CHECK(strcmp(omp_get_interop_str(o, omp_ipr_vendor_name, &rc), "unknown") == 0);
  CHECK(omp_get_interop_int(o, (omp_interop_property_t)-10, &rc) == 0 &&
        rc == omp_irc_out_of_range);
  CHECK(strcmp(omp_get_interop_name(o, omp_ipr_targetsync), "targetsync") == 0);
}

int main(void) {
  omp_interop_t o = omp_interop_none;
  int rc = 99, x = 0, calls = 0;
  CHECK(omp_get_interop_int(o, omp_ipr_device_num, &rc) == 0 && rc == omp_irc_empty);
#pragma omp interop init(targetsync : o) device(0)
  CHECK(o != omp_interop_none);
  ask(o, 0);
  if (&ompx_interop_add_completion_callback) {
    CHECK(ompx_interop_add_completion_callback(o, called, &calls) == 0);
  }
#pragma omp interop use(o)
  CHECK(calls == 1);
#pragma omp task depend(out : x) shared(x)
  x = 5;
#pragma omp interop destroy(o) depend(in : x)
  CHECK(o == omp_interop_none && x == 5);
  int host = omp_get_initial_device();
#pragma omp interop init(target : o) device(host)
  ask(o, host);
#pragma omp interop destroy(o)
#pragma omp interop init(target : o)
  CHECK(omp_get_interop_int(o, omp_ipr_device_num, &rc) == omp_get_default_device());
#pragma omp interop destroy(o)
  if (!test_failures) printf("interop correct\n");
  return test_failures != 0;
}
