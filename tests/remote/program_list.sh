# Sourced. programs_of shm|mpi NAME...: sources of tests/programs; all: those that excluded.list permits.
# compiler_of SOURCE VERSION: Clang's command.
programs_of() {
  transport=$1
  shift
  if [ "$*" != all ]; then
    for name; do ls "tests/programs/$name".c* || return 1; done
    return
  fi
  for source in tests/programs/*.c tests/programs/*.cpp; do
    grep -qE "^$(basename "$source") (any|$transport) " tests/remote/excluded.list || echo "$source"
  done
}
compiler_of() {
  case $1 in
  *.cpp) echo "clang++-$2" ;;
  *) echo "clang-$2" ;;
  esac
}
