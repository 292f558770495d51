#!/bin/sh
# Description: checks that the environment contains no setting. caller.sh runs it with settings.
seen=$(env | grep -E "^(OMP|OMPX|KMP|SIMT|REX|OMPI|PRTE|PMI|PMIX|SLURM|HYDRA|MPIR|MPICH|LIBOMP|LIBOMPTARGET|OMPTARGET|GOMP|SOLO|SIM|BENCH|LD|CUDA_VISIBLE|HSA|ROCR|ASAN|TSAN)_[A-Za-z_]*=|^(LC_[A-Z]*|LANG|[A-Z_]*FLAGS)=|^(CC|CXX|FC|CPATH|GLIBC_TUNABLES|CCC_OVERRIDE_OPTIONS|CLANG|DESTDIR)=|^(LIBRARY|COMPILER|C_INCLUDE|CPLUS_INCLUDE)_PATH=" | grep -vx TSAN_OPTIONS=atexit_sleep_ms=50) # of run.sh
[ -z "$seen" ] && exit 0
echo "settings in the environment of a test:"
echo "$seen"
exit 1
