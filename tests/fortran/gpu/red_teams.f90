! Description: a reduction over teams
subroutine test_red_teams
  implicit none
  integer :: n, s
  integer, external :: omp_get_team_num
  n = 0
  s = 0
  !$omp target teams num_teams(6) reduction(+: n, s) map(tofrom: n, s)
  n = n + 1
  s = s + omp_get_team_num()
  !$omp end target teams
  print *, 'red_teams', n, s
end subroutine
