! Description: implicit mapping: scalars are firstprivate, arrays are tofrom
subroutine test_implicit
  implicit none
  integer :: a(4), n
  n = 7
  a = 0
  !$omp target
  a = n
  n = 8
  !$omp end target
  print *, 'implicit', a, n
end subroutine
