/* Contains wrong copies of runtime functions. Calls must reach the functions of the process. */
static volatile int wrong = 12345;
static const char *volatile no_version;
__attribute__((noinline)) int omp_get_num_devices(void) {
  return wrong;
}
__attribute__((noinline)) int omp_get_initial_device(void) {
  return wrong;
}
__attribute__((noinline)) const char *solo_version(void) {
  return no_version;
}
/* not defined here, because libomp also defines the function */
extern int omp_get_device_num(void);
int (*address)(void) = omp_get_num_devices;

int count_devices(void) {
  return omp_get_num_devices();
}
int initial_device(void) {
  return omp_get_initial_device();
}
int through_address(void) {
  return address();
}
int has_version(void) {
  return solo_version() != 0;
}
int device_num(void) {
  return omp_get_device_num();
}
