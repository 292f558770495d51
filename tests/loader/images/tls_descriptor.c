/* Built with -mtls-dialect=gnu2. */
__thread int described = 9;
int value(void) {
  return described;
}
