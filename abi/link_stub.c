/* libomptarget.so, the name that linkers look for beside libsolo.so: it has libomptarget's SONAME, so that a program
 * linked with it runs with solo's library and with stock's alike. It is a filter: what it defines is libsolo.so's,
 * should somebody load it.
 */
#include "abi/exports.h"
#include "runtime/base/platform.h"

#define XX(name)                                                                                   \
  SOLO_EXPORT void name(void);                                                                     \
  void name(void) {}
SOLO_EXPORTS_MAP(XX)
