"""parameters.py GPU.ll CPU.ll > OUT.ll: wraps kernels that have parameters other than 8-byte words (CUDA, HIP).
The wrapper receives the words of the parameter block and extracts the parameters. Arrays of dynamic
shared memory (extern __shared__) become one buffer (device/common.c)."""
import re
import sys

gpu, cpu = open(sys.argv[1]).read(), open(sys.argv[2]).read()
kernels = set(re.findall(r"^define[^@]* (?:amdgpu_kernel|ptx_kernel) [^@]*@\"?([\w.$]+)\"?\(", gpu, re.M))
kernels |= set(re.findall(r"!\{ptr @([\w.$]+), !\"kernel\", i32 1\}", gpu))
types = dict(re.findall(r"^(%[\w.\"$:<>, ]+?) = type (.*)$", cpu, re.M))


def split(text):
    out, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "([{<"
        depth -= c in ")]}>"
        if c == "," and depth == 0:
            out.append(text[start:i].strip())
            start = i + 1
    return [p for p in out + [text[start:].strip()] if p]


def layout(t):
    """Size and alignment of a type."""
    t = t.strip()
    if t == "ptr":
        return 8, 8
    scalar = re.fullmatch(r"i(\d+)", t)
    if scalar:
        size = max(1, int(scalar.group(1)) // 8)
        return size, size
    if t in ("float", "double", "half", "bfloat"):
        size = {"float": 4, "double": 8}.get(t, 2)
        return size, size
    array = re.fullmatch(r"([\[<])(\d+) x (.*)[\]>]", t)
    if array:
        size, align = layout(array.group(3))
        size *= int(array.group(2))
        return (size, align) if array.group(1) == "[" else (size, size)
    if t in types:
        return layout(types[t])
    fields, end, most = split(t.strip("{} ")), 0, 1
    for field in fields:
        size, align = layout(field)
        end = (end + align - 1) // align * align + size
        most = max(most, align)
    return (end + most - 1) // most * most, most


def balanced(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += text[i] == "("
        depth -= text[i] == ")"
        if depth == 0:
            return text[at + 1:i]


def wrap(line, name):
    opened = line.index("@" + name) + len(name) + 1
    parameters = split(balanced(line, opened))
    words = all(re.match(r"(ptr|i64)\b(?!.*\b(byval|byref)\()", p) for p in parameters)
    if words or "..." in parameters:
        return line, ""
    fields = []
    for p in parameters:
        held = re.search(r"\b(byval|byref)\(", p)
        if held:
            fields.append((balanced(p, held.end() - 1), True))
        else:
            fields.append((re.match(r"\{.*?\}|\[.*?\]|<.*?>|%[\w.$]+|\w+", p).group(0), False))
    struct = "{ " + ", ".join(t for t, _ in fields) + " }"
    count = (layout(struct)[0] + 7) // 8
    body = re.sub(r"^define [^@]*@" + re.escape(name) + r"\(", f"define internal void @{name}.body(", line)
    body = re.sub(r" comdat(\([^)]*\))?", "", body)
    out = [f"define protected void @{name}({', '.join(f'i64 %w{i}' for i in range(count))}) noinline {{"]
    out.append(f"  %block = alloca [{count} x i64], align 16")
    for i in range(count):
        out.append(f"  %s{i} = getelementptr i64, ptr %block, i64 {i}\n  store i64 %w{i}, ptr %s{i}")
    given = []
    for i, (t, by_pointer) in enumerate(fields):
        out.append(f"  %p{i} = getelementptr {struct}, ptr %block, i32 0, i32 {i}")
        if by_pointer:
            how = re.search(r"\b(byval|byref)\(", parameters[i]).group(1)
            given.append(f"ptr {how}({t}) %p{i}")
        else:
            out.append(f"  %v{i} = load {t}, ptr %p{i}")
            given.append(f"{t} %v{i}")
    out.append(f"  call void @{name}.body({', '.join(given)})\n  ret void\n}}\n")
    return body, "\n".join(out)


dynamic = re.findall(r"^@([\w.$]+) = external [^\n]*thread_local [^\n]*\[0 x ", cpu, re.M)
for n, name in enumerate(d for d in dynamic if d != "DynamicSharedBuffer"):
    cpu = re.sub(r"^@" + re.escape(name) + r" = external [^\n]*\n", "", cpu, flags=re.M)
    cpu = re.sub(r"@" + re.escape(name) + r"(?![\w.$])", "@DynamicSharedBuffer", cpu)
    if n == 0 and "DynamicSharedBuffer" not in dynamic:
        cpu += "@DynamicSharedBuffer = external thread_local global [0 x i8], align 16\n"
lines, added = [], []
for line in cpu.split("\n"):
    found = re.match(r"define [^@]*@([\w.$]+)\(", line)
    if found and found.group(1) in kernels:
        line, wrapper = wrap(line, found.group(1))
        added.append(wrapper)
    lines.append(line)
print("\n".join(lines))
print("\n".join(added))
