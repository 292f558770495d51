/* The image and devices of the target-RTL tests: the CPU and two deferred devices. */
#ifndef SOLO_TEST_RTL_KIT_H
#define SOLO_TEST_RTL_KIT_H

#include "abi/include/solo.h"
#include "abi/include/tgt_rtl.h"
#include "abi/rtl/event.h"
#include "abi/tgt_types.h"
#include "runtime/image/linked.h"
#include "tests/deferred/deferred.h"
#include "tests/unit/test.h"

#if TEST_SIMULATED
#define TEST_FAILURES                 0
#define solo_deferred_fail_at(n)      ((void)(n))
#define solo_deferred_fail_work_at(n) ((void)(n))
#define solo_deferred_count()         ((solo_deferred_counts){0})
#else
#define TEST_FAILURES 1
#endif

enum { KIT_MIX, KIT_ABSENT, KIT_GLOBAL, KIT_ENTRIES };

static uint64_t kit_mix(uint64_t seed, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15) + a;
  x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9) + b;
  return (x ^ x >> 32) * UINT64_C(0x94d049bb133111eb) + c;
}

/* KIT_COMPILED: the kernel has a hidden first parameter, like Clang's kernels. */
static void kit_kernel_mix(
#ifdef KIT_COMPILED
    const void *launch_environment,
#endif
    uint64_t *out, uint64_t seed, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
#ifdef KIT_COMPILED
  (void)launch_environment;
#endif
  *out = kit_mix(seed, a ? *a : 0, b ? *b : 0, c ? *c : 0);
}

static int kit_global = 7, kit_global_device = 7;
static char kit_key_mix, kit_key_absent;
static const solo_linked_symbol kit_symbols[] = {
    {"global", &kit_global_device, sizeof kit_global_device},
    {"mix", (void *)(uintptr_t)kit_kernel_mix, 0}};
static const solo_linked_image kit_linked = {
    SOLO_LINKED_MAGIC, SOLO_LINKED_VERSION, 0, 1, SOLO_ARCH_ELF_MACHINE, 2, kit_symbols};
static tgt_entry_22 kit_entries[] = {{0, 1, 1, 0, &kit_key_mix, "mix", 0, 0, NULL},
                                     {0, 1, 1, 0, &kit_key_absent, "absent", 0, 0, NULL},
                                     {0, 1, 1, 0, &kit_global, "global", sizeof(int), 0, NULL}};
__attribute__((unused)) static __tgt_device_image kit_image = {
    (void *)(uintptr_t)&kit_linked, (void *)(uintptr_t)(&kit_linked + 1), kit_entries,
    kit_entries + KIT_ENTRIES};

#endif
