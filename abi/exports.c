/* Defines the table of runtime/exports.h: name and address of each exported function. */
#include "abi/exports.h"

#define XX(name) extern char name[] SOLO_WEAK;
SOLO_EXPORTS_MAP(XX)
#undef XX

const solo_export tgt_exports[] = {
#define XX(name) {#name, name},
    SOLO_EXPORTS_MAP(XX)
#undef XX
};

const solo_exports_seam solo_exports = {tgt_exports, sizeof tgt_exports / sizeof *tgt_exports};
