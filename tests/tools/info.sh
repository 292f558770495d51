# Description: checks solo-info: devices, settings, images of objects and programs, reasons, exit status.
name=info
. tests/tools/lib.sh
info=$tree/bin/solo-info
cat >f.c <<'END'
#pragma omp begin declare target
int table[4];
#pragma omp end declare target
int main(void) {
#pragma omp target
  table[0]++;
  return 0;
}
END
shows() { # shows PART COMMAND...
  part=$1
  shift
  checks=$((checks + 1))
  "$@" >out 2>&1
  grep -qF -- "$part" out || { fail "$* does not print: $part"; sed 's/^/    /' out; }
}
shows 'device 0: ' $info
shows 'x86_64' $info
shows 'OMP_TARGET_OFFLOAD' $info --settings
shows '[environment]' env OMP_TARGET_OFFLOAD=mandatory $info --settings
works $cc --static f.c -o static
shows 'linked image, 1 copy of 2 symbols, with global variables' $info static
shows 'table (16 bytes)' $info static
works $info static
works $cc f.c -o dynamic
shows 'ELF for x86_64' $info dynamic
shows 'runs it' $info dynamic
for name in SIMT_TARGET SIMT_WORKERS SIMT_SEED SIMT_RACE_STATUS; do
  [ -f "$tree/lib/simt/translate.sh" ] && shows "$name" $info --settings
done
shows 'another.bin' env REX_CUBIN_NAME=another.bin $info --settings
shows 'OMP_SCHEDULE' $info --settings
works $cc -c f.c -o f.o
shows 'not linked yet' $info f.o
works $info f.o
# code of the virtual GPU, which has no container
for target in simt-sm_90 simt-gfx90a; do
  works $cc --targets=$target f.c -o virtual
  shows 'image 1 (section solo_simt_images): ' $info virtual
  shows "for the virtual GPU, as ${target#simt-}, " $info virtual
  works $info virtual
done
works $cc --static --targets=simt-sm_90 f.c -o virtual
shows 'image 1 (section solo_simt_images): ' $info virtual
echo 'int main(void) { return 0; }' >none.c
gcc none.c -o none
refused 'no device image|solo-cc' $info none
refused 'cannot read nothing-here|No such file' $info nothing-here
# an unreadable file does not hide other files
printf '\177ELF\002\001\001' >damaged
refused 'cannot read nothing-here|cannot read damaged|f.o|not linked yet' $info nothing-here damaged f.o
# output of solo-pack wrap
works $tree/bin/solo-pack wrap -o wrapped.o $tree/images/x86_64.so $tree/images/gfx900.co
shows 'section solo_images): ELF for x86_64' $info wrapped.o
shows 'section solo_images): ELF for gfx900' $info wrapped.o
works $cc none.c wrapped.o -o with
shows 'section solo_images): ELF for x86_64' $info with
refused 'unknown option --wrong' $info --wrong
works $info --help
works $info --version
done_testing
