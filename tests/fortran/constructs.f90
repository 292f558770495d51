! Description: constructs that need the device runtime.
program constructs
  use omp_lib
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), i, j, singles, criticals, teams_over, most, ordereds
  integer(8) :: k
  a = 0
  singles = 0
  criticals = 0
  !$omp target map(tofrom: a, singles, criticals)
  !$omp parallel num_threads(4)
  !$omp do schedule(dynamic, 3)
  do i = 1, n
    a(i) = a(i) + i
  end do
  !$omp end do
  !$omp single
  singles = singles + 1
  !$omp end single
  !$omp do
  do i = 1, n
    a(i) = a(i) + a(n + 1 - i)*0
    !$omp critical
    criticals = criticals + 1
    !$omp end critical
  end do
  !$omp end do
  !$omp end parallel
  !$omp end target
  do i = 1, n
    if (a(i) /= i) error stop 'dynamic loop: wrong'
  end do
  if (singles /= 1) error stop 'single: wrong'
  if (criticals /= n) error stop 'critical: wrong'

  ! only mutual exclusion, because flang-22 does not order the iterations
  ordereds = 0
  !$omp target parallel do ordered num_threads(4) map(tofrom: ordereds)
  do i = 1, n
    !$omp ordered
    ordereds = ordereds + 1
    !$omp end ordered
  end do
  if (ordereds /= n) error stop 'ordered: wrong'

  teams_over = 0
  most = 0
  !$omp target map(tofrom: a, teams_over, most)
  !$omp teams num_teams(4) thread_limit(2)
  !$omp distribute private(j)
  do i = 1, 10
    if (omp_get_num_teams() > 4) teams_over = 1
    !$omp parallel do
    do j = 1, 100
      a((i - 1)*100 + j) = a((i - 1)*100 + j) + j
      if (omp_get_num_threads() > 2) most = 3
    end do
  end do
  !$omp end teams
  !$omp end target
  do i = 1, n
    if (a(i) /= i + mod(i - 1, 100) + 1) error stop 'distribute with a parallel loop: wrong'
  end do
  if (teams_over /= 0) error stop 'num_teams: too many'
  if (most /= 0) error stop 'thread_limit: too many'

  most = 0
  !$omp target teams distribute parallel do simd if(parallel: n < 1) map(tofrom: most)
  do k = 1, n
    a(k) = int(k)
    if (omp_get_num_threads() > 1) most = 1
  end do
  if (most /= 0) error stop 'if: more than one thread'
  !$omp target simd
  do k = 1, n
    a(k) = a(k) - int(k)
  end do
  if (any(a /= 0)) error stop 'simd: wrong'
end program
