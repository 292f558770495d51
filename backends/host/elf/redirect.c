/* Redirects an image's copies of runtime functions to the runtime of the process, including the
 * stand-ins of flang kernels (abi/kmpc/fortran/device_standin.c). Otherwise the image would use a
 * second runtime with its own devices and mappings. Images are linked with -Bsymbolic, so most
 * calls have no relocation. Therefore a jump overwrites the function in the image. */
#include "backends/host/elf/arch.h"
#include "backends/host/elf/module.h"
#include "backends/host/elf/resolve.h"
#include "backends/host/host_libomp.h"
#include "runtime/base/debug.h"

static uintptr_t runtime_function(const char *name) {
  void *own = solo_host_export(name);
  return own ? (uintptr_t)own : solo_host_libomp_wrapper(name);
}

static const char *runtime_copy_name(const solo_host_elf *m, uint32_t index, Elf64_Sym *s) {
  if (!solo_span_read(m->names.symbols, (uint64_t)index * sizeof *s, s, sizeof *s)) return NULL;
  if (s->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(s->st_info) != STT_FUNC) return NULL;
  const char *name = solo_span_string(m->names.strings, s->st_name);
  return name && runtime_function(name) ? name : NULL;
}

solo_status solo_host_elf_redirect(solo_host_elf *m) {
  uint32_t most = (uint32_t)(m->page / SOLO_STUB_BYTES);
  for (uint32_t i = 1; i < m->symbol_count; i++) {
    Elf64_Sym s;
    const char *name = runtime_copy_name(m, i, &s);
    if (!name) continue;
    uint8_t *at = (uint8_t *)(m->bias + s.st_value);
    uint8_t *stub = m->stubs + (size_t)m->stub_count * SOLO_STUB_BYTES;
    if (!solo_host_elf_segment_of(m, s.st_value, solo_host_jump_bytes, PF_X))
      return solo_fail(SOLO_BAD_IMAGE, "CPU image: function %s is not in its code", name);
    if ((s.st_size < solo_host_jump_bytes && s.st_value % 16 != 0) || m->stub_count == most)
      return solo_fail(
          SOLO_UNSUPPORTED,
          "CPU image contains a copy of the offload runtime (%s) that cannot be redirected "
          "to the runtime of this process; link the image without libomptarget.a",
          name);
    solo_write_stub(stub, runtime_function(name));
    solo_host_write_jump(at, stub);
    m->stub_count++;
    solo_debug(2, "CPU image: calls of its %s reach that of the process", name);
  }
  return SOLO_OK;
}
