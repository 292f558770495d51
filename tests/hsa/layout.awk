# Converts `llvm-readelf --notes` of an amdgcn code object: lines "argument KIND OFFSET SIZE" and, after those of a
# kernel, "kernel NAME SEGMENT-SIZE ALIGN".
function flush_argument() {
  if (kind != "") arguments = arguments "argument " kind " " offset " " size "\n"
  kind = ""
}
function flush_kernel() {
  flush_argument()
  if (name != "") printf "%skernel %s %s %s\n", arguments, name, segment, align
  arguments = name = ""
}
/^  - / { flush_kernel() }
/^amdhsa\.(target|version)/ { flush_kernel() }
/^      - / { flush_argument(); sub(/- /, "  ") }
/^        \.offset:/ { offset = $2 }
/^        \.size:/ { size = $2 }
/^        \.value_kind:/ { kind = $2 }
/^    \.kernarg_segment_size:/ { segment = $2 }
/^    \.kernarg_segment_align:/ { align = $2 }
/^    \.name:/ { name = $2; gsub(/'/, "", name) }
