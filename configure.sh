#!/bin/sh
# Inspects this machine and writes build/config.ninja and one build/<variant>.ninja per variant of the
# library. Installs missing packages only with --bootstrap. The log is
# build/configure.log.
set -u
cd "$(dirname "$0")" || exit 1

case $(uname -m) in
x86_64) backends=cuda,hsa,simt,host ;;
*) backends=cuda,hsa,host ;; # simt's fibers and faults are x86-64's
esac
libc=both
cc=
prefix=/usr/local
binding=weak
hosts=auto
debug_libs=no
static_tools=
wanted_mpis=auto
bootstrap=no
tests=yes

usage() {
  cat <<'END'
usage: ./configure.sh [options]
  --backends=LIST   comma-separated: host, simt, cuda, hsa, or a folder of backends/   [cuda,hsa,simt,host]
                    devices are numbered in this order; simt: on x86_64 alone
                    (static musl programs cannot load a GPU driver: lib/musl is always host only)
  --libc=WHICH      musl, glibc or both                                          [both]
  --cc=COMPILER     C compiler of the library                                    [gcc, else clang-19]
  --driver-binding=HOW  weak: GPU drivers may be absent (libsolo_drv.so loads those there are);
                    needed: programs need them to start                          [weak]
  --host=LIST       also build the libraries for these machines, with Debian's cross compilers, for
                    solo-cc --host=: aarch64-linux-gnu, riscv64-linux-gnu; or none
                    [with tests: those whose packages are there; ninja soak builds riscv64-linux-gnu; else none]
  --mpi=LIST        also build library and device server for programs over these implementations of
                    MPI: openmpi, mpich; or none            [those whose compiler wrappers are here]
  --debug-libs      libraries keep their debug information (6 times as large)
  --static-tools    solo-cc, solo-link and solo-pack are static programs
  --prefix=DIR      where `ninja install` puts it                                [/usr/local]
  --no-tests        leave out what only the tests need
  --bootstrap       install missing Debian packages first (needs root and apt-get)
  --help            this text
then: ninja (library and tools), ninja demo, ninja test, ninja bench, ninja lint, ninja soak,
      ninja docs, ninja release, ninja install, ninja uninstall (honour DESTDIR)
END
}

again= # the options to run this script with when a source list changes
for arg; do
  case $arg in --bootstrap) ;; *) again="$again $arg" ;; esac
  case $arg in
  --backends=*) backends=${arg#*=} ;;
  --libc=*) libc=${arg#*=} ;;
  --cc=*) cc=${arg#*=} ;;
  --prefix=*) prefix=${arg#*=} ;;
  --host=*) hosts=${arg#*=} ;;
  --driver-binding=*) binding=${arg#*=} ;;
  --debug-libs) debug_libs=yes ;;
  --static-tools) static_tools=-static ;;
  --mpi=*) wanted_mpis=${arg#*=} ;;
  --no-tests) tests=no ;;
  --bootstrap) bootstrap=yes ;;
  --help | -h) usage; exit 0 ;;
  *) echo "configure.sh: unknown option '$arg'" >&2; usage >&2; exit 2 ;;
  esac
done

mkdir -p build
log=build/configure.log
echo "configure.sh $*" >$log
say() { echo "$*"; echo "$*" >>$log; }
die() { echo "configure.sh: error: $*" >&2; echo "error: $*" >>$log; exit 1; }

case $libc in musl | glibc | both) ;; *) die "--libc=$libc: musl, glibc or both" ;; esac
case $binding in weak | needed) ;; *) die "--driver-binding=$binding: weak or needed" ;; esac
for b in $(echo "$backends" | tr , ' '); do
  [ -f "backends/$b/sources.list" ] || [ -f "backends/$b/$b.ninja" ] ||
    die "--backends: no backend '$b' (backends/$b/sources.list is missing)"
done
case ,$backends,$(uname -m) in
*,simt,*,x86_64) ;;
*,simt,*) die "--backends: simt is for x86_64; leave it out here ($(uname -m))" ;;
esac
case ,$backends, in
*,simt,*) case ,$backends, in *,host,*) ;; *) die "--backends: simt loads its images as host does: simt,host" ;; esac ;;
esac

