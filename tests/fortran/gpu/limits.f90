! Description: thread_limit and num_threads
subroutine test_limits
  implicit none
  integer :: n, i, s
  n = 0
  s = 0
  !$omp target teams distribute parallel do num_teams(2) thread_limit(32) reduction(+: n) map(tofrom: n)
  do i = 1, 100
  n = n + 1
  end do
  !$omp target parallel do num_threads(32) reduction(+: s) map(tofrom: s)
  do i = 1, 100
  s = s + i
  end do
  print *, 'limits', n, s
end subroutine
