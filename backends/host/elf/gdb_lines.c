#include "backends/host/elf/gdb_lines.h"

static bool unit(solo_span bytes, uint64_t at, solo_span *contents, uint64_t *start,
                 uint64_t *next) {
  uint32_t length;
  if (!solo_span_read(bytes, at, &length, 4) || length >= 0xfffffff0u) return false;
  *start = at + 4;
  *next = *start + length;
  return solo_span_sub(bytes, *start, length, contents);
}

static void move(uint8_t *at, uint64_t bias) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  value += bias;
  memcpy(at, &value, sizeof value);
}

void solo_host_gdb_move_addresses(uint8_t *copy, solo_span bytes, uint64_t bias) {
  enum { HEADER = 4 };
  solo_span u;
  uint64_t start, next;
  for (uint64_t at = 0; unit(bytes, at, &u, &start, &next); at = next) {
    if (u.size < HEADER || u.data[2] != 8 || u.data[3] != 0) continue;
    for (uint64_t i = HEADER; i + 8 <= u.size; i += 8) move(copy + start + i, bias);
  }
}

static bool leb(solo_span s, uint64_t *at, uint64_t *out) {
  uint64_t value = 0;
  for (unsigned shift = 0; *at < s.size; shift += 7) {
    uint8_t byte = s.data[(*at)++];
    if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) {
      *out = value;
      return true;
    }
  }
  return false;
}

/* Adds the bias to the operands of DW_LNE_set_address; skips other operations. */
static void move_program(uint8_t *copy, solo_span p, const uint8_t *operand_counts,
                         uint8_t opcode_base, uint64_t bias) {
  enum { FIXED_ADVANCE = 9, SET_ADDRESS = 2 };
  uint64_t at = 0, ignored, length;
  while (at < p.size) {
    uint8_t opcode = p.data[at++];
    if (opcode >= opcode_base) continue;
    if (opcode == 0) { /* extended opcode: length, code, operands */
      if (!leb(p, &at, &length) || length == 0 || !solo_span_has(p, at, length)) return;
      if (p.data[at] == SET_ADDRESS && length == 9) move(copy + at + 1, bias);
      at += length;
    } else if (opcode == FIXED_ADVANCE) {
      at += 2;
    } else {
      for (uint8_t n = operand_counts[opcode - 1]; n; n--)
        if (!leb(p, &at, &ignored)) return;
    }
  }
}

void solo_host_gdb_move_lines(uint8_t *copy, solo_span bytes, uint64_t bias) {
  solo_span u, program;
  uint64_t start, next;
  for (uint64_t at = 0; unit(bytes, at, &u, &start, &next); at = next) {
    uint16_t version;
    uint32_t header_length;
    if (!solo_span_read(u, 0, &version, 2) || version < 4 || version > 5) continue;
    /* version 5 has two more bytes: address and segment selector size */
    uint64_t h = version == 5 ? 4 : 2;
    if (!solo_span_read(u, h, &header_length, 4)) continue;
    uint64_t program_at = h + 4 + header_length;
    uint64_t base_at = h + 4 + 5;
    if (!solo_span_has(u, base_at, 1) || u.data[base_at] == 0) continue;
    uint8_t opcode_base = u.data[base_at];
    if (!solo_span_has(u, base_at + 1, opcode_base - 1u) || program_at > u.size ||
        !solo_span_sub(u, program_at, u.size - program_at, &program))
      continue;
    move_program(copy + start + program_at, program, u.data + base_at + 1, opcode_base, bias);
  }
}
