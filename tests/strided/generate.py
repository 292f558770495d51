#!/usr/bin/env python3
# Description: writes a C program with random array sections in target updates: generate.py SEED COUNT
import random
import sys

rng = random.Random(int(sys.argv[1]))
COUNT = int(sys.argv[2])

# block, expression, element bytes, dimensions (elements), kind
ARRAYS = [
    ("a1", "a1", 1, [64], "array"), ("d1", "d1", 8, [64], "array"), ("t1", "t1", 12, [64], "array"),
    ("i1", "i1", 4, [64], "array"), ("i2", "i2", 4, [7, 9], "array"), ("i3", "i3", 4, [5, 6, 7], "array"),
    ("i4", "i4", 4, [3, 4, 5, 6], "array"), ("heap", "pointer", 4, [200], "pointer"),
    ("heap+100", "middle", 4, [200], "middle"), ("i2", "rows", 4, [7, 9], "pointer"),
    ("heap", "(*indirect)", 4, [200], "pointer"), ("heap", "s.data", 4, [200], "pointer"),
    ("heap", "ps->data", 4, [200], "pointer"), ("s.arr", "s.arr", 4, [60], "member"),
    ("s.arr", "ps->arr", 4, [60], "member"), ("s.in.v", "s.in.v", 4, [40], "member"),
    ("s.in.v", "ps->link->v", 4, [40], "member"), ("s.several[1].v", "s.several[1].v", 4, [40], "member"),
    ("s.two", "s.two", 4, [6, 9], "member"), ("many[1].arr", "many[1].arr", 4, [60], "member"),
    ("many[2].in.v", "many[2].in.v", 4, [40], "member"),
]
SIBLINGS = ["s.first", "s.last", "pad"]


def spell(value, kinds):
    """The value as a literal, an expression or a variable."""
    way = rng.choice(kinds)
    if way == "variable" and 0 <= value < 10:
        return "n%d" % value
    if way == "enum" and 0 < value < 10:
        return "E%d" % value
    if way == "sum":
        return "%d+%d" % (value - 1, 1)
    if way == "suffix" and value >= 0:
        return "%dU" % value
    if way == "condition":
        return "n1?%d:9" % value
    return str(value)


def subscript(extent, low, form, mode):
    """(text, lower, count, step); form: index, section, all."""
    if form == "index":
        at = rng.randrange(extent)
        return "[%s]" % spell(at, mode), at, 1, 1
    if form == "all":
        return "[:]", 0, extent, 1
    step = rng.choice([1, 1, 2, 2, 3, 4, 5])
    lower = rng.randrange(low, extent)
    count = rng.randint(1, max(1, (extent - 1 - lower) // step + 1))
    count = min(count, 20)
    text = "" if lower == 0 and rng.random() < .3 else spell(lower, mode)
    text += ":" + spell(count, mode)
    if step != 1 or rng.random() < .2:
        text += ":" + spell(step, mode)
    return "[%s]" % text, lower, count, step


def shape():
    block, expression, unit, extents, kind = rng.choice(ARRAYS)
    mode = rng.choice([["literal"], ["literal"], ["literal", "sum", "suffix"],
                       ["literal", "variable"], ["literal", "enum", "condition"]])
    if kind == "middle":
        extents = [100]
    depth = rng.randint(1, len(extents))
    forms = [rng.choice(["section"] * 5 + ["index", "all"]) for _ in range(depth)]
    forms[rng.randrange(depth)] = "section"
    outermost = next(k for k, form in enumerate(forms) if form != "index")
    forms[outermost] = "section"
    text, first, dims = "", 0, []
    inside = [1] * len(extents)
    for k in range(len(extents) - 2, -1, -1):
        inside[k] = inside[k + 1] * extents[k + 1]
    required = len(forms) == 1 and mode == ["literal"]
    lost = False
    for k in range(depth):
        low = -100 if kind == "middle" else 0
        part, lower, count, step = subscript(extents[k], low, forms[k], mode)
        text += part
        # the compilers omit such a subscript from the name, too, and copy whole rows
        lost |= k > outermost and ("n" in part)
        first += lower * inside[k] * unit
        dims.append((count, step * inside[k] * unit))
    element = inside[depth - 1] * unit
    direction = rng.choice(["to", "from"])
    clause = expression + text
    parts = ["{(char *)(%s) + %d, %d, %d, {%s}}" % (
        block if block != "heap+100" else "heap + 100", first, element, depth,
        ", ".join("{%d, %d}" % d for d in dims))]
    if rng.random() < .15 and depth == 1:
        sibling = rng.choice(SIBLINGS)
        clause = rng.choice(["%s, %s", "%s, %s"]) % ((clause, sibling) if rng.random() < .5 else (sibling, clause))
        parts.append("{(char *)&%s, 4, 0, {{0}}}" % sibling)
        required = False
    need = "LOST" if lost else "COMPILER_PASSES_STEPS" if required else "NAMED"
    return clause, expression, direction, need, parts


print('#include "strided.h"')
print("char a1[64]; double d1[64]; struct triple t1[64];")
print("int i1[64], i2[7][9], i3[5][6][7], i4[3][4][5][6], heap[200], pad;")
print("struct outer s, many[3];")
print("static struct outer *ps = &s; static int *pointer = heap, *middle = heap + 100;")
print("static int (*rows)[9] = i2, **indirect = &pointer;")
print("enum {" + ", ".join("E%d = %d" % (k, k) for k in range(1, 10)) + "};")
print("static volatile int " + ", ".join("n%d = %d" % (k, k) for k in range(10)) + ";")
made = [shape() for _ in range(COUNT)]
for k, (clause, _, direction, _, _) in enumerate(made):
    print("static void f%d(void) {\n#pragma omp target update %s(%s)\n}" % (k, direction, clause))
print("const shape shapes[] = {")
for k, (clause, expression, direction, required, parts) in enumerate(made):
    print('  {f%d, "%s(%s)", "%s", %s, %s, {%s}},' % (
        k, direction, clause, expression, direction.upper(), required,
        ", ".join(parts)))
print("};\nconst int shape_count = %d;" % COUNT)
print("""int main(int argc, char **argv) {
  (void)argv;
  s.data = heap;
  s.link = &s.in;
#pragma omp target enter data map(to : a1, d1, t1, i1, i2, i3, i4, heap, s, many, pad)
#pragma omp target
  {}
  solo_set_error_callback(note, 0);
  return check(argc);
}""")
