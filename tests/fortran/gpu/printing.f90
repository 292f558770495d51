! Description: print in a kernel
subroutine test_printing
  implicit none
  integer :: n
  real(8) :: x
  real :: y
  n = -42
  x = 0.1d0
  y = 1.5e-7
  !$omp target map(to: n, x, y)
  print *, 'printing', n, x, y, .true., 1d0/3, 1e20, 2.5, 123456.789d0, 0.0
  !$omp end target
end subroutine
