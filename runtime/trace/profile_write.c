#include "runtime/trace/profile_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const categories[] = {
#define XX(name, category) category,
    SOLO_TRACE_MAP(XX)
#undef XX
};

static size_t sequence_at(const unsigned char *s) {
  size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
  if (s[0] > 0xf4) return 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  /* overlong encodings, surrogates, and values above U+10FFFF are invalid */
  if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
      (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
    return 0;
  return n;
}

/* Writes a JSON string. An invalid byte becomes the code point of its value. */
static void put_text(FILE *file, const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  fputc('"', file);
  while (*s) {
    size_t n = sequence_at(s);
    if (*s == '"' || *s == '\\')
      fprintf(file, "\\%c", *s);
    else if (*s < 0x20 || *s == 0x7f || n == 0)
      fprintf(file, "\\u%04x", *s);
    else
      fwrite(s, 1, n, file);
    s += n ? n : 1;
  }
  fputc('"', file);
}

static void put_time(FILE *file, const char *key, uint64_t ns) {
  fprintf(file, "\"%s\":%" PRIu64 ".%03u,", key, ns / 1000, (unsigned)(ns % 1000));
}

static void put_args(FILE *file, const profile_state *profile, const profile_record *r) {
  fprintf(file, "\"args\":{\"device\":%d", r->device);
  if (r->bytes) fprintf(file, ",\"bytes\":%" PRIu64, r->bytes);
  if (r->from) fprintf(file, ",\"from\":\"0x%" PRIx64 "\"", r->from);
  if (r->to) fprintf(file, ",\"to\":\"0x%" PRIx64 "\"", r->to);
  if (r->kind == SOLO_TRACE_KERNEL) {
    fprintf(file, ",\"teams\":%u,\"threads\":%u,\"kernel\":", r->teams, r->threads);
    put_text(file, r->name ? r->name : "");
  }
  if (r->where && !r->is_work) {
    fputs(",\"location\":", file);
    put_text(file, r->where);
  }
  if (r->is_work) fprintf(file, ",\"clock_error_us\":%u", r->clock_error_us);
  if (r->status != SOLO_OK) {
    fputs(",\"failed\":", file);
    put_text(file, profile->order.status_name((solo_status)r->status));
  }
  fputs("}}", file);
}

static int process_of(profile_state *profile, const profile_record *r) {
  int n = 0;
  const char *where = r->where ? r->where : "";
  while (n < profile->process_count && strcmp(profile->processes[n], where) != 0) n++;
  if (n == PROFILE_PROCESSES_MOST) n--;
  if (n == profile->process_count) profile->processes[profile->process_count++] = where;
  return PROFILE_FIRST_PROCESS + n;
}

static void put_record(FILE *file, profile_state *profile, uint32_t thread,
                       const profile_record *r) {
  uint64_t ts = r->begin_ns > profile->begin_ns ? r->begin_ns - profile->begin_ns : 0;
  int process = r->is_work ? process_of(profile, r) : (int)profile->process;
  fprintf(file, "{\"pid\":%d,\"tid\":%u,", process, (unsigned)(r->is_work ? r->queue : thread));
  put_time(file, "ts", ts);
  put_time(file, "dur", r->end_ns - r->begin_ns);
  fprintf(file, "\"ph\":\"X\",\"cat\":\"%s\",\"name\":", categories[r->kind]);
  put_text(file, r->name ? r->name : categories[r->kind]);
  fputc(',', file);
  put_args(file, profile, r);
  fputs(",\n", file);
}

static void put_thread(FILE *file, profile_state *profile, profile_thread *t) {
  /* pairs with next_record */
  for (profile_chunk *c = solo_load_acquire(&t->first); c; c = solo_load_acquire(&c->next)) {
    uint32_t count = solo_load_acquire(&c->count); /* pairs with record in profile_record.c */
    for (uint32_t i = 0; i < count; i++) put_record(file, profile, t->id, &c->record[i]);
  }
}

static void put_processes(FILE *file, const profile_state *profile) {
  for (int n = 0; n < profile->process_count; n++) {
    fprintf(
        file,
        "{\"pid\":%d,\"tid\":0,\"ts\":0,\"ph\":\"M\",\"name\":\"process_name\",\"args\":{\"name\":",
        PROFILE_FIRST_PROCESS + n);
    put_text(file, profile->processes[n]);
    fputs("}},\n", file);
  }
}

void solo_profile_write(profile_state *profile) {
  FILE *file = fopen(profile->path, "w");
  uint64_t dropped = solo_load_relaxed(&profile->dropped); /* relaxed: a count */
  int bad = !file;
  if (file) {
    fputs("{\"traceEvents\":[\n", file);
    profile_thread *t = solo_load_acquire(&profile->threads); /* pairs with this_thread */
    for (; t; t = t->next) {
      put_thread(file, profile, t);
      dropped += solo_load_relaxed(&t->dropped); /* relaxed: a count */
    }
    put_processes(file, profile);
    fprintf(file,
            "{\"pid\":%d,\"tid\":%d,\"ts\":0,\"ph\":\"M\",\"name\":\"process_name\",\"args\":"
            "{\"name\":\"libomptarget\"}}\n],\n\"displayTimeUnit\":\"ns\",\n"
            "\"beginningOfTime\":%" PRIu64 ",\n\"otherData\":{\"dropped\":%" PRIu64 "}}\n",
            (int)profile->process, (int)profile->process, profile->begin_us, dropped);
    bad = ferror(file);
    if (fclose(file) != 0) bad = 1;
  }
  if (bad)
    profile->order.warn("LIBOMPTARGET_PROFILE: %s could not be written: %s" SOLO_SEE("disk-full"),
                        profile->path, strerror(errno));
  if (dropped)
    profile->order.warn("LIBOMPTARGET_PROFILE: %s lacks %" PRIu64
                        " events: at most %d are kept (LIBOMPTARGET_PROFILE_GRANULARITY leaves "
                        "short ones out)",
                        profile->path, dropped, PROFILE_CHUNKS_MOST * PROFILE_RECORDS);
}
