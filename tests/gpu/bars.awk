# Compares results of run.sh (medians over the rounds) with the bars, which are limits of ratios.
function field(line, key,  at) {
  at = index(line, "\"" key "\":")
  if (!at) return ""
  line = substr(line, at + length(key) + 3)
  if (substr(line, 1, 1) == "\"") {
    line = substr(line, 2)
    return substr(line, 1, index(line, "\"") - 1)
  }
  match(line, /^[-+0-9.e]+/)
  return substr(line, 1, RLENGTH)
}
/"kind":"bench"/ {
  key = field($0, "who") " " field($0, "name")
  value[key, ++rounds[key]] = field($0, "p50") + 0
}
/"kind":"(program|test|conformance)"/ {
  count[field($0, "kind") " " field($0, "verdict")]++
}
function middle(key,  i, j, n, x, v) {
  n = rounds[key]
  if (!n) return 0
  for (i = 1; i <= n; i++) v[i] = value[key, i]
  for (i = 2; i <= n; i++) {
    x = v[i]
    for (j = i - 1; j > 0 && v[j] > x; j--) v[j + 1] = v[j]
    v[j + 1] = x
  }
  return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}
# over / under must be at most or at least `wanted`
function bar(what, over, under, sense, wanted,  a, b, met) {
  a = middle(over)
  b = middle(under)
  if (!a || !b) {
    printf "{\"kind\":\"bar\",\"what\":\"%s\",\"verdict\":\"not measured\"}\n", what
    return
  }
  met = sense == "most" ? a / b <= wanted : a / b >= wanted
  printf "{\"kind\":\"bar\",\"what\":\"%s\",\"ratio\":%.4g,\"wanted\":\"at %s %s\",\"verdict\":\"%s\",\"of\":\"%s: %g\",\"to\":\"%s: %g\"}\n",
    what, a / b, sense, wanted, met ? "met" : "missed", over, a, under, b
}
function right(kind) {
  printf "{\"kind\":\"bar\",\"what\":\"%ss right\",\"pass\":%d,\"fail\":%d,\"skip\":%d,\"verdict\":\"%s\"}\n",
    kind, count[kind " pass"], count[kind " fail"], count[kind " skip"],
    count[kind " fail"] ? "missed" : count[kind " pass"] ? "met" : "not measured"
}
END {
  bar("empty region, to the same kernel by cuLaunchKernel + cuStreamSynchronize", "solo launch/empty",
      "raw_region launch/empty", "most", 1.10)
  bar("region with a present mapping, to its kernel by driver calls", "solo launch/present_512",
      "raw_region launch/present_512", "most", 1.15)
  bar("empty region with SOLO_CUDA_GRAPHS, to its kernel by driver calls", "solo_graphs launch/empty", "raw_region launch/empty",
      "most", 0.80)
  bar("region with a present mapping and SOLO_CUDA_GRAPHS, to its kernel by driver calls", "solo_graphs launch/present_512",
      "raw_region launch/present_512", "most", 0.85)
  bar("bare launch through the runtime, to raw", "solo cuda/launch", "raw cuda/launch", "most", 1.10)
  bar("bare launch with a present mapping, to raw", "solo cuda/launch_present",
      "raw cuda/launch_present", "most", 1.15)
  bar("process start to the end of the first kernel", "solo process_start", "raw process_start", "most",
      1.03)
  bar("pinned copy in, bandwidth", "raw cuda/pinned_in_64Mi", "solo cuda/pinned_in_64Mi", "least", 0.97)
  bar("pinned copy out, bandwidth", "raw cuda/pinned_out_64Mi", "solo cuda/pinned_out_64Mi", "least", 0.97)
  bar("empty region, libomptarget 19 to solo", "stock19 launch/empty", "solo launch/empty", "least", 2)
  bar("region with a present mapping, libomptarget 19 to solo", "stock19 launch/present_512",
      "solo launch/present_512", "least", 2)
  bar("process start, libomptarget 19 to solo", "stock19 process_start", "solo process_start", "least", 1)
  bar("region with unmapped data of 512 B, libomptarget 19 to solo", "stock19_all launch/unmapped_512",
      "solo_all launch/unmapped_512", "least", 1)
  bar("staged pageable copy in of 64 MiB, time to direct (informative)",
      "staged cuda/pageable_in_64Mi", "solo cuda/pageable_in_64Mi", "most", 1)
  bar("staged pageable copy out of 64 MiB, time to direct (informative)",
      "staged cuda/pageable_out_64Mi", "solo cuda/pageable_out_64Mi", "most", 1)
  right("program")
  right("test")
  right("conformance")
}
