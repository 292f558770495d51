/* Regions and checks of this folder's programs. */
#ifndef HOSTILE_H
#define HOSTILE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static inline int region(int x) {
#pragma omp target map(tofrom : x)
  x++;
  return x;
}

static inline int team(void) {
  int s = 0;
#pragma omp parallel num_threads(4) reduction(+ : s)
  s++;
  return s;
}

/* Returns the number of wrong elements. */
static inline int loop(void) {
  int a[100], w = 0;
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int i = 0; i < 100; i++) a[i] += 5;
  for (int i = 0; i < 100; i++) w += a[i] != i + 5;
  return w;
}

#endif
