! Description: leagues: sizes, distribution of iterations, reductions.
program leagues
  use omp_lib
  implicit none
  integer, parameter :: n = 4000
  integer :: x(n), hits(64), i, j, k, teams, threads, most, total, small, budget
  integer :: grid(40, 30)
  logical :: every
  real(8) :: product

  do k = 1, 5
    hits = 0
    teams = 0
    !$omp target teams num_teams(7*k) map(tofrom: hits, teams)
    !$omp atomic
    hits(omp_get_team_num() + 1) = hits(omp_get_team_num() + 1) + 1
    if (omp_get_team_num() == 0) teams = omp_get_num_teams()
    !$omp end target teams
    if (teams /= 7*k) error stop 'num_teams: another number of teams'
    do i = 1, 64
      if (i <= 7*k .and. hits(i) /= 1) error stop 'num_teams: a team more or less than once'
      if (i > 7*k .and. hits(i) /= 0) error stop 'num_teams: a team too many'
    end do
  end do

  x = -1
  !$omp target teams distribute parallel do num_teams(4) map(tofrom: x)
  do i = 1, n
    x(i) = omp_get_team_num()
  end do
  do i = 1, n
    if (x(i) /= ((i - 1)*4)/n) error stop 'distribute parallel do: not in blocks of teams'
  end do
  ! flang-22 ignores the chunk of dist_schedule
  x = 0
  !$omp target teams distribute parallel do num_teams(3) dist_schedule(static, 10) map(tofrom: x)
  do i = 1, n
    x(i) = x(i) + i
  end do
  do i = 1, n
    if (x(i) /= i) error stop 'dist_schedule: an iteration more or less than once'
  end do

  x = 0
  most = 0
  !$omp target teams distribute num_teams(5) map(tofrom: x, most)
  do i = 1, 40
    !$omp parallel do
    do j = 1, 100
      x((i - 1)*100 + j) = x((i - 1)*100 + j) + i*j
    end do
    !$omp atomic
    most = most + 1
  end do
  if (most /= 40) error stop 'distribute: an iteration more or less than once'
  do i = 1, n
    if (x(i) /= ((i - 1)/100 + 1)*(mod(i - 1, 100) + 1)) error stop 'distribute with parallel do'
  end do

  do k = 1, 20
    total = 100
    !$omp target teams distribute reduction(+: total) map(tofrom: total)
    do i = 1, n
      total = total + mod(i, 11)
    end do
    if (total /= 100 + sum([(mod(i, 11), i=1, n)])) error stop 'sum over teams: wrong'
    total = 1
    small = huge(0)
    every = .true.
    product = 1
    !$omp target teams distribute parallel do num_teams(2*k) reduction(+: total) &
    !$omp& reduction(min: small) reduction(.and.: every) reduction(*: product) &
    !$omp& map(tofrom: total, small, every, product)
    do i = 1, n
      total = total + i
      small = min(small, abs(i - 1234))
      every = every .and. i > 0
      if (mod(i, 500) == 0) product = product*2
    end do
    if (total /= 1 + n*(n + 1)/2) error stop 'sum over teams and threads: wrong'
    if (small /= 0 .or. .not. every) error stop 'minimum or and over teams: wrong'
    if (product /= 2d0**8) error stop 'product over teams: wrong'
    total = 0
    !$omp target teams num_teams(16) reduction(+: total) map(tofrom: total)
    total = total + omp_get_team_num()
    !$omp end target teams
    if (total /= 120) error stop 'sum of team numbers: wrong'
  end do

  grid = 0
  !$omp target teams distribute collapse(2) map(tofrom: grid)
  do j = 1, 30
    do i = 1, 40
      grid(i, j) = grid(i, j) + 100*i + j
    end do
  end do
  do j = 1, 30
    do i = 1, 40
      if (grid(i, j) /= 100*i + j) error stop 'distribute collapse: wrong'
    end do
  end do

  threads = 0
  !$omp target teams num_teams(3) thread_limit(2) map(tofrom: threads)
  !$omp parallel reduction(max: threads)
  threads = max(threads, omp_get_num_threads())
  !$omp end parallel
  !$omp end target teams
  if (threads < 1 .or. threads > 2) error stop 'thread_limit: not kept'
  threads = 0
  !$omp target teams distribute parallel do num_teams(1) thread_limit(1) map(tofrom: threads) &
  !$omp& reduction(max: threads)
  do i = 1, 1000
    threads = max(threads, omp_get_num_threads())
  end do
  if (threads /= 1) error stop 'thread_limit: not kept in one team'

  ! the default number of teams uses all processors
  teams = 0
  !$omp target teams distribute map(tofrom: teams)
  do i = 1, 1000
    if (i == 1) teams = omp_get_num_teams()
  end do
  budget = min(omp_get_num_procs(), omp_get_max_threads())
  if (teams /= budget) error stop 'distribute: teams do not use the processors'
  teams = 0
  !$omp target teams distribute parallel do map(tofrom: teams)
  do i = 1, 1000
    if (i == 1) teams = omp_get_num_teams()
  end do
  if (teams /= 1) error stop 'distribute parallel do: not one team with all threads'

  teams = 0
  !$omp target map(tofrom: teams)
  teams = omp_get_num_teams() + omp_get_team_num()
  !$omp end target
  if (teams /= 1) error stop 'no teams: not one team'

  call omp_set_teams_thread_limit(1)
  threads = 0
  !$omp target teams map(tofrom: threads)
  !$omp parallel num_threads(2) reduction(max: threads)
  threads = max(threads, omp_get_num_threads())
  !$omp end parallel
  !$omp end target teams
  if (threads /= 1) error stop 'omp_set_teams_thread_limit: not kept'
end program
