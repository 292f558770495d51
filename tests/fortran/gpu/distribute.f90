! Description: distribute over teams
subroutine test_distribute
  implicit none
  integer :: a(100), i
  a = 0
  !$omp target teams distribute num_teams(4) map(tofrom: a)
  do i = 1, 100
  a(i) = a(i) + i
  end do
  print *, 'distribute', sum(a), a(1), a(50), a(100)
end subroutine
