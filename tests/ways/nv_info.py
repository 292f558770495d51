"""Writes kernel parameters as ptxas does: nv_info.py FILE.ptx FOLDER creates FOLDER/NAME for section .nv.info.NAME of each
kernel (layout: runtime/image/target_parameters.c)."""
import re
import struct
import sys

text = open(sys.argv[1]).read()
for name, parameters in re.findall(r"\.entry\s+([\w$.]+)\s*\(([^)]*)\)", text):
    out, end = b"", 0
    for ordinal, parameter in enumerate(p for p in parameters.split(",") if p.strip()):
        declared = re.sub(r"\.ptr[^\w]*(\.\w+\s+)*(\.align\s+\d+)?", " ", parameter)
        size = int(re.search(r"\.[bsuf](8|16|32|64)\b", declared).group(1)) // 8
        align = re.search(r"\.align\s+(\d+)", declared)
        elements = re.search(r"\[(\d+)\]", declared)
        at = int(align.group(1)) if align else size
        end = (end + at - 1) // at * at
        total = size * (int(elements.group(1)) if elements else 1)
        out += struct.pack("<BBHIHHI", 4, 0x17, 12, 0, ordinal, end, total << 18 | 0x1F000)
        end += total
    open(f"{sys.argv[2]}/{name}", "wb").write(out)
