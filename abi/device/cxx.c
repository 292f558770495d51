/* Device code: functions of the C++ ABI that virtual tables refer to. */
#define CALLED __attribute__((weak, visibility("hidden")))

/* A call of a function without a definition ends the kernel. */
CALLED void __cxa_pure_virtual(void);
void __cxa_pure_virtual(void) {
  __builtin_trap();
}

CALLED void __cxa_deleted_virtual(void);
void __cxa_deleted_virtual(void) {
  __builtin_trap();
}
