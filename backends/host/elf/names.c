#include "backends/host/elf/names.h"

typedef struct gnu_table {
  uint32_t buckets, first, bloom_words, bloom_shift;
  uint64_t bloom_at, buckets_at, chains_at;
} gnu_table;

solo_host_elf_key solo_host_elf_key_of(const char *name) {
  uint32_t gnu = 5381, sysv = 0;
  size_t length = 0;
  for (; name[length]; length++) {
    uint32_t c = (unsigned char)name[length];
    gnu = gnu * 33 + c;
    sysv = (sysv << 4) + c;
    uint32_t top = sysv & 0xf0000000u;
    sysv = (sysv ^ (top >> 24)) & ~top;
  }
  return (solo_host_elf_key){name, length + 1, gnu, sysv};
}

static bool word(solo_span s, uint64_t at, uint64_t index, uint32_t *out) {
  return solo_span_read(s, at + index * 4, out, 4);
}

static bool gnu_open(solo_span s, gnu_table *t) {
  if (!word(s, 0, 0, &t->buckets) || !word(s, 0, 1, &t->first) || !word(s, 0, 2, &t->bloom_words) ||
      !word(s, 0, 3, &t->bloom_shift))
    return false;
  if (!t->buckets || !t->bloom_words || t->bloom_shift > 31) return false;
  t->bloom_at = 16;
  t->buckets_at = t->bloom_at + (uint64_t)t->bloom_words * 8;
  t->chains_at = t->buckets_at + (uint64_t)t->buckets * 4;
  return true;
}

static bool is_named(const solo_host_elf_names *names, uint32_t index, const solo_host_elf_key *key,
                     Elf64_Sym *out) {
  if (!solo_span_read(names->symbols, (uint64_t)index * sizeof *out, out, sizeof *out))
    return false;
  solo_span text;
  return solo_span_sub(names->strings, out->st_name, key->bytes, &text) &&
         memcmp(text.data, key->text, key->bytes) == 0;
}

static uint32_t gnu_next(const solo_host_elf_names *names, const solo_host_elf_key *key,
                         uint32_t after, Elf64_Sym *out) {
  solo_span s = names->gnu_hash;
  gnu_table t;
  uint64_t bloom;
  uint32_t index, hash;
  if (!gnu_open(s, &t) ||
      !solo_span_read(s, t.bloom_at + (key->gnu / 64 % t.bloom_words) * 8, &bloom, 8))
    return 0;
  uint64_t mask = UINT64_C(1) << (key->gnu % 64) | UINT64_C(1)
                                                       << ((key->gnu >> t.bloom_shift) % 64);
  if ((bloom & mask) != mask) return 0;
  if (!word(s, t.buckets_at, key->gnu % t.buckets, &index) || index < t.first) return 0;
  /* the chain of a bucket; bit 0 marks its end */
  for (; word(s, t.chains_at, index - t.first, &hash); index++) {
    if (index > after && (hash | 1) == (key->gnu | 1) && is_named(names, index, key, out))
      return index;
    if ((hash & 1) || index == UINT32_MAX) break;
  }
  return 0;
}

static uint32_t sysv_next(const solo_host_elf_names *names, const solo_host_elf_key *key,
                          uint32_t after, Elf64_Sym *out) {
  solo_span s = names->sysv_hash;
  uint32_t buckets, chains, index;
  if (!word(s, 0, 0, &buckets) || !word(s, 0, 1, &chains) || !buckets) return 0;
  if (!word(s, 8, key->sysv % buckets, &index)) return 0;
  uint64_t chains_at = 8 + (uint64_t)buckets * 4;
  bool passed = after == 0;
  /* limits the loop, because a damaged chain may be a cycle */
  for (uint32_t steps = 0; index && steps < chains; steps++) {
    if (passed && is_named(names, index, key, out)) return index;
    passed = passed || index == after;
    if (!word(s, chains_at, index, &index)) break;
  }
  return 0;
}

uint32_t solo_host_elf_names_next(const solo_host_elf_names *names, const solo_host_elf_key *key,
                                  uint32_t after, Elf64_Sym *out) {
  if (names->gnu_hash.size) return gnu_next(names, key, after, out);
  return sysv_next(names, key, after, out);
}

static uint32_t gnu_count(solo_span s) {
  gnu_table t;
  uint32_t last = 0, index, hash;
  if (!gnu_open(s, &t)) return 0;
  for (uint32_t b = 0; b < t.buckets; b++) {
    if (!word(s, t.buckets_at, b, &index)) return 0;
    if (index > last) last = index;
  }
  if (last == 0) return t.first; /* all symbols are undefined, and therefore not hashed */
  if (last < t.first) return 0;
  do {
    if (!word(s, t.chains_at, last - t.first, &hash) || last == UINT32_MAX) return 0;
    last++;
  } while (!(hash & 1));
  return last;
}

static bool is_empty(solo_span gnu_hash) {
  gnu_table t;
  uint32_t index;
  if (!gnu_open(gnu_hash, &t)) return false;
  for (uint32_t b = 0; b < t.buckets; b++)
    if (!word(gnu_hash, t.buckets_at, b, &index) || index) return false;
  return true;
}

bool solo_host_elf_names_is_empty(const solo_host_elf_names *names) {
  return names->gnu_hash.size && !names->sysv_hash.size && is_empty(names->gnu_hash);
}

uint32_t solo_host_elf_names_count(const solo_host_elf_names *names) {
  uint32_t chains = 0;
  if (names->gnu_hash.size && !(names->sysv_hash.size && is_empty(names->gnu_hash)))
    return gnu_count(names->gnu_hash);
  if (!word(names->sysv_hash, 0, 1, &chains)) return 0;
  return chains;
}
