/* solo.h: functions beyond the OpenMP API, for C and C++.
 *
 * Threads: any, unless stated. Errors: functions of type int return 0 or a status;
 * solo_last_error() has the details. No function ends the program. Sizes are in bytes. */
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

const char *solo_version(void);

/* Opens all devices and loads all registered images, so that a timed part of the program does not.
 * Optional: otherwise the first use does it. Returns the status of the first device that failed. */
int solo_init(void);

/* Closes all devices and frees their resources. No other thread may use solo during the call. A
 * later use opens them again. */
void solo_fini(void);

/* A failure. Strings are valid until the calling thread's next failure. */
typedef struct solo_failure {
  int status;              /* 0: none */
  const char *status_name; /* such as "DEVICE_NOMEM" */
  int device;              /* -1: none */
  int vendor_code;         /* CUresult, hsa_status_t or errno; 0: none */
  const char *text;        /* reason and remedy */
  const char *where;       /* source location, in a callback; else "" */
} solo_failure;

/* Returns the calling thread's last failure. */
void solo_last_error(solo_failure *out_failure);

/* Sets the function that is called on the failing thread before OMP_TARGET_OFFLOAD is applied. It
 * must not execute OpenMP constructs. NULL: none. */
typedef void solo_error_callback(void *context, const solo_failure *failure);
void solo_set_error_callback(solo_error_callback *callback, void *context);

/* An image that is registered for all devices. Begins with its __tgt_bin_desc. */
typedef struct solo_registration solo_registration;

/* Checks for an ELF file, PTX, or a container of these. Calls no driver. The error text has the
 * offset and the reason. */
int solo_check_image(const void *bytes, size_t size);

/* Registers an image. bytes is borrowed until solo_unregister(). The entries have the layout of
 * Clang 19 or 22; they are NULL if kernels and variables are found by name. Several images may
 * share entries. An invalid image is rejected. */
int solo_register_image(const void *bytes, size_t size, const void *entries_begin,
                        const void *entries_end, solo_registration **out_registration);

/* Registers a file, which is read immediately. Errors: NOT_FOUND; IO (vendor_code: errno); as
 * solo_register_image(). */
int solo_register_file(const char *path, const void *entries_begin, const void *entries_end,
                       solo_registration **out_registration);

/* Removes the image and its kernels from all devices. None of its work may be in flight. Later uses
 * fail with INVALID. NULL: no-op. */
void solo_unregister(solo_registration *registration);

/* A kernel on one device, valid until solo_unregister() or solo_fini(). */
typedef struct solo_kernel_handle solo_kernel_handle;

/* Finds a kernel by its name in the image (C++: mangled). Loads the image if necessary. The
 * registration owns the handle. Errors: NOT_FOUND. */
int solo_find_kernel(solo_registration *registration, int device, const char *name,
                     solo_kernel_handle **out_kernel);

/* Finds a variable's address on the device and its size (0: unknown). out_bytes may be NULL.
 * Errors: NOT_FOUND. */
int solo_find_global(solo_registration *registration, int device, const char *name,
                     void **out_address, size_t *out_bytes);

/* Returns offset and size of parameter index (from 0) in the parameter block. Errors: NOT_FOUND;
 * UNSUPPORTED if the image does not describe parameters. */
int solo_kernel_parameter(const solo_kernel_handle *kernel, unsigned index, size_t *out_offset,
                          size_t *out_bytes);

/* A counted reference to a launch, which the caller releases at any time. Also an event of
 * tgt_rtl.h. */
typedef struct tgt_event *solo_completion;

/* size: sizeof(solo_launch_options). Other members may be 0. */
typedef struct solo_launch_options {
  size_t size;
  unsigned teams[3];     /* blocks of the grid; 0: 1 */
  unsigned threads[3];   /* of a block; 0: 1. A CPU calls the kernel once. */
  unsigned shared_bytes; /* dynamic memory of a block */
  /* Either the address of each parameter's value, if the image describes parameters (a CPU: by the
   * C++ name), or the block (a CPU: 8 bytes per parameter). Copied. */
  void *const *parameters;
  const void *block;
  size_t block_bytes;
  /* The launch starts after these. NULL: ignored. Copied. */
  int after_count;
  solo_completion *after;
} solo_launch_options;

/* Launches without waiting. options NULL: one thread, no parameters. out_completion NULL: a later
 * __tgt_rtl_process_dep() returns the failure. Work progresses only in solo_completion_wait(),
 * solo_completion_query() and calls that launch or wait. */
int solo_launch_kernel(const solo_kernel_handle *kernel, const solo_launch_options *options,
                       solo_completion *out_completion);

/* Waits; returns the launch's status. NULL: 0. */
int solo_completion_wait(solo_completion completion);
/* Does not wait. If *out_done is nonzero, returns the launch's status. */
int solo_completion_query(solo_completion completion, int *out_done);
void solo_completion_release(solo_completion completion);

/* Properties of a device. size: sizeof(solo_device_description), set by the caller. */
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
  unsigned shared_bytes; /* maximum dynamic memory of a block */
} solo_device_description;
int solo_describe_device(int device, solo_device_description *out_description);

/* Print backends, devices, images and reasons for rejection; settings with value and origin. */
void solo_explain(FILE *out);
void solo_print_settings(FILE *out);

#ifdef __cplusplus
}
#endif

#endif