# --- requirements: a command, a file, or a header of the compiler or of clang-19, and the Debian package ---------
# COMMAND:PACKAGE, PACKAGE:file:PATH, PACKAGE:header:NAME, PACKAGE:clang:NAME
needs='gcc:gcc libc6-dev:header:stdio.h ninja:ninja-build ld:binutils objcopy:binutils
clang-19:clang-19 clang++-19:clang-19 ld.lld-19:lld-19 clang-offload-packager-19:clang-tools-19
llvm-objcopy-19:llvm-19 file:file libzstd-dev:header:zstd.h zlib1g-dev:header:zlib.h'
libomp='libomp-19-dev:clang:libomp.so g++:g++' # dynamic programs; C++
musl=musl-gcc:musl-tools
hsa=libhsa-runtime-dev:header:hsa/hsa.h
case $tests,$libc in yes,* | *,glibc | *,both) needs="$needs $libomp" ;; esac
case $tests,$libc in yes,* | *,musl | *,both) needs="$needs $musl" ;; esac
case $tests,$backends in yes,* | *hsa*) needs="$needs $hsa" ;; esac
machine=$(uname -m)
test_needs="clang-22:clang-22 ld.lld-22:lld-22 clang-offload-bundler-22:clang-tools-22 llvm-offload-binary-22:llvm-22
clang-format:clang-format clang-tidy:clang-tidy cppcheck:cppcheck strace:strace gdb:gdb perf:linux-perf
libclang-rt-19-dev:file:/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.tsan-$machine.a
mold:mold valgrind:valgrind flang-22:flang-22 python3:python3 dh:debhelper lintian:lintian mmdebstrap:mmdebstrap
codespell:codespell dot:graphviz distcc:distcc ccache:ccache cmake:cmake meson:meson autoconf:autoconf pkg-config:pkgconf
mpich:file:/usr/bin/mpicc.mpich libmpich-dev:file:/usr/include/$machine-linux-gnu/mpich/mpi.h
libopenmpi-dev:file:/usr/bin/mpicc.openmpi openmpi-bin:file:/usr/bin/mpirun.openmpi gfortran:gfortran
rocm-device-libs:file:/usr/lib/$machine-linux-gnu/amdgcn/bitcode/ockl.bc
libopenblas-openmp-dev:file:/usr/lib/$machine-linux-gnu/openblas-openmp/libopenblas.a
libfftw3-dev:file:/usr/lib/$machine-linux-gnu/libfftw3_omp.a reuse:reuse abidw:abigail-tools modulecmd:environment-modules
doxygen:doxygen sphinx-build:python3-sphinx python3-myst-parser:file:/usr/lib/python3/dist-packages/myst_parser
python3-sphinx-rtd-theme:file:/usr/lib/python3/dist-packages/sphinx_rtd_theme python3-breathe:file:/usr/lib/python3/dist-packages/breathe
python3-sphinx-copybutton:file:/usr/lib/python3/dist-packages/sphinx_copybutton
chromium-headless-shell:chromium-headless-shell"
[ $tests = yes ] && needs="$needs $test_needs"

missing=
probe() { # probe <item>: 0 when present
  case $1 in
  *:file:*) [ -e "${1##*:file:}" ] ;;
  # hsa.h detects the byte order only on x86
  *:header:*) echo "#include <${1##*:header:}>" | ${cc:-gcc} -E -DLITTLEENDIAN_CPU -x c - >/dev/null 2>&1 ;;
  *:clang:*) [ -e "$(clang-19 -print-file-name="${1##*:clang:}" 2>/dev/null)" ] ;;
  *) command -v "${1%%:*}" >/dev/null 2>&1 ;;
  esac
}
package_of() { case $1 in *:*:*) echo "${1%%:*}" ;; *) echo "${1##*:}" ;; esac; }
probe_all() {
  missing=
  for item in $needs; do
    if probe "$item"; then
      echo "found   $item" >>$log
    else
      echo "missing $item" >>$log
      p=$(package_of "$item")
      case " $missing " in *" $p "*) ;; *) missing="$missing $p" ;; esac
    fi
  done
}
probe_all
if [ -n "$missing" ] && [ $bootstrap = yes ]; then
  say "installing:$missing"
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update && apt-get install -y --no-install-recommends $missing; } >>$log 2>&1 ||
    die "apt-get failed, see $log (are you root?)"
  probe_all
