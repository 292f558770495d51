! Description: a declared reduction
subroutine test_red_declared
  implicit none
  integer :: i, n
  !$omp declare reduction(add: integer: omp_out = omp_out + omp_in) initializer(omp_priv = 0)
  n = 4
  !$omp target parallel do reduction(add: n) map(tofrom: n)
  do i = 1, 200
    n = n + i
  end do
  print *, 'red_declared', n
end subroutine
