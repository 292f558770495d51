# Rewrites LLVM assembly that was optimised for a GPU into assembly for this CPU (docs/design/virtual-gpu.md).
# All address spaces become one. Shared variables become thread-local variables (shared.awk,
# device/common.c). The vendor's intrinsics become functions of device/. Attributes and
# metadata that only a GPU supports are removed.
function replace(text, from, to,   out, at) { # plain text
  out = ""
  while ((at = index(text, from))) {
    out = out substr(text, 1, at - 1) to
    text = substr(text, at + length(from))
  }
  return out text
}
# @llvm.nvvm.a.b becomes @simt_nvvm_a_b, @llvm.amdgcn.a.b becomes @simt_amdgcn_a_b.
function intrinsics(text,   out, name) {
  out = ""
  while (match(text, /@llvm\.(nvvm|amdgcn)\.[A-Za-z0-9_.]+/)) {
    name = substr(text, RSTART + 6, RLENGTH - 6)
    gsub(/\./, "_", name)
    out = out substr(text, 1, RSTART - 1) "@simt_" name
    text = substr(text, RSTART + RLENGTH)
  }
  return out text
}
# --- source locations of instructions, for the race detector: the file is read twice -------------------

# translate.sh added source locations to LLVM's device runtime. Their file name identifies them.
function number_of(text, word) { # N of "word: !N"
  return match(text, word ": ![0-9]+") ? substr(text, RSTART + length(word) + 3, RLENGTH - length(word) - 3) : ""
}
function note(   id) {
  if (/ = load ptr, ptr .*@_ZL9ThreadDST/ && match($0, /!dbg ![0-9]+/)) tracker_loads[substr($0, RSTART + 6, RLENGTH - 6)] = 1
  if (!/^![0-9]+ = /) return
  id = substr($1, 2)
  if (/DILocation\(/) {
    scope[id] = number_of($0, "scope")
    outer[id] = number_of($0, "inlinedAt")
    match($0, /line: [0-9]+/)
    line_of[id] = substr($0, RSTART + 6, RLENGTH - 6) + 0
  } else if (/DISubprogram\(/) {
    file_of[id] = number_of($0, "file")
    match($0, /name: "[^"]*"/)
    name_of[id] = substr($0, RSTART + 7, RLENGTH - 8)
  } else if (/DILexicalBlock/)
    parent[id] = number_of($0, "scope")
  else if (/DIFile\(/ && /libomptarget-/)
    of_runtime[id] = 1
}
function is_runtime_scope(id) { return (id in file_of) && (file_of[id] in of_runtime) }
# True for the helpers that Clang emits for a reduction. The runtime orders their accesses.
function is_of_reduction(id,   s) {
  for (; id != ""; id = outer[id]) {
    for (s = scope[id]; s in parent; s = parent[s]);
    if (name_of[s] ~ /^_omp_reduction_|_reduce_nowait/) return 1
  }
  return 0
}
# Replaces a location in the runtime by that of the program's call, or removes it. Returns 1 if the
# accesses of the instruction are to be ignored (runtime or reduction helper).
function own_place(   id, at) {
  if (/^define / && match($0, / !dbg ![0-9]+/)) {
    id = substr($0, RSTART + 7, RLENGTH - 7)
    if (is_runtime_scope(id)) $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
    return 0
  }
  if (!match($0, /, !dbg ![0-9]+/)) return 0
  id = substr($0, RSTART + 8, RLENGTH - 8)
  if (!is_runtime_scope(scope[id])) return is_of_reduction(id)
  for (at = outer[id]; at != "" && is_runtime_scope(scope[at]);) at = outer[at]
  match($0, /, !dbg ![0-9]+/)
  $0 = substr($0, 1, RSTART - 1) (at == "" ? "" : ", !dbg !" at) substr($0, RSTART + RLENGTH)
  return 1
}
# LLVM 19's dynamic schedules: the first thread creates the loop's state. Threads that find this state
# execute other barriers. On a GPU, all threads of a warp load the pointer to the state together. Therefore a
# barrier follows the first load in each __kmpc_dispatch_init_*: all threads load before one creates the state.
function first_of_tracker(   id, n) {
  for (id in tracker_loads) {
    n = name_of[scope[id]]
    if (n ~ /^__kmpc_dispatch_init_/ && (!(n in first_line) || line_of[id] < first_line[n])) first_line[n] = line_of[id]
  }
}
function looks_at_tracker(   id) {
  if (!/ = load ptr, ptr .*@_ZL9ThreadDST/ || !match($0, /!dbg ![0-9]+/)) return 0
  id = substr($0, RSTART + 6, RLENGTH - 6)
  return (name_of[scope[id]] in first_line) && line_of[id] == first_line[name_of[scope[id]]]
}
# Emits a kernel that calls the constructors or destructors of static objects, as LLVM's back ends for GPUs do.
function structors(kind,   text, n, i, entry, calls, name) {
  for (text = $0; match(text, /\{ i32 -?[0-9]+, ptr @("[^"]*"|[^ ,]+)/); text = substr(text, RSTART + RLENGTH)) {
    entry = substr(text, RSTART + 6, RLENGTH - 6)
    for (i = ++n; i > 1 && priority[i - 1] > entry + 0; i--) {
      priority[i] = priority[i - 1]
      called_at[i] = called_at[i - 1]
    }
    priority[i] = entry + 0
    called_at[i] = substr(entry, index(entry, "@"))
  }
  calls = ""
  for (i = 1; i <= n; i++)
    calls = kind == "init" ? calls "  call void " called_at[i] "()\n" : "  call void " called_at[i] "()\n" calls
  name = is_gfx ? "\"amdgcn.device." kind "\"" : "\"nvptx$device$" kind "\""
  if (!is_gfx) # the variables that the host reads and writes (runtime/device/rtl_structors.c)
    kernels = kernels "@__" kind "_array_object_simt_0 = constant i64 0\n@__" kind "_array_start = global i64 0\n@__" \
      kind "_array_end = global i64 0\n"
  kernels = kernels "define void @" name "() {\n" calls "  ret void\n}\n"
}
END { printf "%s", kernels }
races && NR == FNR { if (/amdgcn-amd-amdhsa/) is_amd = 1; note(); next }
races && FNR == 1 { first_of_tracker() }
{ waits_behind = races && looks_at_tracker(); is_runtime = races ? own_place() : 0 }

/^target datalayout/ {
  print "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\""
  next
}
/^target triple/ { is_gfx = /amdgcn/; print "target triple = \"x86_64-pc-linux-gnu\""; next }
/^@llvm\.global_[cd]tors = / { structors(/_ctors = / ? "init" : "fini"); next }
# Clang emits only line directives for ptxas; the CPU's debug information can be complete.
/emissionKind: DebugDirectivesOnly/ { sub(/DebugDirectivesOnly/, "FullDebug") }
# Clang emits DWARF 2 for ptxas; backends/host/elf/gdb_lines.c requires DWARF 5.
/^!.*!"Dwarf Version", i32 2}/ { sub(/i32 2}/, "i32 5}") }
/^@llvm\.(compiler\.)?used = / { next }
/^attributes / {
  # A convergent function synchronises threads. Without its memory() attribute, calls are not moved or removed.
  if (/convergent/) gsub(/memory\([^)]*\)/, "")
  gsub(/"(target-cpu|target-features|amdgpu-[a-z0-9-]*|uniform-work-group-size|frame-pointer|llvm\.assume|stack-protector-buffer-size|kernel|omp_target_[a-z_]*|nvvm\.[a-z]*|denormal-fp-math[a-z0-9-]*)"(="[^"]*")? */, "")
  sub(/ }$/, " \"target-cpu\"=\"" cpu "\" \"disable-tail-calls\"=\"true\" \"frame-pointer\"=\"all\" }")
  gsub(/allockind\("[a-z,]*"\)|allocsize\([0-9,]*\)|"alloc-family"="[^"]*"/, "")
  print
  next
}
/^@/ && / addrspace\(3\) / && !/^@[^=]*= [^"]*appending/ {
  if (/ addrspace\(3\) (global|constant|externally_initialized)/) sub(/ addrspace\(3\) (externally_initialized )?(global|constant)/, " thread_local(localexec) global")
  sub(/, !dbg ![0-9]+/, "") # no location for gdb
  add_shared()
  # the grammar requires thread_local before unnamed_addr
  if (/ (local_)?unnamed_addr thread_local/) { match($0, /(local_)?unnamed_addr/); word = substr($0, RSTART, RLENGTH); sub(/(local_)?unnamed_addr thread_local\(localexec\)/, "thread_local(localexec) " word) }
}
# Internal variables become hidden. Otherwise the optimiser assumes that only the visible stores change
# them, but another GPU thread changes them while this one waits at a barrier.
/^@("[^"]*"|[A-Za-z0-9_.$-]+) = (internal|private) [a-z_() 0-9]*global / { sub(/ = (internal|private) /, " = hidden ") }
# Adds a shared variable to the sum in @simt_shared_bytes. External variables use dynamic shared memory.
function add_shared(   type, i, depth, c) {
  if (!match($0, / thread_local\(localexec\) global /)) return
  type = substr($0, RSTART + RLENGTH)
  for (i = 1; i <= length(type); i++) {
    c = substr(type, i, 1)
    depth += (c ~ /[[{<(]/) - (c ~ /[]}>)]/)
    if (!depth && c ~ /[ ,]/) break
  }
  type = "ptrtoint (ptr getelementptr (" substr(type, 1, i - 1) ", ptr null, i64 1) to i64)"
  if (!/ external /) shared = shared == "" ? type : "add (i64 " type ", i64 " shared ")"
}
# The operand at the start of the text: a name, or an expression with its parentheses.
function operand(text,   i, depth, c) {
  if (text !~ /^[%@]/) {
    for (i = index(text, "("); i && i <= length(text); i++) {
      c = substr(text, i, 1)
      depth += (c == "(") - (c == ")")
      if (!depth && c == ")" && substr(text, i + 1, 2) != " (") return substr(text, 1, i) # inrange(-16, 8) (...)
    }
    return ""
  }
  if (!match(text, /^[%@]("[^"]*"|[A-Za-z0-9_.$-]+)/)) return ""
  return substr(text, 1, RLENGTH)
}
# The (success) order of an atomic operation, as SIMT_ACQUIRES and SIMT_RELEASES.
function order_of(   words) {
  words = $0
  sub(/, align [0-9]+.*/, "", words)
  sub(/, !.*/, "", words)
  if (/cmpxchg/) sub(/ [a-z_]+$/, "", words)
  if (words ~ / (seq_cst|acq_rel)$/) return 12
  if (words ~ / acquire$/) return 4
  if (words ~ / release$/) return 8
  return 0
}
# Prints a call of simt_access() before a load, a store or an atomic operation. Plain accesses of LLVM's
# runtime and of reduction helpers are skipped.
function tell_access(   type, pointer, flags, words, dbg, at) {
  flags = /load atomic|store atomic|atomicrmw|cmpxchg|@simt_nvvm_atomic/ ? 2 + order_of() : 0
  dbg = ""
  if (match($0, /, !dbg ![0-9]+/)) dbg = substr($0, RSTART, RLENGTH)
  if ((dbg == "" || is_runtime) && !flags) return # atomic operations order the accesses of the program, too
  words = $0
  if (/^  store /) {
    flags += 1
    sub(/^  store (atomic )?(volatile )?/, "", words)
    type = words
    if (type ~ /^</) { sub(/>.*/, ">", type) } else sub(/ .*/, "", type)
    # the ", ptr " after the stored value, which can be an expression that contains ", ptr "
    words = substr(words, length(type) + 2)
    pointer = operand(words)
    if (pointer == "" || pointer ~ /^[(]/) {
      if (!(at = index(words, ", ptr "))) return
    } else
      at = length(pointer) + 1
    if (substr(words, at, 6) != ", ptr ") at = index(words, ", ptr ")
    if (!at) return
    pointer = operand(substr(words, at + 6))
  } else if (/ = load /) {
    sub(/.* = load (atomic )?(volatile )?/, "", words)
    if (!(at = index(words, ", ptr "))) return
    type = substr(words, 1, at - 1)
    pointer = operand(substr(words, at + 6))
  } else if (/ atomicrmw |cmpxchg /) {
    flags += 1
    if (!(at = index(words, " ptr "))) return
    pointer = operand(substr(words, at + 5))
    type = substr(words, at + 5 + length(pointer) + 2)
    sub(/ .*/, "", type)
  } else if (match($0, /@simt_nvvm_atomic[a-z0-9_]*\(ptr /)) {
    flags += 1
    type = "i32"
    pointer = operand(substr($0, RSTART + RLENGTH))
  } else
    return
  if (type ~ /[{]/ || pointer == "") return
  print "  call void @simt_access(ptr " pointer ", i64 ptrtoint (ptr getelementptr (" type ", ptr null, i64 1) to i64), i32 " flags ")" dbg
}
# Functions that replace inline assembly of PTX (device/asm.ll, device/nvptx_math.c).
BEGIN {
  asm_of["rcp.approx.ftz.f32 $0,$1;"] = "asm_rcp_f32 float float"
  asm_of["rsqrt.approx.ftz.f64 $0, $1;"] = "asm_rsqrt_f64 double double"
  asm_of["bfind.shiftamt.u32 $0, $1;"] = "asm_bfind i32 i32"
  asm_of["mov.u32 $0, %dynamic_smem_size;"] = "nvvm_read_ptx_sreg_dynamic_smem_size i32"
  asm_of["mov.u64 $0, %globaltimer;"] = "nvvm_read_ptx_sreg_globaltimer i64"
  # blocks of instructions, identified by one characteristic instruction
  block_of["mad.lo.cc.u32   $0, $2, $3, $4;"] = "asm_mad_64 {i32,i32} i32,i32,i32"
  block_of["mul.hi.u32      r1, alo, blo;"] = "asm_mul_128 {i64,i64} i64,i64"
  block_of["mad.lo.cc.u32   r0, alo, blo, clo;"] = "asm_mad_128 {i64,i64} i64,i64,i64"
  block_of["add.cc.u32      r0, a0, b0;"] = "asm_add_128 {i64,i64} i64,i64,i64,i64"
  block_of["sub.cc.u32      r0, a0, b0;"] = "asm_sub_128 {i64,i64} i64,i64,i64,i64"
  block_of["setp.equ.f64"] = "asm_select_equ double double,double,double,double"
}
function assembly(   text, part, i, type) {
  if (!match($0, /asm (sideeffect )?(convergent )?"[^"]*", "[^"]*"/)) return
  text = substr($0, RSTART, RLENGTH)
  split(text, part, "\"")
  what = ""
  if (part[2] in asm_of) what = asm_of[part[2]]
  for (i in block_of) if (index(part[2], i)) what = block_of[i]
  if (match(part[2], /^sub\.r[nzmp](\.ftz)?\.f(32|64) \$0, \$1, \$2;$/)) {
    type = part[2] ~ /f32/ ? "float" : "double"
    what = "nvvm_sub_" substr(part[2], 5, 2) (type == "float" ? "_f32 " : "_f64 ") type " " type "," type
  }
  # an optimisation barrier, which remains
  if (part[2] == "") return
  if (what == "") {
    print "inline assembly is not supported on the virtual GPU: " part[2] >"/dev/stderr"
    failed = 1
    return
  }
  split(what, part, " ")
  match($0, /asm (sideeffect )?(convergent )?"[^"]*", "[^"]*"/)
  $0 = substr($0, 1, RSTART - 1) "@simt_" part[1] substr($0, RSTART + RLENGTH)
  called[part[1]] = part[2] " @simt_" part[1] "(" part[3] ")"
}
END {
  for (name in called) if (!(("@simt_" name "(") in declared)) print "declare " called[name]
  if (failed) exit 1
}
{
  if (index($0, " asm ")) assembly()
  if (index($0, "@llvm.nvvm.") || index($0, "@llvm.amdgcn.")) {
    $0 = intrinsics($0)
    gsub(/ immarg/, "")
    gsub(/ readnone| speculatable/, "")
  }
  if (index($0, "addrspace")) {
    gsub(/addrspacecast/, "bitcast")
    gsub(/, addrspace\(5\)/, "")
    gsub(/ ?addrspace\([0-9]+\)/, "")
    $0 = replace($0, ".p3.p0.", ".p0.p0.")
  }
  if (index($0, "@llvm."))
    while (match($0, /@llvm\.[A-Za-z0-9_.]*\.p[1345]/)) {
      head = substr($0, 1, RSTART + RLENGTH - 2)
      $0 = head "0" substr($0, RSTART + RLENGTH)
    }
  if (index($0, "syncscope(")) gsub(/ ?syncscope\("[^"]*"\)/, "")
  sub(/^(define|declare)( [a-z_]+)* (amdgpu_kernel|ptx_kernel) /, "&\001")
  if (index($0, "\001")) { sub(/(amdgpu_kernel|ptx_kernel) \001/, "") }
  sub(/call (fastcc )?void @llvm\.trap\(\)/, "call void @simt_trap()")
  if (/^declare void @llvm\.trap/) next
  # noalias is wrong: other GPU threads can run during a call and access the same memory.
  if (index($0, "noalias")) {
    gsub(/, !noalias ![0-9]+/, "")
    if (/^define / || /^declare / || / call /) gsub(/ noalias /, " ")
  }
  # simt_at() records the line. Of warp operations without a mask, the earliest in the code completes first (exec/warp.c).
  # For barriers, the line identifies copies that the CPU's optimiser made of one barrier.
  if (/ call .*@simt_(nvvm_(activemask|bar)|amdgcn_(s_barrier|ballot|wave_barrier|read|ds_bpermute|icmp))/)
    print "  call void @simt_at(i32 " FNR ")"
  if (/^  .*(cmpxchg|atomicrmw| load atomic|^  store atomic|load volatile) /) print "  call void @simt_atomic()"
  if (races && /^  fence |call .*@simt_nvvm_membar_/)
    print "  call void @simt_access(ptr null, i64 0, i32 16)"
  if (races && /^  (%[^ ]+ = load |store |%[^ ]+ = (atomicrmw|cmpxchg) |.*call .*@simt_nvvm_atomic)/) tell_access()
  if (/^declare .*@(vprintf|__assertfail)\(/) {
    match($0, /@[a-z_]+\(/)
    imported[substr($0, RSTART + 1, RLENGTH - 2)] = 1
  }
  # Skips a repeated declaration: the original names differed only in address spaces.
  if (/^declare / && match($0, /@[^(]*\(/)) {
    name = substr($0, RSTART, RLENGTH)
    if (name in declared) next
    declared[name] = 1
  }
  print
  if (waits_behind) {
    print "  call void @simt_at(i32 " FNR ")"
    print "  call void @simt_" (is_amd ? "amdgcn_s_barrier()" : "nvvm_barrier_sync(i32 8)")
  }
}
# Marks functions that the driver provides.
END { for (name in imported) print "@simt_imports_" name " = constant i32 1" }
# -O0, for debuggers: the executor runs each thread as a fiber.
END { if (exact) print "@simt_exact_image = constant i32 1" }
# Symbols that simt_module.c reads.
END { print "@simt_shared_bytes = constant i64 " (shared == "" ? 0 : shared) }
END { print "@simt_kernel_image = constant i32 1"; print "declare void @simt_trap()"; print "declare void @simt_atomic()"; print "declare void @simt_at(i32)"; print "declare void @simt_access(ptr, i64, i32)" }
