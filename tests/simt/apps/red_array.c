/* Reduction of an array section. */
#include "app.h"

APP(red_array) {
  int bins[16] = {0}, expected[16] = {0}, wrong = 0;
#pragma omp target teams distribute parallel for reduction(+ : bins [0:16])
  for (int i = 0; i < 4000; i++) bins[i * 13 % 16] += i % 5;
  for (int i = 0; i < 4000; i++) expected[i * 13 % 16] += i % 5;
  for (int i = 0; i < 16; i++) wrong += bins[i] != expected[i];
  return wrong;
}