fi
if [ $bootstrap = yes ] && [ $tests = yes ] && ! sh tests/offload/fetch.sh >>$log 2>&1; then
  say "liboffload-22 cannot be fetched, see $log; tests/offload skips the comparison with it"
fi
[ -z "$missing" ] || die "missing packages:$missing
  install them:  apt-get install --no-install-recommends$missing
  or let this script do it:  ./configure.sh --bootstrap"

# libraries that tests/gcc links
if [ $bootstrap = yes ] && [ $tests = yes ] && [ -n "$(sh tests/gcc/packages.sh list)" ]; then
  say "unpacking into build/sysroot/gcc:" $(sh tests/gcc/packages.sh list)
  sh tests/gcc/packages.sh install >>$log 2>&1 || say "  failed, see $log: $(tail -n 1 $log)"
fi

# --- other machines -------------------------------------------------------------------------------
known_hosts='aarch64-linux-gnu riscv64-linux-gnu'
case $hosts,$tests in
auto,yes) wanted_hosts=$known_hosts ;;
auto,no | none,*) wanted_hosts= ;;
*) wanted_hosts=$(echo "$hosts" | tr , ' ') ;;
esac
cross_hosts=
for host in $wanted_hosts; do
  case " $known_hosts " in *" $host "*) ;; *) die "--host=$host: known are $known_hosts" ;; esac
  [ "$host" = "$(uname -m)-linux-gnu" ] && continue # that is here
  if [ $bootstrap = yes ] && [ -n "$(sh ports/cross/packages.sh list "$host")" ]; then
    say "installing for $host:" $(sh ports/cross/packages.sh list "$host")
    sh ports/cross/packages.sh install "$host" >>$log 2>&1 || say "  failed, see $log: $(tail -n 1 $log)"
  fi
  missing=$(sh ports/cross/packages.sh list "$host")
  case $host:$bootstrap:$hosts:$libc in # asked for by name: from Debian's source package
  *:yes:auto:* | *:glibc | *:no:*) ;;
  riscv64-*)
    say "building musl for $host"
    sh ports/cross/musl.sh "$host" >>$log 2>&1 || say "  failed, see $log: $(tail -n 1 $log)" ;;
  esac
  if [ -z "$missing" ]; then
    cross_hosts="$cross_hosts $host"
  elif [ "$hosts" = auto ]; then # its tests are skipped
    say "nothing for $host: missing" $missing "(./configure.sh --bootstrap installs them)"
  else
    die "--host=$host: missing packages:" $missing "(--bootstrap installs them)"
  fi
done

if [ -z "$cc" ]; then cc=gcc; fi
command -v "$cc" >/dev/null || die "--cc=$cc: no such command"
# --- MPI --------------------------------------------------------------------------------------------
# The installed implementations of MPI. backends/remote/mpi.ninja is included for each.
mpis=
case $wanted_mpis in
none) ;;
auto)
  for m in openmpi mpich; do
    command -v "mpicc.$m" >/dev/null 2>&1 && mpis="$mpis $m"
  done
  ;;
*)
  for m in $(echo "$wanted_mpis" | tr , ' '); do
    case $m in openmpi | mpich) ;; *) die "--mpi=$m: openmpi, mpich or none" ;; esac
    command -v "mpicc.$m" >/dev/null 2>&1 || die "--mpi=$m: no mpicc.$m (Debian: libopenmpi-dev, libmpich-dev)"
    mpis="$mpis $m"
  done
  ;;
