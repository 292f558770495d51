/* The table of runtime/exports.h. Addresses only: this file knows no prototype. */
#include "abi/exports.h"

#include "runtime/exports.h"

#define XX(name) extern char name[] SOLO_WEAK;
SOLO_EXPORTS_MAP(XX)
#undef XX

const solo_export solo_exports[] = {
#define XX(name) {#name, name},
    SOLO_EXPORTS_MAP(XX)
#undef XX
};

const uint32_t solo_export_count = sizeof solo_exports / sizeof *solo_exports;
