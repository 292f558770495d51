#!/bin/sh
# Description: checks with libomp that num_teams(n) creates n teams, that num_threads is limited to the processors unless
# SOLO_HOST_THREADS=exact, and that idle threads steal teams.
. tests/dropin/lib.sh
echo "leagues correct, fewer threads" >fewer
echo "leagues correct, 12 threads" >all
echo "a league has all processors" >wide
echo "teams are stolen" >stolen
echo "few threads" >few
for v in 19 22; do
  command -v clang-$v >/dev/null || continue
  for opt in -O0 -O2; do
    cc $v $opt -g "$programs/leagues.c" -L"$lib" $(libomp $v) -o program || { fail "build $v"; continue; }
    for threads in 1 2 5; do
      expect "clang-$v $opt, $threads" fewer env SOLO_HOST_THREADS=processors OMP_NUM_THREADS=$threads ./program
    done
    expect "clang-$v $opt, cancellation" fewer env SOLO_HOST_THREADS= OMP_CANCELLATION=true OMP_NUM_THREADS=2 ./program
    expect "clang-$v $opt, exact" all ./program
    # OMP_NUM_THREADS does not limit leagues
    expect "clang-$v $opt, width" wide env SOLO_HOST_THREADS=processors OMP_NUM_THREADS=1 ./program width
    expect "clang-$v $opt, stolen" stolen ./program stolen
    expect "clang-$v $opt, 182 x 182" few env SOLO_HOST_THREADS=processors ./program many
  done
done
v=19
if [ -e "$stock/libomptarget.so" ]; then # linked with stock
  cc $v -O1 "$programs/leagues.c" -L"$stock" -o program || fail "build with stock"
  expect "on libsolo.so, 182 x 182" few env SOLO_HOST_THREADS=processors LD_LIBRARY_PATH="$shared-cpu" ./program many
  expect "on libsolo.so" all env LD_LIBRARY_PATH="$shared-cpu" ./program
fi
"$root/build/bin/solo-cc" --static -O2 "$programs/leagues.c" -o static || fail "build static"
expect "static" all ./static
expect "static, stolen" stolen ./static stolen
expect "static, 182 x 182" few env SOLO_HOST_THREADS=processors ./static many
expect "static, processors" fewer env SOLO_HOST_THREADS=processors OMP_NUM_THREADS=3 ./static
finish
