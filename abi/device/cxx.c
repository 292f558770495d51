/* Functions of the C++ ABI and of libstdc++. An error ends the kernel, because device code has no exceptions. */
typedef unsigned u32;

#define CALLED __attribute__((weak, visibility("hidden")))

int __llvm_omp_vprintf(const char *format, void *arguments, u32 size);

#define ERROR(name, text)                                                                          \
  CALLED void name(void);                                                                          \
  void name(void) {                                                                                \
    const char *words = text;                                                                      \
    __llvm_omp_vprintf("solo: error: device code: %s\n", &words, sizeof words);                    \
    __builtin_trap();                                                                              \
  }
ERROR(__cxa_pure_virtual, "call of a pure virtual function")
ERROR(__cxa_deleted_virtual, "call of a deleted virtual function")
ERROR(_ZSt17__throw_bad_allocv, "std::bad_alloc")
ERROR(_ZSt28__throw_bad_array_new_lengthv, "std::bad_array_new_length")
ERROR(_ZSt25__throw_bad_function_callv, "std::bad_function_call")
ERROR(abort, "call of abort()")

#define ERROR_WITH_TEXT(name)                                                                      \
  CALLED void name(const char *text);                                                              \
  void name(const char *text) {                                                                    \
    __llvm_omp_vprintf("solo: error: device code: exception: %s\n", &text, sizeof text);           \
    __builtin_trap();                                                                              \
  }
ERROR_WITH_TEXT(_ZSt20__throw_length_errorPKc)
ERROR_WITH_TEXT(_ZSt20__throw_out_of_rangePKc)
ERROR_WITH_TEXT(_ZSt19__throw_logic_errorPKc)
ERROR_WITH_TEXT(_ZSt24__throw_invalid_argumentPKc)

CALLED void _ZSt24__throw_out_of_range_fmtPKcz(const char *format, ...);
void _ZSt24__throw_out_of_range_fmtPKcz(const char *format, ...) {
  __llvm_omp_vprintf("solo: error: device code: exception: %s\n", &format, sizeof format);
  __builtin_trap();
}

/* The first byte of `constructed` is set after the constructor has returned. */
typedef struct guard {
  u32 constructed, locked;
} guard;

/* An addition of 0, because LLVM 19 has no PTX for an acquire load. */
static u32 load(u32 *word) {
  return __atomic_fetch_add(word, 0, __ATOMIC_SEQ_CST);
}

CALLED int __cxa_guard_acquire(guard *g);
int __cxa_guard_acquire(guard *g) {
  while (!load(&g->constructed)) {
    u32 unlocked = 0;
    if (!__atomic_compare_exchange_n(&g->locked, &unlocked, 1, 0, __ATOMIC_SEQ_CST,
                                     __ATOMIC_RELAXED))
      continue;
    if (!load(&g->constructed)) return 1;
    (void)__atomic_exchange_n(&g->locked, 0, __ATOMIC_SEQ_CST);
  }
  return 0;
}

CALLED void __cxa_guard_release(guard *g);
void __cxa_guard_release(guard *g) {
#ifdef __NVPTX__
  __nvvm_membar_gl();
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
  (void)__atomic_exchange_n(&g->constructed, 1, __ATOMIC_SEQ_CST);
  (void)__atomic_exchange_n(&g->locked, 0, __ATOMIC_SEQ_CST);
}

CALLED double nan(const char *tag);
double nan(const char *tag) {
  (void)tag;
  return __builtin_nan("");
}
CALLED float nanf(const char *tag);
float nanf(const char *tag) {
  (void)tag;
  return __builtin_nanf("");
}
