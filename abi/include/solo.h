/* solo.h: functions beyond the OpenMP API, for C and C++.
 *
 * Threads: any, unless stated. Functions of type int return 0 or a status; solo_last_error() has
 * the details. No function ends the program. Sizes are in bytes. */
#ifndef SOLO_H
#define SOLO_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOLO_VERSION_MAJOR  1
#define SOLO_VERSION_MINOR  0
#define SOLO_VERSION_PATCH  0
#define SOLO_VERSION_STRING "1.0.0-rc1"

const char *solo_version(void);

/* Opens all devices and loads all registered images. Without this call, the first use of a device does so, which may be in a
 * timed part of the program. Returns the status of the first device that failed. */
int solo_init(void);

/* Closes all devices and frees their resources. During the call no other thread may use solo. A later use opens the devices
 * again. */
void solo_fini(void);

/* The strings are valid until the calling thread's next failure. */
typedef struct solo_failure {
  int status;
  const char *status_name;
  int device;
  int vendor_code;   /* CUresult, hsa_status_t or errno; 0: none */
  const char *text;  /* reason and remedy */
  const char *where; /* for an error callback: source location; else "" */
} solo_failure;

void solo_last_error(solo_failure *out_failure);

/* Sets a function that is called for each failure, on the failing thread, before OMP_TARGET_OFFLOAD is applied. The function
 * must not execute OpenMP constructs. NULL: no function. */
typedef void solo_error_callback(void *context, const solo_failure *failure);
void solo_set_error_callback(solo_error_callback *callback, void *context);

/* An image that is registered for all devices. Its first member is its __tgt_bin_desc. */
typedef struct solo_registration solo_registration;

/* Returns 0 for an ELF file, PTX, or a container of these. For other bytes, the error text has the
 * offset and the reason. Calls no driver. */
int solo_check_image(const void *bytes, size_t size);

/* Registers an image. The bytes must stay valid until solo_unregister(). The entries have the
 * layout of Clang 19 or 22; NULL: kernels and variables are found by name. Several images may have
 * the same entries. Errors: those of solo_check_image(). */
int solo_register_image(const void *bytes, size_t size, const void *entries_begin,
                        const void *entries_end, solo_registration **out_registration);

/* Registers the content of a file, which is read during the call. Errors: NOT_FOUND; IO
 * (vendor_code: errno); those of solo_register_image(). */
int solo_register_file(const char *path, const void *entries_begin, const void *entries_end,
                       solo_registration **out_registration);

/* Removes the image and its kernels from all devices. No work of the image may be in flight. Later
 * uses fail with INVALID. NULL: no effect. */
void solo_unregister(solo_registration *registration);

/* A kernel on one device, valid until solo_unregister() or solo_fini(). */
typedef struct solo_kernel_handle solo_kernel_handle;

/* Finds a kernel by its name in the image (C++: the mangled name). Loads the image if necessary.
 * The registration owns the handle. Errors: NOT_FOUND. */
int solo_find_kernel(solo_registration *registration, int device, const char *name,
                     solo_kernel_handle **out_kernel);

/* Finds the address of a variable on the device and its size (0: unknown). out_bytes may be NULL.
 * Errors: NOT_FOUND. */
int solo_find_global(solo_registration *registration, int device, const char *name,
                     void **out_address, size_t *out_bytes);

/* Returns offset and size of parameter `index` (from 0) in the parameter block. Errors: NOT_FOUND;
 * UNSUPPORTED: the image does not describe parameters. */
int solo_kernel_parameter(const solo_kernel_handle *kernel, unsigned index, size_t *out_offset,
                          size_t *out_bytes);

/* A counted reference to a launch. The caller may release it at any time. It is also an event of
 * tgt_rtl.h. */
typedef struct tgt_event *solo_completion;

/* size: sizeof(solo_launch_options). Other members may be 0. */
typedef struct solo_launch_options {
  size_t size;
  unsigned teams[3];   /* number of blocks; 0 means 1 */
  unsigned threads[3]; /* threads per block; 0 means 1; a CPU calls the kernel once */
  unsigned shared_bytes;
  /* Set either `parameters` or `block`; the values are copied. parameters: the addresses of the parameter values; requires
   * that the image describes parameters (for a CPU, in the kernel's C++ name). block: the parameter block (for a CPU, 8
   * bytes per parameter). */
  void *const *parameters;
  const void *block;
  size_t block_bytes;
  /* the launch starts after these completions; NULL elements are ignored; the array is copied */
  int after_count;
  solo_completion *after;
} solo_launch_options;

/* Launches without waiting. options NULL: one thread, no parameters. out_completion NULL: a later
 * __tgt_rtl_process_dep() returns a failure. No background thread exists: work progresses only in
 * solo_completion_wait(), solo_completion_query() and calls that launch or wait. */
int solo_launch_kernel(const solo_kernel_handle *kernel, const solo_launch_options *options,
                       solo_completion *out_completion);

/* Waits for the launch and returns its status. NULL: returns 0. */
int solo_completion_wait(solo_completion completion);
/* Does not wait. If the launch is complete, sets *out_done to 1 and returns the status of the
 * launch; else returns 0. */
int solo_completion_query(solo_completion completion, int *out_done);
void solo_completion_release(solo_completion completion);

/* The caller sets `size` to sizeof(solo_device_description). */
typedef struct solo_device_description {
  size_t size;
  char name[64];
  char arch[64];
  char backend[16];
  char uid[64];
  unsigned long long memory_bytes;
  unsigned compute_units;
  int shares_host_memory;
  unsigned warp_size; /* threads of a warp; 1 on a CPU */
  unsigned max_threads;
  unsigned shared_bytes; /* maximum dynamic shared memory of a block */
} solo_device_description;
int solo_describe_device(int device, solo_device_description *out_description);

/* solo_explain() prints backends, devices, images and reasons of rejections; solo_print_settings() prints each setting with
 * value and origin. */
void solo_explain(FILE *out);
void solo_print_settings(FILE *out);

#ifdef __cplusplus
}
#endif

#endif
