# Divides the loops of `distribute parallel for` into slices (device/gpu.c). Reads the program's LLVM assembly twice.
# A default schedule and schedule(static,1) are equal in the code. Therefore a loop is not changed if its region, or a
# function that the region can call, refers to the number of a thread or team: such code observes which thread executes
# which iterations.
function named(text,   at) { # the first global name
  return match(text, /@("[^"]*"|[A-Za-z0-9_.$-]+)/) ? substr(text, RSTART, RLENGTH) : ""
}
FNR == 1 { pass++ }
/^define / { here = named($0); second = third = "" }
/^}/ { here = "" }
# pass 1: properties of functions
pass == 1 && here != "" && / (call|invoke) / {
  if (here !~ /^@(_omp_reduction_|solo_|__kmpc_|omp_)/ && /@(omp_get_(thread_num|team_num|ancestor_thread_num)|omp_set_num_threads|llvm\.nvvm\.read\.ptx\.sreg\.(tid|ctaid|laneid|warpid)|llvm\.amdgcn\.(workitem|workgroup)\.id)/) observes[here] = 1
  if (/@omp_set_num_threads/) is_limited = 1
  if (match($0, / (call|invoke) [^@%]*%[^ (]*\(/)) indirect[here] = 1
  text = $0
  while (match(text, /@("[^"]*"|[A-Za-z0-9_.$-]+)/)) {
    calls[here] = calls[here] " " substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
  }
}
pass == 1 && here != "" && / call / {
  if (match($0, /@__kmpc_distribute_static_init_[48]u?\(.*/)) {
    if (/, i32 91, ptr /) loops[here]++
    else is_other[here] = 1
  } else if (/@__kmpc_parallel_(51|60)\(/) {
    regions[here]++
    text = substr($0, index($0, "@__kmpc_parallel_"))
    sub(/^@__kmpc_parallel_(51|60)/, "", text)
    # no clause if, num_threads or proc_bind
    if (text !~ /, i32 1, i32 -1, i32 -1, ptr (nonnull )?(addrspacecast \()?@/) { is_other[here] = 1; next }
    sub(/.*, i32 1, i32 -1, i32 -1, ptr (nonnull )?/, "", text)
    region = named(text)
    region_of[here, regions[here]] = region
    uses[region]++
  } else if (/@__kmpc_for_static_init_[48]u?\(/) {
    works[here]++
    # static, with chunks of one iteration; the bounds are the region's third and fourth parameter
    if ($0 ~ /, i32 33, / && ($0 ~ /, (i32|i64) 1, (i32|i64) 1\)/) && bounds[here] >= 2) ones[here]++
  } else if (/@__kmpc_dispatch_init_/) works[here]++
}
pass == 1 && here != "" && /^  %[^ ]+ = trunc (nuw |nsw )*i64 %[23] to i32/ { narrow[here, $1] = 1 }
pass == 1 && here != "" && /^  store i64 %[23], ptr/ { bounds[here]++ }
pass == 1 && here != "" && /^  store i32 / && ((here, substr($3, 1, length($3) - 1)) in narrow) { bounds[here]++ }
function is_sliced(name,   n) {
  if (is_limited || is_other[name] || !loops[name] || regions[name] != loops[name]) return 0
  for (n = 1; n <= regions[name]; n++) if (!is_region(region_of[name, n])) return 0
  return 1
}
function is_region(name) { return !(name in observes) && works[name] == 1 && ones[name] == 1 && uses[name] == 1 && !(name in loops) }
# Propagates `observes` to callers. An indirect call can reach each such function.
function spread(   name, i, n, part, changed) {
  for (name in observes) changed = 1
  for (name in indirect) if (changed) observes[name] = 1
  while (changed) {
    changed = 0
    for (name in calls) {
      if (name in observes) continue
      n = split(calls[name], part, " ")
      for (i = 1; i <= n; i++) if (part[i] in observes) { observes[name] = changed = 1; break }
    }
  }
}
pass == 2 && FNR == 1 {
  spread()
  for (name in loops) if (is_sliced(name)) {
    outer[name] = 1
    for (n = 1; n <= regions[name]; n++) inner[region_of[name, n]] = 1
  }
}
pass == 2 {
  if ((here in outer) && / call / && sub(/@__kmpc_distribute_static_init_/, "@simt_distribute_static_init_")) used[substr($0, index($0, "_static_init_") + 13, 2)] = 1
  if ((here in inner) && / call / && sub(/@__kmpc_for_static_init_/, "@simt_for_static_init_")) used[substr($0, index($0, "_static_init_") + 13, 2)] = 1
  print
}
END {
  for (name in used) {
    sub(/\(/, "", name)
    type = name ~ /^4/ ? "i32" : "i64"
    print "declare void @simt_distribute_static_init_" name "(ptr, i32, i32, ptr, ptr, ptr, ptr, " type ", " type ")"
    print "declare void @simt_for_static_init_" name "(ptr, i32, i32, ptr, ptr, ptr, ptr, " type ", " type ")"
  }
}
