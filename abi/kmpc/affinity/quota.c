/* The CPU quota of the process's cgroups, version 1 or 2 (cgroups(7)). All enclosing groups limit a
 * group. */
#define _GNU_SOURCE
#include "abi/kmpc/affinity/quota.h"
#include "runtime/base/platform.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096, PATH_BYTES = 4352 };

int solo_kmp_read_small(const char *path, char *text, size_t size) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t n = read(fd, text, size - 1);
  close(fd);
  if (n <= 0) return 0;
  text[n] = 0;
  return 1;
}

static int has_word(const char *list, const char *end, const char *word) {
  size_t length = strlen(word);
  for (;;) {
    const char *comma = memchr(list, ',', (size_t)(end - list));
    const char *stop = comma ? comma : end;
    if ((size_t)(stop - list) == length && memcmp(list, word, length) == 0) return 1;
    if (!comma) return 0;
    list = comma + 1;
  }
}

/* Finds the path of the process's group in lines "number:controllers:path"; NULL: none. */
static char *group_of(char *text, const char *controller) {
  for (char *line = text; *line; line++) {
    char *list = strchr(line, ':');
    char *path = list ? strchr(list + 1, ':') : NULL;
    if (!path) return NULL;
    char *end = path + strcspn(path, "\n");
    if (has_word(list + 1, path, controller)) {
      *end = 0;
      return path + 1;
    }
    if (!*end) return NULL;
    line = end;
  }
  return NULL;
}

/* Reads the file cpu.FILE of a group. Returns its first number; 0: no number; -1: no file.
 * *out_second: the second number, or 0. */
static SOLO_NOINLINE long long number_of(const char *root, const char *group, const char *file,
                                         long long *out_second) {
  char path[PATH_BYTES], text[64], *end;
  snprintf(path, sizeof path, "%s%s/cpu.%s", root, group, file);
  if (!solo_kmp_read_small(path, text, sizeof text)) return -1;
  long long first = strtoll(text, &end, 10);
  *out_second = strtoll(end, NULL, 10);
  return first;
}

static int32_t quota_of(const char *root, const char *group) {
  long long period = 0, unused, quota = number_of(root, group, "max", &period);
  if (quota < 0) {
    quota = number_of(root, group, "cfs_quota_us", &unused);
    period = number_of(root, group, "cfs_period_us", &unused);
  }
  if (quota <= 0 || period <= 0) return INT32_MAX;
  long long whole = quota / period + (quota % period != 0);
  return whole < INT32_MAX ? (int32_t)whole : INT32_MAX;
}

static int32_t least_quota(const char *root, const char *controller) {
  char text[TEXT_BYTES], top[] = "";
  char *group = solo_kmp_read_small("/proc/self/cgroup", text, sizeof text)
                    ? group_of(text, controller)
                    : top;
  int32_t least = INT32_MAX;
  if (!group || strcmp(group, "/") == 0) group = top;
  for (;;) {
    int32_t most = quota_of(root, group);
    if (most < least) least = most;
    char *slash = strrchr(group, '/');
    if (!slash) return least;
    *slash = 0;
  }
}

int32_t solo_kmp_quota(void) {
  static const char first_version[] = "/sys/fs/cgroup/cpu";
  if (access(first_version, F_OK) == 0) return least_quota(first_version, "cpu");
  return least_quota("/sys/fs/cgroup", "");
}
