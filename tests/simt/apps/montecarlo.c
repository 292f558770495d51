/* Random points in a circle, one generator per thread. */
#include "app.h"

APP(montecarlo) {
  int on = 0, off = 0;
#pragma omp target teams distribute parallel for reduction(+ : on) map(tofrom : on)
  for (int i = 0; i < 256; i++) {
    unsigned state = (unsigned)i * 2654435761u + 1;
    for (int k = 0; k < 40; k++) {
      float x = (float)(app_next(&state) % 4096) / 4096,
            y = (float)(app_next(&state) % 4096) / 4096;
      on += x * x + y * y < 1;
    }
  }
  for (int i = 0; i < 256; i++) {
    unsigned state = (unsigned)i * 2654435761u + 1;
    for (int k = 0; k < 40; k++) {
      float x = (float)(app_next(&state) % 4096) / 4096,
            y = (float)(app_next(&state) % 4096) / 4096;
      off += x * x + y * y < 1;
    }
  }
  return on != off;
}
