! Description: sections, single and master
! Not for AMD: flang 22 crashes
subroutine test_worksharing
  implicit none
  integer :: a, b, c, d
  a = 0
  b = 0
  c = 0
  d = 0
  !$omp target parallel map(tofrom: a, b, c, d)
  !$omp sections
  !$omp section
  a = 1
  !$omp section
  b = 2
  !$omp end sections
  !$omp single
  c = 3
  !$omp end single
  !$omp masked
  d = 4
  !$omp end masked
  !$omp end target parallel
  print *, 'worksharing', a, b, c, d
end subroutine
