#!/bin/sh
# Writes tools/start.ld anew: which functions a short static program with musl executes, found by
# running one under callgrind.   tools/start_order.sh >start.ld.new && mv start.ld.new tools/start.ld
# To be run when tests/programs/startup.sh counts more page faults than it allows. Needs valgrind.
set -eu
cd "$(dirname "$0")/.."
dir=build/start_order
mkdir -p $dir
libc=/usr/lib/$(uname -m)-linux-musl/libc.a
build/bin/solo-cc --static -O2 -g -I. bench/q_startup.c -o $dir/program
strip -g $dir/program -o $dir/stripped # callgrind reads no Clang debug information
valgrind --tool=callgrind --callgrind-out-file=$dir/profile $dir/stripped >/dev/null 2>&1
sed -n 's/^c\{0,1\}fn=([0-9]*) //p' $dir/profile | sort -u >$dir/functions
for archive in build/lib/musl/libsolo_linked.a "$libc"; do
  readelf -SW $archive | grep -o ' \.text\.[^ ]*' | tr -d ' '
done | sort -u >$dir/sections

cat <<'END'
/* Page faults are most of what a short program costs. For static programs with musl, solo-link puts
 * first what each of them executes and writes, so that it shares a few pages (bench: startup):
 * one window of the kernel's fault-around for code and constants, two pages of .bss. A name that no
 * longer exists does no harm; tests/programs/startup.sh counts the faults. Taken by ld and lld
 * beside their own scripts (INSERT). The list is written by tools/start_order.sh. */
SECTIONS {
  /DISCARD/ : { *(.comment) } /* names of compilers */
  .text.first : {
    *crt1.o(.text .text.*)
    KEEP(*(SORT_NONE(.fini)))
    *(.text._start_c .text.__libc_start_main .text.static_init_tls .text._Exit)
    *crtbeginT.o(.text) *crtbeginS.o(.text) *libsolo_linked.a:(.text)
    *memcpy.lo(.text) *memmove.lo(.text) *memset.lo(.text) *__set_thread_area.lo(.text)
    *(.text.dummy) /* what exit calls of libc where there is nothing to do */
    *(.text.__getauxval) /* callgrind knows it by its other name */
END
while read -r name; do
  for section in .text.$name .text.unlikely.$name .text.startup.$name; do
    grep -Fx -e "${section%.cold}" $dir/sections || true
  done
done <$dir/functions | sort -u | sed 's/.*/    *(&)/'
cat <<'END'
    *(.text.main)
    *libsolo_linked.a:(.rodata .rodata.*)
    *(.rodata.solo_linked_names .llvm.rodata.offloading) /* names of regions, Clang 22 */
    *(.rodata.cst8 .rodata.str*) /* map types and sizes; names of regions (Clang 19), of variables */
  }
} INSERT BEFORE .text;
SECTIONS {
  /* the data of a short program, 1.2 KiB (constants.ld), in one page */
  . = (. & 4095) > 4096 - 1280 ? ALIGN(4096) : .;
} INSERT BEFORE .tdata;
SECTIONS {
  /* Two pages: the area of early memory, which is used from its end (6,400 bytes of it here); what every program
   * writes; the first lines of the table of devices. Whose first access is a read comes behind what is written
   * before: a page whose first access is a write costs one fault, not two. */
  .bss.first : {
    . = ALIGN(4096);
    . = . + 0x900;
    *(.bss.area)
    *(.bss.registry .bss.area_used .bss.backend_taken .bss.counted_generation)
    *(.bss.solo_devices_known .bss.solo_info_bits .bss.table_is_read .bss.table_lock)
    *(.bss.process .bss.backend_reason .bss.members .bss.last_mark .bss.starter .bss.started .bss.start_lock .bss.observers)
    *(.bss.solo_device_fork_pending .bss.solo_device_numbering .bss.only_lock .bss.large_lock)
    *(.bss.solo_fork_is_mine .bss.key_once .bss.at_thread_end .bss.key_lock .bss.next_key)
    *(.bss.threads_seen .bss.first_thread .bss.pending .bss.watched.*)
    *crtbeginT.o(.bss) *crtbeginS.o(.bss)
    *(.bss.dummy .bss.dummy_file .bss.ofl_head)
    *(.bss.__environ .bss.__hwcap .bss.__sysinfo .bss.__stack_chk_guard)
    *(.bss.__progname .bss.__progname_full .bss.__libc)
    *(.bss.main_tls .bss.builtin_tls)
    *(.bss.solo_devices)
    . = ALIGN(4096); /* together in one page: of programs that keep thread-specific data */
    *(.bss.keys .bss.__pthread_tsd_main)
  }
} INSERT BEFORE .bss;
END
