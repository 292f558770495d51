# Sourced by the tests of this folder: compilers and forms.
flang=${SOLO_FLANG:-flang-22}
out=build/tests/fortran
mkdir -p $out
modules=$out # module files; each concurrent test sets a folder

skip() {
  echo "skipped: $*"
  exit 77
}
command -v "$flang" >/dev/null || skip "no $flang (package flang-22)"
[ -f build/lib/glibc/libsolo.a ] || skip "no build for glibc"

# for plain, because Debian's flang-22 has no libomp.so
libomp=$(ls -d /usr/lib/llvm-*/lib/libomp.so 2>/dev/null | tail -n 1)
libomp=${libomp%/libomp.so}

# compile FORM OUTPUT ARGUMENTS...   FORM: static, dynamic (solo-fc), plain (flang and one -L)
compile() {
  form=$1 to=$2
  shift 2
  case " $* " in *".f90 "*) set -- -J "$modules" "$@" ;; esac
  case $form in
  static) build/bin/solo-fc -o "$to" "$@" ;;
  *)
    [ -n "$libomp" ] || skip "no libomp.so (package libomp-19-dev)"
    case $form in
    dynamic) build/bin/solo-fc --dynamic -o "$to" "$@" ;;
    plain)
      case " $* " in *" -c "*) ;; *) set -- "$@" -Lbuild/lib/glibc -L"$libomp" ;; esac
      "$flang" -fopenmp -fopenmp-targets="$(uname -m)-pc-linux-gnu" -o "$to" "$@"
      ;;
    esac
    ;;
  esac
}

# The executable must be static, or use libomp without solo's threads.
check_form() {
  if [ "$1" = static ]; then
    file=$(LC_ALL=C file -bL "$2")
    case $file in *dynamically*) echo "failed: not static: $file"; exit 1 ;; esac
    return 0
  fi
  LC_ALL=C readelf -d "$2" | grep -q 'NEEDED.*libomp' || { echo "failed: without libomp"; exit 1; }
  if nm "$2" | grep -q ' solo_kmp_'; then
    echo "failed: solo's threads and libomp in one program"
    exit 1
  fi
}
