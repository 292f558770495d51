#define _POSIX_C_SOURCE 200809L
#include "ports/skeleton/driver/skeldrv_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct global {
  struct global *next;
  const char *name;
  uint64_t address, bytes;
} global;

struct skeldrv_program {
  skeldrv_device *device;
  const char *text;
  skeldrv_result failure;
  global *globals;
  skeldrv_kernel *kernels;
};

static int same(const char *text, const char *name) {
  size_t length = strcspn(text, " \n");
  return strlen(name) == length && memcmp(text, name, length) == 0;
}

static global *find_global(skeldrv_program *program, const char *name) {
  for (global *g = program->globals; g; g = g->next)
    if (same(g->name, name)) return g;
  return NULL;
}

static int parse_operand(skeldrv_program *program, const char *word, operand *out) {
  static const char *const names[] = {"team", "thread", "teams", "threads"};
  *out = (operand){CONSTANT, strtoull(word, NULL, 10)};
  if (word[0] == 'r') *out = (operand){REGISTER, strtoull(word + 1, NULL, 10) % REGISTERS};
  if (word[0] == 'a') *out = (operand){PARAMETER, strtoull(word + 1, NULL, 10) % 64};
  for (int i = 0; i < 4; i++)
    if (strcmp(word, names[i]) == 0) *out = (operand){(operand_kind)(TEAM + i), 0};
  if (word[0] != '@') return 1;
  global *g = find_global(program, word + 1);
  if (g) out->value = g->address;
  return g != NULL;
}

static int parse_instruction(skeldrv_program *program, const char *line, skeldrv_kernel *kernel) {
  static const char *const names[] = {"set", "add", "mul", "ld", "st", "spin"};
  char word[4][80] = {{0}};
  sscanf(line, "%79s %79s %79s %79s", word[0], word[1], word[2], word[3]);
  if (kernel->length == sizeof kernel->code / sizeof *kernel->code) return 0;
  instruction *i = &kernel->code[kernel->length++];
  for (int op = 0; op < 6; op++) {
    if (strcmp(word[0], names[op]) != 0) continue;
    i->op = (operation)op;
    for (int k = 0; k < 3; k++)
      if (!parse_operand(program, word[k + 1], &i->x[k])) return 0;
    return 1;
  }
  return 0;
}

static int parse_global(skeldrv_program *program, const char *line) {
  int at = 0;
  unsigned long long bytes = 0;
  if (sscanf(line, "global %*s %llu%n", &bytes, &at) != 1 || !bytes) return 0;
  global *g = calloc(1, sizeof *g);
  if (!g) return 0;
  g->name = line + strlen("global ");
  g->bytes = bytes;
  program->failure = skeldrv_alloc(program->device, bytes, &g->address);
  if (program->failure != SKELDRV_OK) {
    free(g);
    return 0;
  }
  g->next = program->globals;
  program->globals = g;
  unsigned char *memory = skeldrv_resolve(program->device, g->address, bytes);
  memset(memory, 0, bytes);
  unsigned long long word;
  int step;
  for (uint64_t n = 0; n + 8 <= bytes && line[at] != '\n'; n += 8, at += step) {
    if (sscanf(line + at, "%llu%n", &word, &step) != 1) break;
    memcpy(memory + n, &word, 8);
  }
  return 1;
}

static int parse(skeldrv_program *program) {
  skeldrv_kernel *kernel = NULL;
  const char *line = program->text;
  if (strncmp(line, "skeleton-one 1\n", 15) != 0) return 0;
  for (line += 15; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const char *start = line + strspn(line, " ");
    if (*start == '\n' || *start == 0) continue;
    if (strncmp(start, "global ", 7) == 0) {
      if (!parse_global(program, start)) return 0;
    } else if (strncmp(start, "kernel ", 7) == 0) {
      kernel = calloc(1, sizeof *kernel);
      if (!kernel) return 0;
      kernel->next = program->kernels;
      program->kernels = kernel;
      kernel->name = start + 7;
      if (sscanf(start, "kernel %*s %u", &kernel->slots) != 1) return 0;
    } else if (strncmp(start, "end", 3) == 0) {
      kernel = NULL;
    } else if (!kernel || !parse_instruction(program, start, kernel)) {
      return 0;
    }
  }
  return 1;
}

