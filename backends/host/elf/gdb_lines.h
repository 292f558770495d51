/* Adds a load bias to the addresses in .debug_addr and .debug_line (DWARF 5, 6.2 and 7.27). Clang's
 * other debug sections only refer to these addresses, so they stay unchanged. `bytes` is the original
 * section; the functions write to `copy`. They stop at malformed data. */
#ifndef SOLO_HOST_ELF_GDB_LINES_H
#define SOLO_HOST_ELF_GDB_LINES_H

#include "runtime/image/span.h"

void solo_host_gdb_move_addresses(uint8_t *copy, solo_span bytes, uint64_t bias);
void solo_host_gdb_move_lines(uint8_t *copy, solo_span bytes, uint64_t bias);

#endif
