! Description: logical reductions
subroutine test_red_logical
  implicit none
  integer :: i
  logical :: a, o, e, n
  a = .true.
  o = .false.
  e = .true.
  n = .false.
  !$omp target parallel do reduction(.and.: a) reduction(.or.: o) reduction(.eqv.: e) reduction(.neqv.: n) &
  !$omp& map(tofrom: a, o, e, n)
  do i = 1, 301
  a = a .and. i > 0
  o = o .or. i == 77
  e = e .eqv. i /= 5
  n = n .neqv. mod(i, 2) == 0
  end do
  print *, 'red_logical', a, o, e, n
end subroutine
