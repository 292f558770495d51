__attribute__((nvptx_kernel)) void store(int *p) {
  *p = 1;
}
