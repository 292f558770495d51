! Description: critical regions
subroutine test_critical
  implicit none
  integer :: i, n
  n = 0
  !$omp target parallel do map(tofrom: n)
  do i = 1, 40
  !$omp critical
  n = n + i
  !$omp end critical
  end do
  print *, 'critical', n
end subroutine
