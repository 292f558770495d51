/* The layout of mapping tables for tools/solo-gdb.py, which reads this array by name and so works
 * without debug information. No code refers to the array. */
#include "runtime/device/device.h"

#include <stddef.h>

/* Version; offsets in solo_device; number of shards; offsets in solo_mapping. A shard begins with
 * the same members as the device's table. table/index_node.h asserts the layout of index nodes. */
__attribute__((used, retain)) const uint16_t solo_debug_layout[] = {
    2,
    offsetof(solo_device, mappings.index),
    offsetof(solo_device, mappings.shards),
    SOLO_SHARDS,
    offsetof(solo_mapping, count),
    offsetof(solo_mapping, device),
    offsetof(solo_mapping, name),
};
