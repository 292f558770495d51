/* Where the mapping tables are, for a debugger: tools/solo-gdb.py reads them in a process or a core file,
 * without debug information of this library. No code refers to it, so it is marked as used.
 */
#include "runtime/device/device.h"

#include <stddef.h>

/* version; offsets in solo_device; how many shards; offsets in solo_mapping. A shard begins as the
 * table in the device does; the nodes of the index are as table/index_node.h asserts. */
__attribute__((used, retain)) const uint16_t solo_debug_layout[] = {
    2,
    offsetof(solo_device, mappings.index),
    offsetof(solo_device, mappings.shards),
    SOLO_SHARDS,
    offsetof(solo_mapping, count),
    offsetof(solo_mapping, device),
    offsetof(solo_mapping, name),
};
