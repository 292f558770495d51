"""Writes the metadata note of a simulated amdgcn code object as assembly: note.py KERNELS.c... > note.s

A kernel is a declaration SIM_KERNEL void name(...); its parameters are 8-byte slots. The hidden arguments
that the simulated runtime checks have the offsets of clang-19 (code object version 5)."""
import re
import sys


def text(value):
    data = value.encode()
    return (bytes([0xA0 | len(data)]) if len(data) < 32 else bytes([0xD9, len(data)])) + data


def number(value):
    return bytes([value]) if value < 128 else b"\xcd" + value.to_bytes(2, "big")


def array(items):
    head = bytes([0x90 | len(items)]) if len(items) < 16 else b"\xdc" + len(items).to_bytes(2, "big")
    return head + b"".join(items)


def table(pairs):
    head = bytes([0x80 | len(pairs)]) if len(pairs) < 16 else b"\xde" + len(pairs).to_bytes(2, "big")
    return head + b"".join(text(key) + value for key, value in pairs)


def argument(offset, size, kind):
    return table([(".offset", number(offset)), (".size", number(size)), (".value_kind", text(kind))])


HIDDEN = [(0, 4, "hidden_block_count_x"), (4, 4, "hidden_block_count_y"),
          (8, 4, "hidden_block_count_z"), (12, 2, "hidden_group_size_x"),
          (14, 2, "hidden_group_size_y"), (16, 2, "hidden_group_size_z"),
          (64, 2, "hidden_grid_dims"), (96, 8, "hidden_heap_v1"),
          (120, 4, "hidden_dynamic_lds_size"), (200, 8, "hidden_queue_ptr")]


def kernel(name, parameters):
    slots = [p for p in parameters.split(",") if p.strip() and p.strip() != "void"]
    arguments = [argument(8 * i, 8, "global_buffer" if "*" in p else "by_value")
                 for i, p in enumerate(slots)]
    start = 8 * len(slots)
    arguments += [argument(start + offset, size, kind) for offset, size, kind in HIDDEN]
    return table([(".args", array(arguments)), (".group_segment_fixed_size", number(0)),
                  (".kernarg_segment_align", number(8)),
                  (".kernarg_segment_size", number(start + 256)),
                  (".max_flat_workgroup_size", number(1024)), (".name", text(name)),
                  (".private_segment_fixed_size", number(0)), (".symbol", text(name + ".kd")),
                  (".uses_dynamic_stack", b"\xc2"), (".wavefront_size", number(64))])


source = "".join(open(path).read() for path in sys.argv[1:])
declaration = r'SIM_KERNEL void (\w+)\(([^)]*)\)(?: __asm__\("([^"]+)"\))?'
kernels = [kernel(label or name, parameters)
           for name, parameters, label in re.findall(declaration, source)]
note = table([("amdhsa.kernels", array(kernels)), ("amdhsa.target", text("amdgcn-amd-amdhsa--gfx90a")),
              ("amdhsa.version", array([number(1), number(2)]))])
print('\t.section .note.GNU-stack,"",@progbits\n\t.section .note,"a",@note\n\t.balign 4')
print(f'\t.long 7, {len(note)}, 32\n\t.ascii "AMDGPU\\0\\0"')
for at in range(0, len(note), 16):
    print("\t.byte " + ", ".join(str(b) for b in note[at:at + 16]))
print("\t.balign 4")
