/* solo-info: prints backends, devices, settings and images. */
#include "abi/include/omp.h"
#include "abi/include/solo.h"
#include "runtime/backend_call.h"
#include "runtime/base/settings.h"
#include "runtime/image/elf.h"
#include "runtime/image/simt.h"
#include "tools/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char help[] =
    "usage: solo-info [options] [file...]\n"
    "Without files: prints backends and devices, and the reason if a device is unusable.\n"
    "With files: prints the device images in them, and which devices can run each image.\n"
    "\n"
    "  --devices    print backends and devices\n"
    "  --settings   print all environment variables that solo reads, with value and origin\n"
    "  --no-devices with files: only list the images\n"
    "  --explain [SECTION]  print a section that a message names after 'see:'; without SECTION "
    "the\n"
    "               names of all sections\n"
    "  --version    print the version\n"
    "  --help       print this text\n"
    "Files: executables, shared objects, objects, images and containers.\n"
    "Exit status: 1 if a file cannot be read, has no image, or no device can run an image,\n"
    "otherwise 0.\n";

typedef struct device {
  const solo_backend *backend;
  solo_bdevice *handle;
  solo_device_info info;
  int number;
} device;

typedef struct devices {
  device *item;
  size_t count;
} devices;

static void open_devices(devices *all, const solo_backend *backend, FILE *out) {
  int count = 0;
  solo_status status = backend->device_count(&count);
  if (status != SOLO_OK || count == 0) {
    if (out)
      fprintf(out, "%-6s no device: %s\n", backend->name,
              status == SOLO_OK ? "the driver found none" : solo_error_last()->text);
    return;
  }
  if (out) fprintf(out, "%-6s %d %s\n", backend->name, count, count == 1 ? "device" : "devices");
  for (int i = 0; i < count; i++) {
    device d = {.backend = backend, .number = (int)all->count};
    if (backend->device_open(i, d.number, &d.handle, &d.info) != SOLO_OK) {
      if (out)
        fprintf(out, "  %d of %s cannot be opened: %s\n", i, backend->name,
                solo_error_last()->text);
      d.handle = NULL;
    }
    if (d.handle) solo_backend_device_describe(backend, d.handle, &d.info);
    all->item = solo_tool_grow(all->item, all->count, sizeof d);
    all->item[all->count++] = d;
  }
}

static void print_device(const device *d) {
  const solo_device_info *info = &d->info;
  printf("  device %d: %s, %s", d->number, info->name[0] ? info->name : "(no name)", info->arch);
  if (info->compute_units) printf(", %u compute units", info->compute_units);
  if (info->memory_bytes) printf(", %.1f GiB", (double)info->memory_bytes / (1 << 30));
  if (info->flags & SOLO_DEVICE_SHARED_MEMORY)
    printf(", memory shared with the host");
  else if (info->flags & SOLO_DEVICE_UNIFIED_ADDRESSES)
    printf(", reads host memory");
  printf("\n");
  if (info->where[0]) printf("    %s\n", info->where);
  if (info->uid[0]) printf("    uid %s\n", info->uid);
}

static int is_requested(const solo_backend *backend) {
  const char *server = getenv("SOLO_SERVER"), *wanted = getenv("SOLO_SERVER_BACKENDS");
  return strncmp(backend->name, "remote-", 7) != 0 || (server && *server) || (wanted && *wanted) ||
         (solo_remote_mpi_is_wanted && solo_remote_mpi_is_wanted());
}

static devices list_devices(FILE *out) {
  devices all = {0};
  for (int i = 0; i < solo_backend_count; i++) {
    if (!solo_backends[i] || !is_requested(solo_backends[i])) continue;
    size_t before = all.count;
    char missing[SOLO_ERROR_TEXT];
    open_devices(&all, solo_backends[i], out);
    for (size_t d = before; out && d < all.count; d++)
      if (all.item[d].handle) print_device(&all.item[d]);
    solo_backend_device_missing(solo_backends[i], missing, sizeof missing);
    if (out && missing[0] && all.count > before) printf("  missing: %s\n", missing);
  }
  return all;
}

static void close_devices(const devices *all) {
  for (size_t i = 0; i < all->count; i++)
    if (all->item[i].handle) all->item[i].backend->device_close(all->item[i].handle);
}

typedef struct report {
  const devices *devices;
  const char *where;
  int number, usable;
} report;

static void judge(const report *r, const solo_image *image, int *usable) {
  for (size_t i = 0; i < r->devices->count; i++) {
    const device *d = &r->devices->item[i];
    char reason[256] = "another kind of device";
    if (!d->handle) continue;
    uint32_t score = 0;
    if (d->backend->image_recognise(image))
      score = d->backend->image_score(d->handle, image, reason, sizeof reason);
    if (score)
      printf("    device %d (%s): runs it\n", d->number, d->info.arch);
    else
      printf("    device %d (%s): cannot run it: %s\n", d->number, d->info.arch, reason);
    *usable += score != 0;
  }
}

