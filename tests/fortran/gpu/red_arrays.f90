! Description: reductions of arrays and of a derived type
subroutine test_red_arrays
  implicit none
  type pair
    integer :: a, b
    real(8) :: c
  end type
  integer :: i, a(4), b(2, 3), n
  real(8) :: s
  type(pair) :: p
  !$omp declare reduction(add: pair: omp_out = pair(omp_out%a + omp_in%a, omp_out%b + omp_in%b, omp_out%c + omp_in%c)) &
  !$omp initializer(omp_priv = pair(0, 0, 0d0))
  a = 1
  n = 0
  !$omp target teams distribute parallel do reduction(+: a) map(tofrom: a)
  do i = 1, 100
    a(mod(i, 4) + 1) = a(mod(i, 4) + 1) + i
  end do
  print *, 'red_arrays', a
  a = 1
  b = 2
  s = 0
  !$omp target parallel do reduction(+: a, n) reduction(max: b) reduction(max: s) map(tofrom: a, b, n, s)
  do i = 1, 150
    a(mod(i, 4) + 1) = a(mod(i, 4) + 1) + i
    b(mod(i, 2) + 1, mod(i, 3) + 1) = max(b(mod(i, 2) + 1, mod(i, 3) + 1), i)
    n = n + 1
    s = max(s, real(i, 8))
  end do
  print *, 'parallel', a, b, n, s
  a = 3
  !$omp target teams num_teams(3) reduction(+: a) map(tofrom: a)
  a(2) = a(2) + 1
  !$omp end target teams
  print *, 'teams', a
  p = pair(1, 2, 3d0)
  !$omp target parallel do reduction(add: p) map(tofrom: p)
  do i = 1, 100
    p%a = p%a + i
    p%b = p%b + 1
    p%c = p%c + 0.5d0
  end do
  print *, 'derived', p%a, p%b, p%c
end subroutine
