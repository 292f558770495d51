/* A failed assertion in device code. */
#if defined(__NVPTX__)
void __assertfail(const char *, const char *, unsigned, const char *, unsigned long);
#define check(x) ((x) ? (void)0 : __assertfail(#x, __FILE__, __LINE__, __func__, 1))
#else
#define check(x) ((void)(x))
#endif
int main(void) {
  int n = 7;
#pragma omp target map(to : n)
  check(n == 8); /* here */
  return 0;
}
