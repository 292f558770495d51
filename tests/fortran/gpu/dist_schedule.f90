! Description: distribute with a chunk
subroutine test_dist_schedule
  implicit none
  integer :: a(103), i
  a = 1
  !$omp target teams distribute dist_schedule(static, 5) num_teams(3) map(tofrom: a)
  do i = 1, 103
  a(i) = a(i) + i
  end do
  print *, 'dist_schedule', sum(a), a(103)
end subroutine
