/* The device code that an adapter supplies in the device's format: these kernels and one global.
 *
 * Every parameter is an 8-byte slot; slot 0 is the launch environment, which kernels ignore. Cells
 * are 64-bit integers in device memory; arithmetic wraps.
 *
 *   conf_empty  (env)                    nothing
 *   conf_affine (env, x, mul, add)       *x = *x * mul + add, by one thread
 *   conf_slow   (env, x, ns, value)      after ns nanoseconds, *x = value
 *   conf_many   (env, out, a2 ... a24)   *out = the sum of i * a_i, i from 2 to 24
 *   conf_grid   (env, out)               out[team * threads + thread] = team * 65536 + thread + 1
 *                                        by every thread, with linear numbers (x fastest); only
 *                                        with SOLO_DEVICE_HAS_RTL
 *   conf_read   (env, out)               *out = conf_global[1]
 *   conf_write  (env, value)             conf_global[1] = value
 *   conf_fault  (env)                    reads address 0
 *   conf_global                          32 bytes, initially 7, 11, 0, 0
 */
#ifndef CONF_KERNELS_H
#define CONF_KERNELS_H

enum { CONF_MANY_SLOTS = 25, CONF_GLOBAL_BYTES = 32, CONF_GLOBAL_0 = 7, CONF_GLOBAL_1 = 11 };

#endif
