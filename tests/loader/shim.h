/* The loader's interface for C++ tests, which cannot include the C11 headers. An error ends the
 * test. */
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
