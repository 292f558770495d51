#!/bin/sh
# Description: shared variables have fixed, aligned offsets from the gs base, unless one is external or they are large.
set -u
[ -f build/lib/simt/shared.awk ] || { echo "skipped: the virtual GPU was not configured"; exit 77; }
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail=0
cat >"$dir/in.s" <<'END'
	movl	%fs:a@TPOFF+8, %eax
	movq	%fs:0, %rax
	leaq	"b c"@TPOFF(%rax), %rdx
	addq	$d@TPOFF, %rax
	.hidden	a
	.type	a,@object
	.section	.tbss,"awT",@nobits
	.globl	a
	.p2align	2, 0x0
a:
	.zero	20
	.p2align	6, 0x0
"b c":
	.zero	4
	.zero	4
	.hidden	e
	.section	.tbss,"awT",@nobits
d:
	.zero	1
	.section	.rodata,"a",@progbits
	.globl	e
e:
	.asciz	"%fs:a@TPOFF"
END
cat >"$dir/wanted.s" <<'END'
	movl	%gs:4096+8, %eax
	movq	%gs:0, %rax
	leaq	4160(%rax), %rdx
	addq	$4176, %rax
	.hidden	e
	.section	.rodata,"a",@progbits
	.globl	e
e:
	.asciz	"%fs:a@TPOFF"
END
assign() { awk -v base=4096 -v limit="$1" -f build/lib/simt/shared.awk "$2" "$2"; }
assign 81 "$dir/in.s" >"$dir/out.s" || { echo "failed: a sum equal to the limit"; fail=1; }
diff "$dir/wanted.s" "$dir/out.s" || { echo "failed: other assembly"; fail=1; }
assign 80 "$dir/in.s" >"$dir/out.s" && { echo "failed: a sum above the limit"; fail=1; }
printf '\tmovl\t%%fs:f@TPOFF, %%eax\n' | cat "$dir/in.s" - >"$dir/external.s"
assign 81 "$dir/external.s" >"$dir/out.s" && { echo "failed: an external variable"; fail=1; }
for source in critical shared; do
  clang-19 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch=sm_90 -foffload-lto -nogpulib -O2 \
    -Wno-openmp-mapping -isystem build/include -c tests/simt/$source.c -o "$dir/$source.o"
  SIMT_DEVICE=build/lib/simt sh build/lib/simt/translate.sh -k "$dir/$source" \
    $(printf -- '-l %s ' build/lib/device/solo-nvptx.bc build/lib/device/solo-nvptx-[clmrt]*.bc) -a sm_90 -o "$dir/$source.so" "$dir/$source.o" || { echo "failed: $source.c is not translated"; fail=1; }
done
variables() { nm "$dir/$1/device.o" | grep -v DynamicSharedBuffer | grep __emutls_v; }
variables critical && { echo "failed: small variables have no fixed offsets"; fail=1; }
variables shared >"$dir/words" || { echo "failed: large variables have fixed offsets"; fail=1; }
exit $fail
