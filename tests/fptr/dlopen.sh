#!/bin/sh
# Description: checks dlopen and dlclose of a library with indirect functions while three threads launch kernels that
# call function pointers, with libsolo.so and libomptarget.a. Arguments: Clang's version, rounds.
programs_here=$PWD/tests/fptr/programs
. tests/dropin/lib.sh
v=$1 rounds=$2
need "clang-$v"
own="-idirafter $root/build/include -fopenmp-version=52 -O1 -g"
for form in shared static; do
  where=$lib
  [ $form = static ] || where=$lib/shared-cpu
  cc $v $own "$programs_here/host.c" -L"$where" $(libomp $v) -lpthread -o host || { fail "$form: host.c does not build"; continue; }
  cc $v $own -fPIC -shared "$programs_here/guest.c" -L"$where" $(libomp $v) -o guest.so || { fail "$form: guest.c does not build"; continue; }
  LD_LIBRARY_PATH=$lib/shared-cpu:$stock OMP_TARGET_OFFLOAD=mandatory timeout 50 ./host ./guest.so "$rounds" >out 2>&1 ||
    { fail "$form: $(head -5 out)"; }
  echo "$form: $(tail -1 out)"
done
finish