skeldrv_result skeldrv_program_load(skeldrv_device *device, const char *text,
                                    skeldrv_program **out) {
  skeldrv_result result = skeldrv_enter();
  if (result != SKELDRV_OK) return result;
  skeldrv_program *program = calloc(1, sizeof *program);
  if (!program) return SKELDRV_NO_HOST;
  program->device = device;
  program->text = text;
  atomic_fetch_add(&skeldrv_objects, 1);
  if (!parse(program)) {
    result = program->failure != SKELDRV_OK ? program->failure : SKELDRV_BAD_PROGRAM;
    skeldrv_program_unload(program);
    return result;
  }
  *out = program;
  return SKELDRV_OK;
}

void skeldrv_program_unload(skeldrv_program *program) {
  while (program->globals) {
    global *g = program->globals;
    program->globals = g->next;
    (void)skeldrv_free(program->device, g->address);
    free(g);
  }
  while (program->kernels) {
    skeldrv_kernel *k = program->kernels;
    program->kernels = k->next;
    free(k);
  }
  free(program);
  atomic_fetch_sub(&skeldrv_objects, 1);
}

skeldrv_result skeldrv_program_kernel(skeldrv_program *program, const char *name,
                                      skeldrv_kernel **out, uint32_t *out_slots) {
  skeldrv_result result = skeldrv_enter();
  if (result != SKELDRV_OK) return result;
  for (skeldrv_kernel *k = program->kernels; k; k = k->next) {
    if (!same(k->name, name)) continue;
    *out = k;
    *out_slots = k->slots;
    return SKELDRV_OK;
  }
  return SKELDRV_NO_SYMBOL;
}

skeldrv_result skeldrv_program_global(skeldrv_program *program, const char *name, uint64_t *out,
                                      uint64_t *out_bytes) {
  skeldrv_result result = skeldrv_enter();
  if (result != SKELDRV_OK) return result;
  global *g = find_global(program, name);
  if (!g) return SKELDRV_NO_SYMBOL;
  *out = g->address;
  *out_bytes = g->bytes;
  return SKELDRV_OK;
}

typedef struct machine {
  skeldrv_device *device;
  const uint64_t *parameters;
  uint64_t registers[REGISTERS];
  uint64_t index[4];
} machine;

static uint64_t value_of(const machine *m, operand x) {
  switch (x.kind) {
  case REGISTER:
    return m->registers[x.value];
  case PARAMETER:
    return m->parameters[x.value];
  case CONSTANT:
    return x.value;
  default:
    return m->index[x.kind - TEAM];
  }
}

static void spin(uint64_t ns) {
  struct timespec pause = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
  nanosleep(&pause, NULL);
}

static skeldrv_result run_thread(machine *m, const skeldrv_kernel *kernel) {
  memset(m->registers, 0, sizeof m->registers);
  for (uint32_t n = 0; n < kernel->length; n++) {
    const instruction *i = &kernel->code[n];
    uint64_t x = value_of(m, i->x[0]), y = value_of(m, i->x[1]), z = value_of(m, i->x[2]);
    uint64_t *d = &m->registers[i->x[0].value % REGISTERS];
    void *memory;
    switch (i->op) {
    case OP_SET:
      *d = y;
      break;
    case OP_ADD:
      *d = y + z;
      break;
    case OP_MUL:
      *d = y * z;
      break;
    case OP_LD:
      if (!(memory = skeldrv_resolve(m->device, y, 8))) return SKELDRV_FAULT;
      memcpy(d, memory, 8);
      break;
    case OP_ST:
      if (!(memory = skeldrv_resolve(m->device, x, 8))) return SKELDRV_FAULT;
      memcpy(memory, &y, 8);
      break;
    case OP_SPIN:
      spin(x);
      break;
    }
  }
  return SKELDRV_OK;
}

skeldrv_result skeldrv_execute(skeldrv_device *device, const command *launch) {
  machine m = {.device = device, .parameters = launch->parameters};
  m.index[2] = (uint64_t)launch->teams[0] * launch->teams[1] * launch->teams[2];
  m.index[3] = (uint64_t)launch->threads[0] * launch->threads[1] * launch->threads[2];
  skeldrv_result result = SKELDRV_OK;
  for (m.index[0] = 0; m.index[0] < m.index[2] && result == SKELDRV_OK; m.index[0]++)
    for (m.index[1] = 0; m.index[1] < m.index[3] && result == SKELDRV_OK; m.index[1]++)
      result = run_thread(&m, launch->kernel);
  return result;
}
