/* The loader for tests in C++, which the library's C11 headers are not for. Fails the test itself.
 */
#ifndef SOLO_TEST_LOADER_SHIM_H
#define SOLO_TEST_LOADER_SHIM_H

#ifdef __cplusplus
extern "C" {
#endif
typedef void shim_function(void);
void *shim_load(const char *folder, const char *name);
shim_function *shim_find(void *module, const char *name);
void shim_unload(void *module);
#ifdef __cplusplus
}
#endif

#endif