static void describe(const solo_image *image, char *text, size_t size) {
  unsigned target = image->flags & (SOLO_SIMT_TARGET & ~SOLO_SIMT_HEX);
  if (image->kind != SOLO_IMAGE_ELF || image->machine != SOLO_SIMT_MACHINE)
    solo_image_describe(image, text, size);
  else
    snprintf(text, size, image->flags & SOLO_SIMT_HEX ? "%s gfx%x" : "%s sm_%u",
             "for the virtual GPU, as", target);
}

static solo_status show_image(void *context, const solo_image *image) {
  report *r = context;
  char text[256];
  describe(image, text, sizeof text);
  printf("  image %d (%s): %s, %zu bytes\n", r->number++, r->where, text, image->bytes.size);
  if (image->kind == SOLO_IMAGE_ELF && image->type == ET_REL) {
    printf("    an object, not linked yet: link it with solo-cc\n");
    r->usable++;
  } else {
    judge(r, image, &r->usable);
  }
  return SOLO_OK;
}

/* Some backends report devices only after they recognised an image. */
static solo_status show_backends(void *context, const solo_image *image) {
  (void)context;
  for (int i = 0; i < solo_backend_count; i++)
    if (solo_backends[i]) (void)solo_backends[i]->image_recognise(image);
  return SOLO_OK;
}

static void show_images_to_backends(const char *path) {
  solo_found_list found = solo_info_find(path);
  for (size_t i = 0; i < found.count; i++)
    if (!found.item[i].text &&
        solo_image_visit(found.item[i].bytes, show_backends, NULL) != SOLO_OK)
      return;
}

static int show_file(const char *path, const devices *all) {
  solo_found_list found = solo_info_find(path);
  report r = {.devices = all, .number = 1};
  int bad = 0;
  if (found.reason) {
    fflush(stdout);
    fprintf(stderr, "solo-info: error: cannot read %s: %s\n", path, found.reason);
    return 1;
  }
  printf("%s\n", path);
  for (size_t i = 0; i < found.count; i++) {
    const solo_found *f = &found.item[i];
    r.where = f->where;
    if (f->text) {
      printf("  image %d (%s): %s\n", r.number++, f->where, f->text);
      r.usable++; /* the CPU device runs it */
    } else if (solo_image_visit(f->bytes, show_image, &r) != SOLO_OK) {
      printf("  image %d (%s): cannot be read: %s\n", r.number++, f->where,
             solo_error_last()->text);
      bad = 1;
    }
  }
  if (r.number == 1) {
    printf("  no device image: compiled without -fopenmp-targets, or linked without device code "
           "(use solo-cc)" SOLO_SEE("missing-fopenmp") "\n");
    return 1;
  }
  if (all->count && !r.usable) {
    printf("  none of the devices here can run it: its target regions run on the host" SOLO_SEE(
        "wrong-image") "\n");
    return 1;
  }
  return bad;
}

static void print_settings(void) {
  solo_print_settings(stdout);
  solo_rex_settings_print(stdout);
  solo_gomp_settings_print(stdout);
  puts("\nHost threads of static programs (others have those of libomp):");
  fflush(stdout);
  dup2(STDOUT_FILENO, STDERR_FILENO); /* because omp_display_env() prints to stderr */
  omp_display_env(1);
}

int main(int argc, char **argv) {
  solo_tool_start("solo-info");
  bool settings = false, want_devices = false, no_devices = false;
  solo_list files = {0};
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    if (strcmp(a, "--help") == 0) return fputs(help, stdout), solo_tool_finish(0);
    if (strcmp(a, "--version") == 0)
      return puts("solo-info (solo) " SOLO_VERSION_STRING), solo_tool_finish(0);
    if (strcmp(a, "--settings") == 0)
      settings = true;
    else if (strcmp(a, "--devices") == 0)
      want_devices = true;
    else if (strcmp(a, "--no-devices") == 0)
      no_devices = true;
    else if (strcmp(a, "--explain") == 0)
      return solo_tool_finish(solo_info_explain(argv[i + 1]));
    else if (a[0] == '-')
      solo_tool_die("unknown option %s (solo-info --help)", a);
    else
      solo_list_add(&files, a);
  }
  solo_info_check_variables();
  if (settings) print_settings();
  if (!settings && !files.count) want_devices = true;
  devices all = {0};
  for (size_t i = 0; i < files.count; i++) show_images_to_backends(files.item[i]);
  if (!no_devices && (want_devices || files.count))
    all = list_devices(want_devices ? stdout : NULL);
  int status = 0;
  for (size_t i = 0; i < files.count; i++) status |= show_file(files.item[i], &all);
  close_devices(&all);
  return solo_tool_finish(status);
}