esac
mpi_words() { # mpi_words <implementation> <letters>: the wrapper's options that begin so
  "mpicc.$1" -show 2>>$log | tr ' ' '\n' | grep "^-[$2]" | tr '\n' ' '
}
with_mpi() { # with_mpi <ninja file>: the lines that include it once per implementation
  for m in $mpis; do
    echo "mpi = $m"
    echo "mpi_cflags = $(mpi_words $m I | sed 's/-I/-isystem /g')"
    echo "mpi_libs = $(mpi_words $m Ll)"
    echo "include $1"
  done
}

say "compiler $cc, backends $backends ($binding), libc $libc, prefix $prefix, MPI${mpis:- none}, tests $tests"

# --- source lists ---------------------------------------------------------------------------------
# The lines of a sources.list:
#   NAME.o: or NAME.a:     the following objects are joined to $o/NAME.o or archived, in this order
#   alone:                 the following are compiled only; a *.ninja file uses them
#   FILE.c [cold] [as=NAME.o] [-FLAG...]    a source, by its path from the top; cold: optimised for size;
#                          as: its object, default $o/FILE.o (for a source that is compiled twice)
#   NAME.o                 an object of this or another list
#   # ...                  a comment
# FOLDER/sources.list becomes build/sources/FOLDER.ninja, with _ for each / in FOLDER.
expand() { # expand <list> <ninja file>
  awk -v list="$1" '
    function finish(  i) {
      if (target ~ /[.](o|a)$/) {
        printf "build $o/%s: %s", target, target ~ /o$/ ? "reloc" : "ar"
        for (i = 1; i <= n; i++) printf " $\n  %s", object[i]
        print ""
      }
      n = 0
    }
    function wrong(why) { printf "%s:%d: %s: %s\n", list, NR, $0, why >"/dev/stderr"; failed = 1 }
    BEGIN { print "# written by configure.sh from " list }
    /^#/ || NF == 0 { next }
    NF == 1 && /:$/ { finish(); target = substr($1, 1, length($1) - 1); next }
    target == "" { wrong("no NAME.o: above it"); next }
    /[.]o$/ && NF == 1 { object[++n] = "$o/" $1; next }
    $1 !~ /[.](c|cc)$/ { wrong("neither a source nor an object nor NAME.o:"); next }
    {
      if ((getline first <$1) < 0) wrong("no such file")
      close($1)
      made = $1
      sub(/[.][a-z]+$/, ".o", made)
      flags = ""
      for (i = 2; i <= NF; i++)
        if ($i == "cold") flags = flags " $cold"
        else if ($i ~ /^as=/) made = substr($i, 4)
        else if ($i ~ /^-/) flags = flags " " $i
        else wrong("what is " $i "?")
      print "build $o/" made ": " ($1 ~ /c$/ && $1 !~ /cc$/ ? "cc" : "cxx") " " $1
      if (flags != "") print "  extra =" flags
      object[++n] = "$o/" made
    }
    END { finish(); exit failed }' "$1" >"$2.new" || { rm -f "$2.new"; die "$1 is wrong"; }
  replace "$2"
}
replace() { # replace <file>: by file.new, if they differ
  cmp -s "$1" "$1.new" || mv "$1.new" "$1"
  rm -f "$1.new"
}
sources() { # sources <folder...>: the lines that include what the lists below these folders became
  find "$@" -name sources.list | sort | sed 's|/sources\.list$||; s|/|_|g; s|.*|include build/sources/&.ninja|'
}
mkdir -p build/sources
lists=$(find runtime abi backends tools ports tests -name sources.list | sort)
wanted=
for list in $lists; do
  made=build/sources/$(dirname "$list" | tr / _).ninja
  wanted="$wanted $made "
  expand "$list" "$made"
