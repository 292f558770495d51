#!/bin/sh
# Description: invalid input produces a message with error, place and remedy. By default the region then runs on
# the host; with OMP_TARGET_OFFLOAD=mandatory the program aborts.
set -u
dir=build/tests/bad_input
mkdir -p $dir
build/bin/solo-cc --static -g -O0 -fopenmp-extensions tests/bad_input/cases.c -o $dir/cases || exit 1
fail=0
checks=0
expect() { # expect CASE POLICY STATUS TEXT...
  case=$1 policy=$2 status=$3
  shift 3
  OMP_TARGET_OFFLOAD=$policy "$dir/cases" "$case" >$dir/out 2>&1
  rc=$?
  checks=$((checks + 1))
  [ $rc -eq "$status" ] || { echo "$case ($policy): exit status $rc, expected $status"; fail=1; cat $dir/out; }
  for words; do
    grep -qF -- "$words" $dir/out || { echo "$case ($policy): the output lacks '$words':"; cat $dir/out; fail=1; }
  done
}
while IFS='|' read -r case words; do
  [ -n "$case" ] || continue
  oldifs=$IFS
  IFS='~'
  set -f
  set -- $words
  set +f
  IFS=$oldifs
  expect "$case" default 0 "$@" 'after: host 1'
  case $case in corrupt_descriptor) continue ;; esac
  expect "$case" mandatory 134 "$@" 'OMP_TARGET_OFFLOAD=mandatory'
done <<'END'
unknown_device|target region at tests/bad_input/cases.c:~unknown_device~device number 7 is out of range~0 to 0
present_miss|present_miss~'missing'~cases.c~present modifier~map it before~'present' map type modifier does not exist for host address 0x~(40 bytes)~returned null pointer ('present' map type modifier).~Failed to process data before
null_pointer|target region at tests/bad_input/cases.c:~null_pointer~'unallocated[2:n]' (tests/bad_input/cases.c:~, 0x8: its pointer is NULL (40 bytes)~hint: allocate it
null_member|target data construct at~'holder.elements[0:holder.count]'~its pointer is NULL
overlap|overlap~p[5:10]~p[0:10]~would extend~unmap the smaller~omptarget message: explicit extension not allowed: host address specified is 0x~(device failure or illegal mapping)
present_and_overlap|omptarget message: explicit extension~omptarget message: device mapping required by 'present' map type modifier~returned null pointer ('present' map type modifier).
update_present_miss|target update at~omptarget message: device mapping required by 'present' motion modifier does not exist for host address 0x
exit_present_miss|end of a target data construct at~omptarget message: device mapping required by 'present' map type modifier~(40 bytes)
empty_present_miss|omptarget message: device mapping required by 'present' map type modifier~(0 bytes)
no_memory|no_memory~target data construct~out of device memory~big[0:n]~cases.c
other_architecture|image 1 of 1: aarch64~device 0 is x86_64~does not fit
missing_kernel|no kernel no_such_kernel~no other image is registered
unregistered_region|no registered image has an entry~linked without its device code
corrupt_descriptor|entries from~33 bytes are not a multiple~3 images at~descriptor is NULL
corrupt_image|malformed~not an image: 64 bytes
new_arguments|version 9~versions 1 to 3
kernel_count|target region: 2147483648 map entries~more than 2147483647~not made by Clang
present_cached|omptarget message: device mapping required by 'present' map type modifier~(4 bytes)
kernel_nothing|__tgt_target_kernel~arguments are NULL
END
none='map entries, but the array of their'
expect kernel_missing_arrays default 0 "target region: 1 $none base addresses is NULL" "$none addresses is" "$none sizes is" \
  "$none types is" 'after: host 1'
expect kernel_missing_arrays mandatory 134 "$none base addresses is NULL" 'OMP_TARGET_OFFLOAD=mandatory'
expect data_missing_arrays default 0 "__tgt_target_data_begin: 1 $none base" "__tgt_target_data_update: 1 $none addr" \
  "__tgt_target_data_end: 1 $none sizes" "__tgt_target_data_end: 1 $none types" \
  '__tgt_target_data_begin: 4294967295 map entries' 'after: host 1'
expect no_components default 0 '__tgt_mapper_num_components: the component list is NULL' \
  '__tgt_push_mapper_component: the component list is NULL' 'after: host 1'
for policy in default mandatory; do
  expect update_out_of_range $policy 0 'target update at' 'cases.c' 'nothing of it is updated' 'after: host 0'
  for held in disassociate_held disassociate_held_only; do
    expect $held $policy 0 'after: host 1' \
      'omptarget error: Trying to disassociate a pointer with a non-zero hold reference count'
  done
done
expect overlap mandatory 134 "cases.c:" ": omptarget fatal error 1: failure of target construct while offloading is mandatory"
expect update_mapped_part default 0 'after: host 0'
[ "$(wc -l <$dir/out)" -eq 1 ] || { echo "update_mapped_part: unexpected messages:"; cat $dir/out; fail=1; }
expect user_warning default 0 'bad_input/cases.c:' ':1: Encountered user-directed warning: by the program.' 'after: host 0'
expect exit_present_miss default 0 'after: host 1'
grep -q 'had no effect' $dir/out && { echo "exit_present_miss: an unexpected 'had no effect' message:"; cat $dir/out; fail=1; }
# values of OMP_TARGET_OFFLOAD
expect no_error mandatory 0 'after: host 0'
expect no_error disabled 0 'after: host 1'
expect no_error sometimes 0 'OMP_TARGET_OFFLOAD="sometimes"' 'default, disabled or mandatory' 'after: host 0'
OMP_TARGET_OFFLOAD=disabled $dir/cases no_error 2>&1 | grep -q 'solo:' && { echo "OMP_TARGET_OFFLOAD=disabled prints messages"; fail=1; }
echo "$checks runs"
exit $fail
