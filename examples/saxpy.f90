! saxpy: y = a x + y, in Fortran.
!   solo-fc -O2 saxpy.f90 -o saxpy && ./saxpy          GPU: --targets=sm_90; virtual GPU: --targets=simt-sm_90
program saxpy
  implicit none
  integer, parameter :: n = 1000000
  real, allocatable :: x(:), y(:)
  real :: a
  integer :: i
  allocate(x(n), y(n))
  x = [(real(mod(i, 100)), i=1, n)]
  y = 1
  a = 2.5
  !$omp target teams distribute parallel do map(to: x) map(tofrom: y)
  do i = 1, n
    y(i) = a*x(i) + y(i)
  end do
  if (any(y /= a*x + 1)) error stop 'saxpy: WRONG'
  print '(a, f8.1, a)', 'saxpy  y(99) = ', y(99), ': right'
end program
