#!/bin/sh
# Description: part of the GPU bundle: an MPICH job on this machine. Each server uses this machine's GPU.
#   mpi_job.sh SERVERS PROGRAM [ARGUMENT...]
servers=$1
shift
PATH=$PWD/mpi:$PATH LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$PWD/mpi/lib SOLO_SERVER_BACKENDS=cuda SOLO_HOST_DEVICES=0
export PATH LD_LIBRARY_PATH SOLO_SERVER_BACKENDS SOLO_HOST_DEVICES
exec mpiexec.hydra -launcher fork -n 1 "$@" : -n "$servers" mpi/solo-server-mpich
