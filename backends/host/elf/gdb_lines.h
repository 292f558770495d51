/* Moves the addresses in debug sections by a load bias, in a copy made for gdb.
 *
 * Only what Clang's DWARF 5 keeps addresses in: the address table and the line programs; everything
 * else refers to these. Other debug data is left as it is, and gdb shows names without lines.
 * Ownership: copy is written, bytes (the same section, unchanged) is read. Threads: pure. Errors:
 * malformed data ends the walk. Source: DWARF 5, sections 7.27 and 6.2.
 */
#ifndef SOLO_HOST_ELF_GDB_LINES_H
#define SOLO_HOST_ELF_GDB_LINES_H

#include "runtime/image/span.h"

void solo_host_gdb_move_addresses(uint8_t *copy, solo_span bytes, uint64_t bias);
void solo_host_gdb_move_lines(uint8_t *copy, solo_span bytes, uint64_t bias);

#endif
