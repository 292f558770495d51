! Description: print
subroutine test_printing
  implicit none
  integer :: n
  real(8) :: x, small
  real :: y
  n = -42
  x = 0.1d0
  y = 1.5e-7
  small = 2d0**(-1017)
  !$omp target map(to: n, x, y, small)
  print *, 'printing', n, x, y, .true., 1d0/3, 1e20, 2.5, 123456.789d0, 0.0
  print *, 'power', small, -2*small, tiny(x)
  !$omp end target
end subroutine
