/* The layout of mapping tables, for tools/solo-gdb.py in programs without debug information. */
#include "runtime/device/device.h"

#include <stddef.h>

/* Version; offsets in solo_device; number of shards; offsets in solo_mapping. A shard is a mapping
 * table, which begins with its index. table/index_node.h asserts the layout of index nodes. */
__attribute__((used, retain)) const uint16_t solo_debug_layout[] = {
    2,
    offsetof(solo_device, mappings.index),
    offsetof(solo_device, mappings.shards),
    SOLO_SHARDS,
    offsetof(solo_mapping, count),
    offsetof(solo_mapping, device),
    offsetof(solo_mapping, name),
};
