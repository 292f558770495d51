/* Checks target updates of array sections against a list of elements. generate.py writes the
 * sections and the elements. */
#include <omp.h>
#include <solo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct triple {
  int x, y, z;
};
struct inner {
  int x;
  int v[40];
};
struct outer {
  int first;
  int arr[60];
  int *data;
  struct inner in;
  struct inner several[3];
  int two[6][9];
  struct inner *link;
  int last;
};

extern char a1[64];
extern double d1[64];
extern struct triple t1[64];
extern int i1[64], i2[7][9], i3[5][6][7], i4[3][4][5][6], heap[200], pad;
extern struct outer s, many[3];

typedef struct dimension {
  long count, stride;
} dimension;

/* One part: address of the first element, bytes of an element, dimensions (stride in bytes). */
typedef struct part {
  const char *block; /* NULL: none */
  long unit;
  int dimensions;
  dimension of[4];
} part;

typedef enum direction { TO, FROM } direction;

/* When an update must be correct: LOST: never, because the compiler omits a subscript; NAMED: with
 * names; ALWAYS. */
typedef enum need { LOST, NAMED, ALWAYS } need;

typedef struct shape {
  void (*update)(void);
  const char *text, *variable;
  direction way;
  need required;
  part parts[2];
} shape;

extern const shape shapes[];
extern const int shape_count;

typedef struct block {
  char *host;
  size_t bytes;
} block;

#define BLOCK(x)                                                                                   \
  { (char *)(x), sizeof(x) }
static const block blocks[] = {BLOCK(a1),
                               BLOCK(d1),
                               BLOCK(t1),
                               BLOCK(i1),
                               BLOCK(i2),
                               BLOCK(i3),
                               BLOCK(i4),
                               BLOCK(heap),
                               {(char *)&pad, 4},
                               {(char *)&s.first, 4},
                               BLOCK(s.arr),
                               BLOCK(s.in.v),
                               BLOCK(s.several),
                               BLOCK(s.two),
                               {(char *)&s.last, 4},
                               BLOCK(many[1].arr),
                               BLOCK(many[2].in.v)};
enum { BLOCKS = sizeof blocks / sizeof *blocks, MOST = 8192 };

static char refused[1024];

static void note(void *context, const solo_failure *failure) {
  (void)context;
  snprintf(refused, sizeof refused, "%s", failure->text);
}

static void mark(char *wanted, const block *b, const part *p, int level, long at) {
  if (level < p->dimensions) {
    for (long k = 0; k < p->of[level].count; k++)
      mark(wanted, b, p, level + 1, at + k * p->of[level].stride);
    return;
  }
  if (at < 0 || at + p->unit > (long)b->bytes) {
    printf("the generator is wrong: byte %ld of %zu\n", at, b->bytes);
    exit(2);
  }
  memset(wanted + at, 1, (size_t)p->unit);
}

/* Returns the number of bytes that differ from the model. */
static int compare(const shape *of, const block *b, char got[MOST]) {
  char wanted[MOST] = {0};
  int wrong = 0;
  for (int k = 0; k < 2; k++) {
    const part *p = &of->parts[k];
    if (p->block >= b->host && p->block < b->host + b->bytes)
      mark(wanted, b, p, 0, p->block - b->host);
  }
  for (size_t i = 0; i < b->bytes; i++) {
    int updated = wanted[i] ? of->way == FROM : of->way == TO;
    wrong += got[i] != (char)(updated ? 200 + i % 50 : i % 100);
  }
  return wrong;
}

static int run(const shape *of) {
  static char pattern[BLOCKS][MOST];
  int host = omp_get_initial_device(), wrong = 0;
  for (int k = 0; k < BLOCKS; k++) {
    const block *b = &blocks[k];
    for (size_t i = 0; i < b->bytes; i++) {
      pattern[k][i] = (char)(200 + i % 50);
      b->host[i] = (char)(i % 100);
    }
    omp_target_memcpy(omp_get_mapped_ptr(b->host, 0), pattern[k], b->bytes, 0, 0, 0, host);
  }
  refused[0] = 0;
  of->update();
  for (int k = 0; k < BLOCKS; k++) {
    const block *b = &blocks[k];
    char got[MOST];
    if (of->way == FROM)
      memcpy(got, b->host, b->bytes);
    else
      omp_target_memcpy(got, omp_get_mapped_ptr(b->host, 0), b->bytes, 0, 0, host, 0);
    wrong += compare(of, b, got);
  }
  return wrong;
}

/* Returns 0 if each update is correct or rejected with the variable's name. An argument: no
 * names. */
static int check(int argc) {
  int named = argc < 2, right = 0, refusals = 0, wrong = 0, tolerated = 0;
  for (int i = 0; i < shape_count; i++) {
    int bytes = run(&shapes[i]);
    if (refused[0]) {
      refusals++;
      if (!named || strstr(refused, shapes[i].variable)) continue;
      printf("refused without its name: %s: %s\n", shapes[i].text, refused);
      wrong++;
    } else if (!bytes) {
      right++;
    } else if (shapes[i].required == ALWAYS || (named && shapes[i].required == NAMED)) {
      printf("wrong: %s: %d bytes\n", shapes[i].text, bytes);
      wrong++;
    } else {
      tolerated++;
    }
  }
  printf("%d right, %d refused, %d wrong, %d wrong for lack of a name\n", right, refusals, wrong,
         tolerated);
  return wrong != 0 || right * 5 < shape_count;
}
