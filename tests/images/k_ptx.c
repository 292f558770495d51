/* Input of the image tests: a kernel for NVIDIA GPUs. */
__attribute__((nvptx_kernel)) void store(int *p) {
  *p = 1;
}