done
for made in build/sources/*.ninja; do
  case $wanted in *" $made "*) ;; *) rm -f "$made" ;; esac
done

# --- variants ------------------------------------------------------------------------------------
warnings='-Wall -Wextra -Wpedantic -Wstrict-prototypes -Wmissing-prototypes -Wvla'
common="-std=c11 $warnings -g -ffunction-sections -fdata-sections -fvisibility=hidden -fno-plt"
common="$common -fno-semantic-interposition -fexceptions"
# The shell of each build command expands $PWD: a build in another folder gives the same bytes.
prefix_map='-ffile-prefix-map=$$PWD=.'
common="$common $prefix_map"

strip_debug='objcopy --strip-debug --keep-section=.debug_frame'
binutils= # what the names of ar, ld and objcopy begin with for the variants of another machine
cold=-Os # for what runs once or not at all; the files are marked in the source lists
variant() { # variant <name> <cc> <cxx> <flags> <ldflags> <backends> <kind> [<like> <its backends>]
  # kind: library (archives), shared (the same and libsolo.so), checks (tests), or a *.ninja file
  # like: a variant with the same compilers and flags. This variant uses its objects and compiles only the
  # backends that it lacks. Both have several backends.
  v=$1
  c=${8:-$v}
  defs=
  have=
  list=$(echo "$6" | tr , ' ')
  n=0
  table=
  for b in $list; do
    have="$have -DSOLO_HAVE_$(echo "$b" | tr a-z A-Z)=1"
    case $b in
    remote) table="$table XX(remote_cuda) XX(remote_hsa) XX(remote_host) XX(remote_simt)" ;;
    *) table="$table XX($b)" ;;
    esac
    n=$((n + 1))
  done
  # Tests choose their driver at link time. Static programs use the same objects and have no driver.
  # The needed binding adds one strong reference per driver (abi/dropin_needed.ninja).
  defs="$defs -DSOLO_DRIVER_WEAK=1"
  [ $n = 1 ] && defs="$defs -DSOLO_SINGLE_BACKEND=$list"
  [ "$list" = host ] && defs="$defs -DSOLO_CPU_ONLY=1"
  {
    echo "# written by configure.sh"
    echo "variant = $v"
    echo "cc = $2"
    echo "cxx = $3"
    echo "cflags = $common $4 $defs -I."
    echo "cxxflags = -g -fvisibility=hidden $4 $defs -I."
    echo "ldflags = $5"
    echo "cold = $cold"
    for tool in ar ld objcopy; do [ -z "$binutils" ] || echo "$tool = $binutils$tool"; done
    [ -z "$binutils" ] || [ $debug_libs != no ] || echo "strip_debug = $binutils$strip_debug"
    echo "o = build/$v"
    echo "c = build/$c"
    echo "lib = build/lib/$v"
    [ "$c" != "$v" ] || sources runtime abi
    objs= linked=
    for b in $list; do
      where='$o'
      case ,${9:-}, in
      *",$b,"*) where='$c' ;;
      *) [ -d "backends/$b" ] && sources "backends/$b" || sources "tests/$b" ;;
      esac
      objs="$objs $where/backends/$b.o"
      case $b in # what libsolo_linked.a holds of it (abi/library.ninja)
      host) linked="$linked $where/backends/host_linked.o" ;;
      *) linked="$linked $where/backends/$b.o" ;;
      esac
    done
    echo "build \$o/backends.o: reloc \$o/backends/table.o$objs"
    echo "build \$o/backends_linked.o: reloc \$o/backends/table.o$linked"
    echo "build \$o/backends/table.o: cc backends/backends.c"
    echo "  extra = -D'SOLO_BACKEND_LIST(XX)=${table# }'"
    case $7 in
    shared | shared_cpu | library) echo "include abi/$7.ninja" ;;
    checks) echo "include tests/checks.ninja" ;;
    *) echo "include $7.ninja" ;;
    esac
    if [ $v = glibc-remote ]; then # the same with the devices of an MPI job's other ranks
      with_mpi backends/remote/mpi.ninja
      with_mpi backends/remote/mpi_library.ninja
    fi
    case $7 in
    shared) [ $binding = weak ] && echo "include abi/dropin.ninja" ||
      printf 'have =%s\ninclude abi/dropin_needed.ninja\n' "$have" ;;
    shared_cpu | library) echo "include abi/dropin.ninja" ;;
    esac
    if [ "$7" = checks ]; then # conformance programs of the chosen backends that have an adapter
      ports='$o/ports/conformance_skeleton'
      for b in $list; do # tests of a backend alone
        [ -f "tests/$b/backend.ninja" ] || continue
        echo "include tests/$b/backend.ninja"
        ports="$ports \$t/$b/all"
      done
      for b in $list; do
        [ -f "ports/conformance/$b.ninja" ] || continue
        echo "include ports/conformance/$b.ninja"
        ports="$ports \$o/ports/conformance_$b"
      done
      case $v,$list in
      check,*remote* | asan,*remote*)
        with_mpi tests/remote/mpi.ninja
        for m in $mpis; do ports="$ports \$o/ports/$m/all"; done
        ;;
      esac
      echo "build \$o/ports/all: phony $ports"
    fi
  } >"build/$v.ninja.new"
  replace "build/$v.ninja"
  echo "subninja build/$v.ninja" >>build/config.ninja.new
  say "variant $v: $2, backends $6"
}

: >build/config.ninja.new
{
  echo "# written by configure.sh $*"
  echo "prefix = $prefix"
  echo "prefix_map = $prefix_map"
  # binding of programs to GPU drivers (backends/drivers.ninja, abi/dropin_needed.ninja)
  case $binding,$backends in *cuda*) links=stubs/libcuda.so ;; *) links= ;; esac
  case $backends in *hsa*) links="$links -lhsa-runtime64" ;; esac
  echo "driver_links = $links"
  if [ $binding = weak ]; then
    echo "driver_entries = -Wl,-f,libcuda.so.1 -Wl,-f,libhsa-runtime64.so.1"
  else
    echo "driver_entries = -Wl,--no-as-needed -Lbuild/lib/glibc $(echo "$links" | sed 's|stubs/|build/lib/glibc/&|')"
  fi
  # frame pointers remain: debuggers unwind code of the musl variant with them
  if [ $debug_libs = no ]; then
    echo "strip_debug = $strip_debug"
    echo 'strip_shared = -Wl,--strip-debug'
  else
    echo 'strip_debug = true'
  fi
  # filter libraries; none if no backend has a driver
  rm -f build/lib/glibc/libsolo_drv_*.so
  case $libc,$backends in
  musl,*) driver_library= driver_files= ;;
  *,*cuda* | *,*hsa*)
    driver_library=build/lib/glibc/libsolo_drv.so
    driver_files="$driver_library build/lib/glibc/stubs/libcuda.so"
    [ $binding = needed ] || driver_files="$driver_files build/lib/glibc/libsolo_drv_cuda.so build/lib/glibc/libsolo_drv_hsa.so"
    ;;
  *) driver_library= driver_files= ;;
  esac
  echo "driver_library = $driver_library"
  echo "build drivers: phony $driver_files"
  # translator of the virtual GPU
  [ "$(uname -m)" = x86_64 ] && echo "build simt_device: phony build/lib/simt/common.bc" ||
    echo "build simt_device: phony"
  # tools are programs of the build system, with glibc even if the library is built for musl only
  echo "native = glibc"
  # solo-info also shows the devices of device servers
  [ $libc = musl ] && echo "native_remote = glibc" || echo "native_remote = glibc-remote"
  # the variant with the objects of runtime/ and abi/ for the tools
  case $libc,$backends in musl,* | *,*,*) echo "native_core = glibc" ;; *) echo "native_core = glibc-remote" ;; esac
  echo "native_cc = $cc"
  echo "native_ldflags ="
  echo "tools_ldflags = $static_tools"
  [ -n "$static_tools" ] && echo "tools_dynamic =" || echo "tools_dynamic = -Wl,-Bdynamic"
  [ $libc = musl ] && echo "build mpi_benches: phony" ||
    echo "build mpi_benches: phony$(for m in $mpis; do printf ' mpi_benches_%s' $m; done)"
  echo "build mpi_servers: phony$(for m in $mpis; do printf ' build/bin/solo-server-%s' $m; done)"
  [ $libc = musl ] && echo "build mpi_infos: phony" ||
    echo "build mpi_infos: phony$(for m in $mpis; do printf ' build/bin/solo-info-%s' $m; done)"
  case "$libc,$mpis " in
  musl,*) echo "build gpu_bundle_mpi: phony" ;;
  *" mpich "*) echo "build gpu_bundle_mpi: phony build/check/ports/mpich/conformance_remote_cuda build/lib/mpich/libsolo.a" ;;
  *) echo "build gpu_bundle_mpi: phony" ;;
  esac
  echo "native_drivers = -Wl,--no-as-needed $driver_library -lzstd -lz -Wl,--as-needed -Wl,-rpath,'\$\$ORIGIN/../lib/glibc:\$\$ORIGIN/../lib/solo/glibc'"
} >>build/config.ninja.new
libs=
c_only="-fno-exceptions -fno-asynchronous-unwind-tables -fno-unwind-tables" # nothing unwinds: no tables
if [ $libc != musl ]; then
  variant glibc "$cc" g++ "-O2 -fPIC" "" "$backends" shared
  libs="$libs build/lib/glibc/libsolo.a build/lib/glibc/libsolo_linked.a build/lib/glibc/libsolo_atomic.a build/lib/glibc/solo_tsan.o build/lib/glibc/solo_exact_threads.o build/lib/glibc/libomptarget.a build/lib/glibc/libsolo_rex.a build/lib/glibc/libsolo_hip.a build/lib/glibc/libsolo_cuda.a build/lib/glibc/libsolo_offload.a shared_libraries"
  # the same with the devices of device servers
  case ,$backends, in *,remote,*) all=$backends ;; *) all=$backends,remote ;; esac
  case $backends in *,*) like="glibc $backends" ;; *) like= ;; esac # with one: direct calls
  variant glibc-remote "$cc" g++ "-O2 -fPIC" "" "$all" library $like
  libs="$libs build/lib/glibc-remote/libomptarget.a"
  for m in $mpis; do libs="$libs build/lib/$m/libomptarget.a build/lib/$m/libsolo.a"; done
fi
if [ $libc = musl ]; then # for the tools; not installed
  variant glibc "$cc" g++ "-O2 -fPIC" "" host library
fi
if [ $libc != glibc ]; then
  # alignment: 16 bytes for each function and loop would add 2 KiB to a small program
  variant musl musl-gcc false \
    "-O2 -fPIC -falign-functions=8 -falign-jumps=1 -falign-loops=1 $c_only" "-static" host library
  libs="$libs build/lib/musl/libsolo.a build/lib/musl/libsolo_linked.a build/lib/musl/libsolo_atomic.a build/lib/musl/solo_exact_threads.o build/lib/musl/libomptarget.a build/lib/musl/libsolo_rex.a build/lib/musl/libsolo_hip.a build/lib/musl/libsolo_cuda.a build/lib/musl/libsolo_offload.a"
  libs="$libs build/lib/musl/start.ld build/lib/musl/constants.ld"
  # the same with the devices of a device server, for GPUs in static programs
  variant musl-remote musl-gcc false \
    "-O2 -fPIC $c_only" "-static" remote,host library
  libs="$libs build/lib/musl-remote/libsolo.a build/lib/musl-remote/libsolo_linked.a"
  # the same with the virtual GPU (solo-cc --static --targets=simt-...)
  case ,$backends, in *,simt,*)
    variant musl-simt musl-gcc false \
      "-O2 -fPIC $c_only" "-static" simt,host library musl-remote remote,host
    libs="$libs build/lib/musl-simt/libsolo.a build/lib/musl-simt/libsolo_atomic.a"
    ;;
  esac
else # what bench/ makes of it says that it is missing
  echo "build build/lib/musl/libsolo.a: phony" >>build/config.ninja.new
fi
cross_tests=
cross_soak_tests=
for host in $cross_hosts; do
  binutils=$host-
  mkdir -p "build/$host"
  variant "$host/glibc" "$host-gcc" "$host-g++" "-O2 -fPIC" "" host shared_cpu
  made=glibc
  host_libs="build/lib/$host/glibc/shared-cpu/all build/lib/$host/glibc/interface.list"
  echo "build build/lib/$host/glibc/interface.list: copy tools/interface.list" >>build/config.ninja.new
  musl_cc=
  [ ! -f "/usr/lib/${host%%-*}-linux-musl/libc.a" ] || musl_cc=${host%%-*}-linux-musl-gcc
  [ ! -f "build/sysroot/$host/musl/lib/libc.a" ] || musl_cc=build/sysroot/$host/musl/bin/musl-gcc
  if [ -n "$musl_cc" ] && [ "$libc" != glibc ]; then
    # -fplt: in a static program a direct call; ld for aarch64 keeps the table of -fno-plt
    variant "$host/musl" "$musl_cc" false \
      "-Os -fomit-frame-pointer -fPIE -fplt -falign-functions=4 -falign-jumps=1 -falign-loops=1 -fno-tree-vectorize -fno-inline-functions $c_only" "-static" host library
    made="glibc musl"
    for script in start.ld constants.ld; do
      host_libs="$host_libs build/lib/$host/musl/$script"
      echo "build build/lib/$host/musl/$script: copy tools/$script" >>build/config.ninja.new
    done
  fi
  for l in $made; do
    for archive in libsolo libsolo_linked libsolo_atomic libomptarget; do
      host_libs="$host_libs build/lib/$host/$l/$archive.a"
    done
  done
  case $hosts,$host in # what only the soak tests is built for it, unless --host names the machine
  auto,riscv64-*) cross_soak_tests="$cross_soak_tests $host_libs" ;;
  *) libs="$libs $host_libs" ;;
  esac
  if [ $tests = yes ]; then
    variant "$host/check" "$host-gcc" "$host-g++" \
      "-O1 -fPIC -DSOLO_CHECK=1 -DSOLO_COUNT_LOCKS=1" "-pthread" host tests/cross/checks
    case $host in # what runs in every test run, and what in the soak only
    aarch64*) cross_tests="$cross_tests build/$host/check/tests/cross" ;;
    *) cross_soak_tests="$cross_soak_tests build/$host/check/tests/cross" ;;
    esac
  fi
  binutils=
done
if [ $tests = yes ]; then
  cold= # as written, for debuggers
  # tests of remote devices; with one backend the tests check direct calls
  case $backends in *remote*) checked=$backends ;; *,*) checked=$backends,remote ;; *) checked=$backends ;; esac
  variant check "$cc" g++ "-O1 -fPIC -DSOLO_CHECK=1 -DSOLO_COUNT_LOCKS=1" "-pthread" "$checked" \
    checks
  variant deferred "$cc" g++ "-O1 -fPIC -DSOLO_CHECK=1 -DSOLO_COUNT_LOCKS=1" "" deferred \
    tests/deferred/kit
  variant tsan clang-19 clang++-19 "-O1 -fPIC -DSOLO_CHECK=1 -DSOLO_COUNT_LOCKS=1 -fsanitize=thread" \
    "-fsanitize=thread -pthread -fuse-ld=lld" "$checked" checks
  variant asan clang-19 clang++-19 \
    "-O1 -gline-tables-only -fPIC -DSOLO_CHECK=1 -DSOLO_COUNT_LOCKS=1 -fsanitize=address,undefined -fno-sanitize-recover=undefined" \
    "-fsanitize=address,undefined -pthread -fuse-ld=lld" "$checked" checks
fi
{
  echo "build libraries: phony$libs"
  echo "build cross_tests: phony$cross_tests"
  echo "build cross_soak_tests: phony$cross_soak_tests"
  # A list was changed or removed: run this script again, then ninja reloads all files. The phony rule
  # avoids an error for a removed list.
  echo "rule configure"
  echo "  command = ./configure.sh$again >/dev/null"
  echo "  description = CONFIGURE"
  echo "  generator = 1"
  echo "build build.ninja: configure | configure.sh $(echo $lists)"
  echo "build $(echo $lists): phony"
} >>build/config.ninja.new
with_mpi backends/remote/mpi_tools.ninja >build/mpi_tools.ninja.new
replace build/mpi_tools.ninja
[ $libc = musl ] || with_mpi bench/mpi.ninja >build/mpi_bench.ninja.new
echo >>build/mpi_bench.ninja.new
replace build/mpi_bench.ninja
replace build/config.ninja
touch build.ninja # newer than the lists
say "wrote build/config.ninja; now run: ninja"
