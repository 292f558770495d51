/* A function for PTX, compiled without any library. */
__attribute__((nvptx_kernel)) void store(int *p) {
  *p = 1;
}
