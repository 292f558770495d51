/* solo.h: what solo offers beyond the OpenMP API. C and C++.
 *
 * Threads: any function from any thread unless stated. Errors: functions that return int return 0
 * on success, else a status number; solo_last_error has the text. Nothing here ends the program.
 */
#ifndef SOLO_H
#define SOLO_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOLO_VERSION_MAJOR 0
#define SOLO_VERSION_MINOR 1
#define SOLO_VERSION_PATCH 0

/* "0.1.0". */
const char *solo_version(void);

/* Finds and opens all devices and loads all registered images now, out of the timed part of a
 * program. Optional: everything happens by itself at first use. Returns 0, or the status of the
 * first device that could not be opened. */
int solo_init(void);

/* Closes all devices and frees what they hold, for long-lived processes that are done with
 * offloading. No other thread may use solo meanwhile; a later use opens the devices anew. */
void solo_fini(void);

/* One failure. Everything is borrowed and lives until the calling thread's next failure. */
typedef struct solo_failure {
  int status;              /* 0: none */
  const char *status_name; /* "DEVICE_NOMEM" */
  int device;              /* -1: none involved */
  int vendor_code;         /* CUresult, hsa_status_t, errno; 0: none */
  const char *text;        /* what failed and what to do */
  const char *where;       /* source place of the construct, in a callback; else "" */
} solo_failure;

/* The calling thread's last failure. */
void solo_last_error(solo_failure *out_failure);

/* Called for every failed construct, before the policy (OMP_TARGET_OFFLOAD) is applied, on the
 * thread that failed. It must not call OpenMP constructs. NULL: none. */
typedef void solo_error_callback(void *context, const solo_failure *failure);
void solo_set_error_callback(solo_error_callback *callback, void *context);

/* --- images registered by hand ---------------------------------------------------------------- */

/* An image, registered for all devices: the first use of one chooses what fits it. Begins with the
 * __tgt_bin_desc under which it is registered (REX's register_cubin returns that). */
typedef struct solo_registration solo_registration;

/* Is this an image that some device could run: an ELF file, PTX, or a container of such? 0, or the
 * status, whose text has the offset and the reason. Asks no driver. */
int solo_check_image(const void *bytes, size_t size);

/* Registers an image from memory, which stays the caller's and must stay where it is until it is
 * unregistered. entries: offload entries of Clang 19 or 22, or what a source-to-source compiler makes in
 * their layout (struct __tgt_offload_entry); both NULL: none, kernels and variables are looked up by
 * name. Several images may be registered for one table of entries. An unreadable image is refused. */
int solo_register_image(const void *bytes, size_t size, const void *entries_begin,
                        const void *entries_end, solo_registration **out_registration);

/* The same from a file, which is read now and may change afterwards. NOT_FOUND: there is none; IO: it
 * cannot be read (vendor_code: errno); else as solo_register_image. */
int solo_register_file(const char *path, const void *entries_begin, const void *entries_end,
                       solo_registration **out_registration);

/* Removes the image from all devices, and what was looked up in it: what is asked of the registration or
 * a kernel of it afterwards is refused (INVALID). No work of it is under way. NULL: nothing. */
void solo_unregister(solo_registration *registration);

/* --- kernels and variables by name, launches with a completion --------------------------------- */

/* A kernel of an image on one device, until the image is unregistered or solo_fini. */
typedef struct solo_kernel_handle solo_kernel_handle;

/* Loads the image on the device if it is not. NOT_FOUND: it has no such kernel. Names are as in the
 * image: of a C++ function the mangled one. */
int solo_find_kernel(solo_registration *registration, int device, const char *name,
                     solo_kernel_handle **out_kernel);

/* Address on the device, and size (0: the image does not say). NOT_FOUND: no such variable. */
int solo_find_global(solo_registration *registration, int device, const char *name,
                     void **out_address, size_t *out_bytes);

/* Where parameter index (from 0) lies in the block of parameters. NOT_FOUND: there are no more, or the
 * image does not tell (the text says so). */
int solo_kernel_parameter(const solo_kernel_handle *kernel, unsigned index, size_t *out_offset,
                          size_t *out_bytes);

/* What a caller waits for. An event of tgt_rtl.h: may be given to what is there, and the other way
 * round. Counted: solo_completion_release gives it back, whenever. */
typedef struct tgt_event *solo_completion;

/* size: sizeof(solo_launch_options), so that it may grow. Zero elsewhere is a default. */
typedef struct solo_launch_options {
  size_t size;
  unsigned teams[3];     /* blocks of the grid; 0: 1 */
  unsigned threads[3];   /* of a block; 0: 1. A CPU's kernel is called once, whatever the shape. */
  unsigned shared_bytes; /* dynamic memory of each block */
  /* Either the address of each parameter's value, as many as the kernel has (the image tells; a CPU's
   * by its C++ name: numbers and pointers), or the block itself: for a CPU 8 bytes each. Copied. */
  void *const *parameters;
  const void *block;
  size_t block_bytes;
  /* Runs behind these; NULLs in it are over. Copied. */
  int after_count;
  solo_completion *after;
} solo_launch_options;

/* Launches and returns. options NULL: one thread, no parameters. out_completion NULL: nobody will ask;
 * a failure is then a later __tgt_rtl_process_dep's. Work of a handle goes on inside solo_completion_wait,
 * solo_completion_query and other calls that launch or wait: there is no thread of ours. */
int solo_launch_kernel(const solo_kernel_handle *kernel, const solo_launch_options *options,
                       solo_completion *out_completion);

/* Waits; returns the launch's status. NULL: 0. */
int solo_completion_wait(solo_completion completion);
/* *out_done: nonzero when it is over, and then the result is the launch's status. */
int solo_completion_query(solo_completion completion, int *out_done);
void solo_completion_release(solo_completion completion);

/* A device, for people. size: sizeof(solo_device_description), so that it may grow. */
typedef struct solo_device_description {
  size_t size;
  char name[64];
  char arch[64];
  char backend[16];
  char uid[64];
  unsigned long long memory_bytes;
  unsigned compute_units;
  int shares_host_memory;
  unsigned warp_size;    /* threads in lockstep; 1: a CPU */
  unsigned max_threads;  /* of a block */
  unsigned shared_bytes; /* most dynamic memory of a block */
} solo_device_description;
int solo_describe_device(int device, solo_device_description *out_description);

/* Prints what is there and why something is not: backends, devices, images and the reason for each
 * refusal; and the settings with their values and origin. */
void solo_explain(FILE *out);
void solo_print_settings(FILE *out);

#ifdef __cplusplus
}
#endif

#endif
