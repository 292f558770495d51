! Description: atomic update, read, write and capture
subroutine test_atomic
  implicit none
  integer :: i, n, m, top, order(50)
  real(8) :: d
  complex :: c
  n = 0
  d = 0
  c = 0
  top = 0
  order = 0
  !$omp target teams distribute parallel do map(tofrom: n, d, c, top, order) private(m)
  do i = 1, 50
  !$omp atomic update
  n = n + i
  !$omp atomic
  d = d + 0.5d0
  !$omp atomic
  c = c + (1.0, 2.0)
  !$omp atomic capture
  top = top + 1
  m = top
  !$omp end atomic
  order(m) = order(m) + 1
  end do
  print *, 'atomic', n, d, nint(real(c)), nint(aimag(c)), top, sum(order), maxval(order)
end subroutine
