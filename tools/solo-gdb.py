"""For gdb: gdb -x solo-gdb.py PROGRAM [CORE], then

    info solo-mappings      the mapping table of each open device: host and device range, counts, name

Requires the program's symbol table (no strip), but no debug information of the library.

    break FILE:LINE         has one location in the host code of a target region and one in its device code

Clang emits several functions for a parallel region, which share the directive's line. For a line of the body, only the
location in the innermost function stays enabled; for the directive's line, those in the kernel and in the enclosing
function. Other locations are disabled once, when they appear. `enable 1.3` enables a location again;
`set solo-every-location on` before the break command enables all.
"""
import re
import struct

import gdb

# index nodes (runtime/table/index_node.h)
LEVEL_BITS = 63
FIRST_CHILD = 256
LEAF_KEYS, LEAF_SLOTS, LEAF_NEXT, LEAF_MAX = 8, 128, 376, 15
NO_KEY = (1 << 64) - 1
# fields of a state word (runtime/table/mapping.h)
DYNAMIC, HOLD_SHIFT, HOLD, LIVE = 0xFFFFF, 20, 0x3FF, 0x3FFFFFFF


def address_of(symbol):
    return int(gdb.parse_and_eval("(unsigned long)&%s" % symbol))


def read(address, form):
    data = gdb.selected_inferior().read_memory(address, struct.calcsize(form))
    values = struct.unpack(form, bytes(data))
    return values[0] if len(values) == 1 else values


def text(address):
    if not address:
        return "unknown"
    out = b""
    while len(out) < 256:
        one = bytes(gdb.selected_inferior().read_memory(address + len(out), 1))
        if one == b"\0":
            break
        out += one
    return out.decode("utf-8", "replace")


def place(name):
    """"p[0:9] (file.c:11)" of the compiler's ";p[0:9];file.c;11;3;;"."""
    fields = name.split(";")
    return "%s (%s:%s)" % tuple(fields[1:4]) if len(fields) > 4 else name


def mappings(index):
    """Yields (begin, end, mapping) in order of addresses."""
    root = read(index, "<Q")
    node = root & ~LEVEL_BITS
    for _ in range(root & LEVEL_BITS):
        node = read(node + FIRST_CHILD, "<Q")
    while node:
        keys = read(node + LEAF_KEYS, "<%dQ" % LEAF_MAX)
        slots = read(node + LEAF_SLOTS, "<%dQ" % (2 * LEAF_MAX))
        for key, place in sorted((k, i) for i, k in enumerate(keys) if k != NO_KEY):
            yield key, slots[2 * place], slots[2 * place + 1]
        node = read(node + LEAF_NEXT, "<Q")


def at_least(count, large):
    return "%d+" % count if count == large else count


class Mappings(gdb.Command):
    """The mapping table of each open device."""

    def __init__(self):
        super().__init__("info solo-mappings", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        try:
            layout = address_of("solo_debug_layout")
            devices, known = address_of("solo_devices"), address_of("solo_devices_numbered")
        except gdb.error as problem:
            raise gdb.GdbError("no mapping tables: %s (is the program stripped, or not started?)" % problem)
        version, table, shards_at, shard_count, count_at, device_at, name_at = read(layout, "<7H")
        if version != 2:
            raise gdb.GdbError("solo-gdb.py does not know this version of the library")
        for number in range(read(known, "<i")):
            device = read(devices + 8 * number, "<Q")
            index = read(device + table, "<Q") if device else 0
            if not index:
                print("device %d: not open" % number)
                continue
            # skip cached and closing mappings
            indexes, shards = [index], read(device + shards_at, "<Q")
            if shards:
                indexes += [read(shard, "<Q") for shard in read(shards, "<%dQ" % shard_count) if shard]
            rows = sorted(row for index in indexes for row in mappings(index)
                          if read(row[2] + count_at, "<Q") & LIVE)
            print("device %d: %d mapping%s" % (number, len(rows), "" if len(rows) == 1 else "s"))
            if rows:
                print("  %-18s %-18s %10s %9s %5s  %s" %
                      ("host", "device", "bytes", "dynamic", "hold", "name"))
            for begin, end, mapping in rows:
                count = read(mapping + count_at, "<Q")
                dynamic = count & DYNAMIC
                print("  0x%016x 0x%016x %10d %9s %5s  %s" %
                      (begin, read(mapping + device_at, "<Q"), end - begin,
                       "infinite" if dynamic == DYNAMIC else at_least(dynamic, DYNAMIC - 1),
                       at_least((count >> HOLD_SHIFT) & HOLD, HOLD), place(text(read(mapping + name_at, "<Q")))))


class EveryLocation(gdb.Parameter):
    """Leave every location of a breakpoint enabled, also in compiler-generated functions."""

    set_doc = show_doc = __doc__

    def __init__(self):
        super().__init__("solo-every-location", gdb.COMMAND_BREAKPOINTS, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self):
        return ""


KERNEL = re.compile(r"(.*__omp_offloading_.*?_l(\d+))(_debug__)?(\.|$)")
PARAMETERS = re.compile(r"\([^()]*(\([^()]*\)[^()]*)*\)( const)?$")  # of a C++ name


def function_at(place):
    """(compilation unit, begin, name without parameters) of a location's function."""
    block = gdb.block_for_pc(place.address)
    unit = block.static_block.start if block and block.static_block else 0
    while block and not block.function:
        block = block.superblock
    name = block.function.name if block else place.function or ""
    return unit, block.start if block else 0, PARAMETERS.sub("", name)


def wanted(places, line):
    """Addresses to stop at: one in each source function, one in each kernel or parallel region. Host and
    device code are separate compilation units."""
    choices = {}
    for address, (unit, begin, name) in sorted((p.address, function_at(p)) for p in places):
        kernel = KERNEL.match(name)
        if not kernel and ".omp_outlined" not in name:
            choices.setdefault((unit, begin), []).append(((), address))
            continue
        # Only the innermost function has the body's variables. Clang's outer function only calls `_debug__`.
        depth = name.count(".omp_outlined")
        is_directive = kernel and int(kernel.group(2)) == line
        rank = (name.endswith("reduction_func"), depth if is_directive else -depth,
                not name.endswith("_debug__"))
        region = kernel.group(1) if kernel else name.split(".omp_outlined")[0]
        choices.setdefault((unit, region), []).append((rank, address))
    if all(rows[0][0] == () for rows in choices.values()):
        return {p.address for p in places}  # no directive: all locations
    return {min(rows)[1] for rows in choices.values()}


class OneLocation:
    def __init__(self, every):
        self.every = every
        self.seen = {}
        self.busy = False
        gdb.events.breakpoint_created.connect(self.look)
        gdb.events.breakpoint_modified.connect(self.look)

    def look(self, point):
        asked = re.search(r":(\d+)$", point.location or "") or re.match(r"(\d+)$", point.location or "")
        if self.busy or self.every.value or not asked or not point.is_valid():
            return
        seen = self.seen.setdefault(point.number, set())
        places = point.locations
        keep = wanted(places, int(asked.group(1)))
        on = {}  # address: enabled
        self.busy = True
        try:
            for place in places:
                address = place.address
                # Of locations with the same address at most one stays enabled; gdb resets the first.
                off = on[address] or address not in keep if address in on else \
                    address not in seen and address not in keep
                if off and place.enabled:
                    place.enabled = False
                on[address] = on.get(address, False) or place.enabled
            seen.update(p.address for p in places)
        finally:
            self.busy = False


Mappings()
if hasattr(gdb, "BreakpointLocation"):  # gdb 13
    OneLocation(EveryLocation())
