/* Address tables, calls and data of the process, and globals that differ between two instances. */
#include "thing.h"
#include <stdio.h>
#include <string.h>

int counter = 5;
static int local_counter = 7;
int *const counter_address = &counter; /* relocation RELATIVE or 64; read-only afterwards */
static int *addresses[] = {&counter, &local_counter, 0}; /* relocation RELATIVE */
int *process_data = &thing_array[3];                     /* relocation 64 with an addend */
static size_t (*length_function)(const char *) = strlen; /* relocation 64 of an indirect function */
static int (*add_function)(int, int) = thing_add;
char large[1 << 20];
int aligned_data[4] __attribute__((aligned(8192))) = {1, 2, 3, 4};

int next_count(void) {
  return (*addresses[0])++ + (*addresses[1])++ + *counter_address;
}
int use_process(void) {
  return *process_data * 1000 + (int)length_function("four") * 100 + add_function(40, 2) +
         thing_chosen(1) * 100000;
}
int use_data(void) {
  return stderr != 0 && ((unsigned long)aligned_data & 8191) == 0 && large[sizeof large - 1] == 0;
}
int negative_addend(void) {
  static int *before = &thing_array[8] - 8;
  return *before;
}
