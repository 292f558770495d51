/* The device image of q_register.c: kernels k00 to k99 for the CPU. */
#define KERNEL(name)                                                                               \
  void name(void *unused, long *flag);                                                             \
  void name(void *unused, long *flag) {                                                            \
    (void)unused;                                                                                  \
    *flag = 42;                                                                                    \
  }
#define TEN(t)                                                                                     \
  KERNEL(k##t##0)                                                                                  \
  KERNEL(k##t##1)                                                                                  \
  KERNEL(k##t##2)                                                                                  \
  KERNEL(k##t##3)                                                                                  \
  KERNEL(k##t##4)                                                                                  \
  KERNEL(k##t##5)                                                                                  \
  KERNEL(k##t##6)                                                                                  \
  KERNEL(k##t##7)                                                                                  \
  KERNEL(k##t##8)                                                                                  \
  KERNEL(k##t##9)

TEN(0)
TEN(1)
TEN(2)
TEN(3)
TEN(4)
TEN(5)
TEN(6)
TEN(7)
TEN(8)
TEN(9)
