/* by_hand: launches kernels of an image file through the C interface in solo.h, without OpenMP. Any
 * C compiler builds it:
 *   gcc -shared -fPIC -O2 -DDEVICE by_hand.c -o by_hand.image
 *   gcc -O2 by_hand.c -o by_hand -lsolo -lpthread -lm
 *   ./by_hand by_hand.image
 * A cubin or an amdgcn code object with a kernel `scale` runs on a GPU.
 */
#ifdef DEVICE

void scale(double *data, long factor, long count) {
  for (long i = 0; i < count; i++) data[i] *= (double)factor;
}

#else

#include <solo.h>
#include <stdio.h>
#include <stdlib.h>
#include <tgt_rtl.h>

static void check(int status) {
  solo_failure failure;
  if (!status) return;
  solo_last_error(&failure);
  fprintf(stderr, "%s: %s\n", failure.status_name, failure.text);
  exit(1);
}

int main(int argc, char **argv) {
  enum { COUNT = 1000, DEVICE_0 = 0 };
  static double data[COUNT];
  solo_registration *image;
  solo_kernel_handle *scale;
  solo_completion copied, first, second, fetched;
  for (int i = 0; i < COUNT; i++) data[i] = i;

  check(solo_register_file(argc > 1 ? argv[1] : "by_hand.image", NULL, NULL, &image));
  check(solo_find_kernel(image, DEVICE_0, "scale", &scale));
  double *device = __tgt_rtl_data_alloc(DEVICE_0, sizeof data);
  check(device == NULL);

  check(__tgt_rtl_async_data_submit(DEVICE_0, device, data, sizeof data, 0, NULL, &copied));
  struct {
    double *data;
    long factor, count;
  } parameters = {device, 3, COUNT};
  solo_launch_options launch = {.size = sizeof launch,
                                .block = &parameters,
                                .block_bytes = sizeof parameters,
                                .after_count = 1,
                                .after = &copied};
  check(solo_launch_kernel(scale, &launch, &first));
  parameters.factor = 5; /* the first launch has copied the parameters */
  launch.after = &first;
  check(solo_launch_kernel(scale, &launch, &second));
  check(__tgt_rtl_async_data_retrieve(DEVICE_0, data, device, sizeof data, 1, &second, &fetched));

  int done = 0;
  check(solo_completion_query(fetched, &done)); /* does not wait */
  check(solo_completion_wait(fetched));
  solo_completion all[] = {copied, first, second, fetched};
  for (int i = 0; i < 4; i++) solo_completion_release(all[i]);
  check(__tgt_rtl_data_delete(DEVICE_0, device));
  solo_unregister(image);

  for (int i = 0; i < COUNT; i++)
    if (data[i] != 15.0 * i) {
      printf("wrong result: data[%d] is %g, expected %g\n", i, data[i], 15.0 * i);
      return 1;
    }
  puts("right");
  return 0;
}

#endif
