/* Version requirements of images. Drivers before R580 reject cubins of CUDA 13's ptxas. A driver
 * compiles PTX up to its own version (PTX ISA, "Release Notes"; CUDA C++ Programming Guide, "Binary
 * Compatibility"). */
#include "backends/cuda/cuda.h"

#include <stdio.h>
#include <string.h>

enum {
  ABI_VERSION = 8, /* offset of EI_ABIVERSION in the ELF header */
  ABI_OF_13 = 8,
  CUDA_13 = 13000, /* driver version of R580 */
};

/* Returns the highest PTX version that the driver supports, times ten; 0: the driver is newer than
 * this table. */
static unsigned ptx_of(int driver) {
  static const struct {
    int driver;
    unsigned ptx;
  } later[] = {{13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85}};
  if (driver >= CUDA_13 + 1000) return 0;
  for (size_t i = 0; i < sizeof later / sizeof *later; i++)
    if (driver >= later[i].driver)
      return later[i].ptx + (driver >= CUDA_13 ? (unsigned)driver % 1000 / 10 : 0);
  unsigned minor = (unsigned)driver % 1000 / 10; /* CUDA 11.N: PTX 7.N; 12.N to 12.4: 8.N */
  return (driver / 1000 == 11 ? 70 : 80) + minor;
}

/* Returns the number in ".version 8.5", times ten; 0: none. */
static unsigned version_of_ptx(solo_span text) {
  static const char word[] = ".version";
  const char *at = (const char *)text.data, *end = at + text.size;
  while ((at = memchr(at, '.', (size_t)(end - at)))) {
    unsigned major, minor;
    char copy[32] = "";
    size_t left = (size_t)(end - at);
    if (left < sizeof word) return 0;
    memcpy(copy, at, left < sizeof copy ? left : sizeof copy - 1);
    if (memcmp(copy, word, sizeof word - 1) == 0)
      return sscanf(copy + sizeof word - 1, "%u.%u", &major, &minor) == 2 && minor < 10
                 ? major * 10 + minor
                 : 0;
    at++;
  }
  return 0;
}

static int is_of_13(const solo_image *image) {
  return image->bytes.size > ABI_VERSION && image->bytes.data[ABI_VERSION] >= ABI_OF_13;
}

int solo_cuda_version_fits(int driver, const solo_image *image, char *reason, size_t size) {
  int major = driver / 1000, minor = driver % 1000 / 10;
  if (image->kind == SOLO_IMAGE_PTX) {
    unsigned has = version_of_ptx(image->bytes), most = ptx_of(driver);
    if (!has || !most || has <= most) return 1;
    if (size)
      snprintf(reason, size,
               "PTX %u.%u; the driver is CUDA %d.%d's and compiles PTX up to %u.%u (update it, or "
               "compile with --cuda-feature=+ptx%u)",
               has / 10, has % 10, major, minor, most / 10, most % 10, most);
    return 0;
  }
  if (driver >= CUDA_13 || !is_of_13(image)) return 1;
  if (size)
    snprintf(
        reason, size,
        "made by ptxas of CUDA 13 or later; the driver is CUDA %d.%d's (update it to R580, or use "
        "solo-cc --targets=ptx-sm_NN)",
        major, minor);
  return 0;
}

void solo_cuda_version_note(int driver, const solo_image *image, CUresult result) {
  unsigned ptx = version_of_ptx(image->bytes);
  int major = driver / 1000, minor = driver % 1000 / 10;
  if (!solo_cuda_is_version_mismatch(result)) return;
  if (image->kind != SOLO_IMAGE_PTX)
    solo_error_note("; the image is a cubin of CUDA %s, the driver is CUDA %d.%d's",
                    is_of_13(image) ? "13 or later" : "12 or earlier", major, minor);
  else if (ptx)
    solo_error_note("; the image is PTX %u.%u, the driver is CUDA %d.%d's", ptx / 10, ptx % 10,
                    major, minor);
}
