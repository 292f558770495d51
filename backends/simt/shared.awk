# Gives shared variables, which llc compiled as thread-local variables, fixed offsets from the gs base. Reads the assembly
# twice. base: offset of the shared memory. Fails if a variable is external (dynamic) or the sum exceeds `limit` bytes.
FNR == 1 { pass++; is_shared = 0; align = 16 }
/^\t\.(section|text|data|bss)/ { is_shared = /\.t(bss|data),/ }
pass == 1 && is_shared {
  if ($1 == ".p2align") align = $2 < 4 ? 16 : 2 ^ $2
  else if ($1 == ".zero") end += $2
  else if (match($0, /^("[^"]*"|[A-Za-z0-9_.$]+):/)) {
    end = offset[substr($0, 1, RLENGTH - 1)] = int((end + align - 1) / align) * align
    align = 16
  }
}
pass == 1 { next }
end > limit { exit 1 }
is_shared && !/^\t\.(hidden|protected|weak|type|globl)\t/ { next }
/^\t\.(hidden|protected|weak|type|globl)\t/ {
  name = $2
  sub(/,@object$/, "", name)
  if (name in offset) next
}
/^\t\.asci/ || !/%fs:|@TPOFF/ { print; next }
{
  gsub(/%fs:/, "%gs:")
  while (match($0, /("[^"]*"|[A-Za-z0-9_.$]+)@TPOFF/)) {
    name = substr($0, RSTART, RLENGTH - 6)
    is_value = name ~ /^\$/ && !(name in offset)
    if (is_value) name = substr(name, 2)
    if (!(name in offset)) exit 1
    $0 = substr($0, 1, RSTART - 1) (is_value ? "$" : "") (base + offset[name]) substr($0, RSTART + RLENGTH)
  }
  print
}
