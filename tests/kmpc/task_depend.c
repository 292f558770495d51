/* Description: checks all dependence types, iterators, depend objects and taskwait depend.
 * Flags: -fopenmp-version=51 */
#include "tests/kmpc/task_test.h"

enum { N = 60 };

static void chain(void) {
  int value = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 300; i++) {
#pragma omp task depend(inout : value) shared(value, wrong)
    {
      if (value != i) wrong++;
      if (i % 16 == 0) spend_time();
      value = i + 1;
    }
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(value, 300);
}

static void readers(void) {
  int data = 0, reading = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 20; round++) {
#pragma omp task depend(out : data) shared(data, reading, wrong)
    {
      if (reading) wrong++;
      spend_time();
      data = round;
    }
    for (int i = 0; i < 5; i++) {
#pragma omp task depend(in : data) shared(data, reading, wrong)
      {
#pragma omp atomic
        reading++;
        if (data != round) {
#pragma omp atomic
          wrong++;
        }
        spend_time();
#pragma omp atomic
        reading--;
      }
    }
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(data, 20);
}

static void sets(void) {
  int a = 0, b = 0, sum = 0, started = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 10; round++) {
#pragma omp task depend(out : a) shared(a, sum, started)
    {
      spend_time();
      a = round;
      sum = 0;
      started = 0;
    }
    for (int i = 0; i < 6; i++) {
#pragma omp task depend(mutexinoutset : a, b) shared(a, sum, wrong)
      {
        if (a != round) wrong++;
        int before = sum; /* not atomic: tasks with mutexinoutset do not overlap */
        spend_time();
        sum = before + 1;
      }
    }
#pragma omp task depend(in : a) shared(sum, wrong)
    if (sum != 6) wrong++;
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(inoutset : a) shared(started)
      {
        spend_time();
#pragma omp atomic
        started++;
      }
    }
#pragma omp task depend(in : a) shared(started, wrong)
    if (started != 4) wrong++;
#pragma omp task depend(inout : omp_all_memory) shared(wrong, sum, started)
    if (sum != 6 || started != 4) wrong++;
  }
  CHECK_INT(wrong, 0);
}

static void all_memory(void) {
  int x[N], wrong = 0, done = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < N; i++) {
#pragma omp task depend(out : x[i]) shared(done)
      {
        if (i % 8 == 0) spend_time();
#pragma omp atomic
        done++;
      }
    }
#pragma omp task depend(out : omp_all_memory) shared(done, wrong)
    {
      if (done != N) wrong++;
      spend_time();
      done = -1;
    }
    for (int i = 0; i < N; i++) {
#pragma omp task depend(in : x[i], wrong) shared(done, wrong)
      if (done != -1) {
#pragma omp atomic
        wrong++;
      }
    }
  }
  CHECK_INT(wrong, 0);
}

static void iterators(void) {
  int x[N], count = 0, seen = -1;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < N; i++) {
#pragma omp task depend(out : x[i]) shared(count)
      {
        if (i % 8 == 0) spend_time();
#pragma omp atomic
        count++;
      }
    }
#pragma omp task depend(iterator(k = 0 : N), in : x[k]) shared(count, seen)
    seen = count;
  }
  CHECK_INT(seen, N);
}

static void objects(void) {
  int x = 0, wrong = 0;
  omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; i++) {
#pragma omp task depend(depobj : object) shared(x, wrong)
    {
      if (x != i) wrong++;
      if (i % 8 == 0) spend_time();
      x = i + 1;
    }
  }
#pragma omp depobj(object) update(in)
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x) shared(x)
    {
      spend_time();
      x = -1;
    }
#pragma omp task depend(depobj : object) shared(x, wrong)
    if (x != -1) wrong++;
  }
#pragma omp depobj(object) destroy
  CHECK_INT(wrong, 0);
}

static void waits(void) {
  int x = 0, y = 0, wrong = 0;
  volatile int go = 0;
#pragma omp parallel shared(go)
#pragma omp single
  {
    if (omp_get_num_threads() > 1) {
#pragma omp task depend(out : y) shared(y, go)
      {
        int now = 0;
        while (!now) {
          sched_yield();
#pragma omp atomic read
          now = go;
        }
        y = 1;
      }
      for (int i = 0; i < 20; i++) sched_yield(); /* lets another thread run the task */
    }
#pragma omp task depend(out : x) shared(x)
    {
      spend_time();
      x = 1;
    }
#pragma omp taskwait depend(in : x)
    if (x != 1) wrong++;
#pragma omp atomic write
    go = 1;
#pragma omp task depend(inout : x) if (0) shared(x, wrong)
    {
      if (x != 1) wrong++;
      x = 2;
    }
    if (x != 2) wrong++;
#pragma omp task depend(out : x) shared(x)
    {
      spend_time();
      x = 3;
    }
#pragma omp taskwait depend(inout : x) nowait
#pragma omp task depend(in : x) shared(x, wrong)
    if (x != 3) {
#pragma omp atomic
      wrong++;
    }
  }
  CHECK_INT(wrong, 0);
}

/* Each cell depends on its left and upper neighbours. */
static void wavefront(void) {
  static int cell[N][N];
  int wrong = 0;
  memset(cell, 0, sizeof cell);
#pragma omp parallel
#pragma omp single
  for (int i = 1; i < N; i++) {
    for (int j = 1; j < N; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j]) shared(wrong)
      {
        if ((i > 1 && !cell[i - 1][j]) || (j > 1 && !cell[i][j - 1])) {
#pragma omp atomic
          wrong++;
        }
        cell[i][j] = cell[i - 1][j] + cell[i][j - 1] + 1;
      }
    }
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(cell[5][5], 251);
}

/* Dependences hold only between tasks of the same generating task. */
static void nested(void) {
  int x = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : x) shared(x, wrong)
    {
      int local = 0;
      for (int k = 0; k < 10; k++) {
#pragma omp task depend(inout : local) shared(local, wrong)
        {
          if (local != k) wrong++;
          local = k + 1;
        }
      }
#pragma omp taskwait
      if (local != 10 || x != i) wrong++;
      x = i + 1;
    }
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(x, 20);
}

int main(void) {
  chain();
  readers();
  sets();
  all_memory();
  iterators();
  objects();
  waits();
  wavefront();
  nested();
  return TEST_RESULT();
}
