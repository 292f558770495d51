#!/bin/sh
# Description: checks that only the files of `known` contain macros, ELF machines or relocations of a processor
# (runtime/base/arch.h), and that each architecture has all its files.
cd "$(dirname "$0")/../.." || exit 1
known='^(runtime/base/arch\.h|runtime/base/arch/[a-z0-9_]+\.h|backends/host/elf/reloc_[a-z0-9_]+\.c|tools/machine\.c|runtime/image/target_elf\.c|abi/policy\.c|abi/include/solo_indirect\.h):'
macros='__x86_64__|__i386__|__amd64__|__aarch64__|__arm__|__ARM_|__riscv|__powerpc|__s390x__|__loongarch'
machines='\bEM_(X86_64|AARCH64|RISCV|PPC64|S390|LOONGARCH)\b|\bR_(X86_64|AARCH64|RISCV)_'
fail=0
bad=$(grep -nE "$macros|$machines" -r runtime abi backends tools ports --include=*.[ch] | grep -vE "$known")
[ -z "$bad" ] || { echo "code for a processor outside the allowed files:"; echo "$bad"; fail=1; }
# files with names only in help texts or for modes of one processor
named='^(tools/solo_cc\.c|tools/solo_link\.c|tools/link_simt\.c|tools/pack_bundle\.c):'
bad=$(grep -nE '"[^"]*(x86_64|aarch64|riscv64)' -r runtime abi backends tools --include=*.[ch] | grep -vE "$known|$named|:[0-9]+: *(/\*|\*)|/\*.*\"(x86_64|aarch64)")
[ -z "$bad" ] || { echo "name of a processor outside the allowed files:"; echo "$bad"; fail=1; }
for file in runtime/base/arch/*.h; do
  name=$(basename "$file" .h)
  grep -q "arch/$name.h" runtime/base/arch.h || { echo "runtime/base/arch.h does not include $file"; fail=1; }
  [ -f "backends/host/elf/reloc_$name.c" ] || { echo "backends/host/elf/reloc_$name.c is missing"; fail=1; }
  grep -q "\"$name\"" tools/machine.c || { echo "tools/machine.c has no row for $name"; fail=1; }
  for word in SOLO_ARCH_NAME SOLO_ARCH_ELF_MACHINE SOLO_ARCH_SMALL_COPY solo_cpu_relax solo_thread_pointer SOLO_ARCH_DTV_OFFSET SOLO_ARCH_GENERAL_REGISTERS \
    SOLO_STUB_BYTES solo_write_stub SOLO_ARCH_TRAP SOLO_ARCH_CALL_MANY SOLO_ARCH_CALL_REGION; do
    grep -q "$word" "$file" || { echo "$file does not define $word"; fail=1; }
  done
done
[ $fail = 0 ] && echo "processor code is only in the allowed files"
exit $fail
