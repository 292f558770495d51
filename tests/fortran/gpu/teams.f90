! Description: teams: one team per number, and the number of teams
subroutine test_teams
  implicit none
  integer :: seen(8), n
  integer, external :: omp_get_team_num, omp_get_num_teams
  seen = 0
  n = 0
  !$omp target teams num_teams(8) map(tofrom: seen, n)
  seen(omp_get_team_num() + 1) = omp_get_team_num() + 1
  if (omp_get_team_num() == 0) n = omp_get_num_teams()
  !$omp end target teams
  print *, 'teams', seen, n
end subroutine
