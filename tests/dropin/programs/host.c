/* A program with target regions that loads two libraries with target regions. */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

typedef struct answers {
  int present, value, devices, device_inside;
} answers;
typedef void library_function(int *data, int count, answers *out);

static library_function *load(const char *path, void **handle) {
  *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!*handle) {
    printf("%s\n", dlerror());
    return 0;
  }
  return (library_function *)dlsym(*handle, "use_data");
}

int main(int argc, char **argv) {
  static int data[100];
  answers a = {0}, b = {0};
  void *first, *second;
  int device = omp_get_default_device();
  if (argc != 3) return 2;
  for (int i = 0; i < 100; i++) data[i] = i;
#pragma omp target enter data map(to : data)
#pragma omp target
  for (int i = 0; i < 100; i++) data[i] += 1000;
  library_function *f = load(argv[1], &first), *g = load(argv[2], &second);
  if (!f || !g) return 2;
  f(data, 100, &a);
  g(data, 100, &b);
  printf("first: present %d value %d devices %d device %d\n", a.present, a.value,
         a.devices == omp_get_num_devices(), a.device_inside);
  printf("second: present %d value %d devices %d device %d\n", b.present, b.value,
         b.devices == omp_get_num_devices(), b.device_inside);
  dlclose(first); /* unregisters only the regions of this library */
  g(data, 100, &b);
  printf("second: value %d\n", b.value);
#pragma omp target exit data map(from : data)
  printf("host: %d present %d\n", data[7], omp_target_is_present(data, device) != 0);
  dlclose(second);
  int x = 1;
#pragma omp target map(x)
  x++;
  printf("end: %d\n", x);
  return 0;
}
