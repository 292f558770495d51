! saxpy: y = a x + y, in Fortran.
!   solo-fc -O2 saxpy.f90 -o saxpy && ./saxpy          GPU: --targets=sm_90; virtual GPU: --targets=simt-sm_90
program saxpy
  use omp_lib, only: omp_get_device_num, omp_get_num_devices
  implicit none
  integer, parameter :: n = 1000000
  real, allocatable :: x(:), y(:)
  real :: a
  integer :: i, device
  allocate(x(n), y(n))
  x = [(real(mod(i, 100)), i=1, n)]
  y = 1
  a = 2.5
  !$omp target teams distribute parallel do map(to: x) map(tofrom: y)
  do i = 1, n
    y(i) = a*x(i) + y(i)
  end do
  !$omp target map(from: device)
  device = omp_get_device_num()
  !$omp end target
  if (any(y /= a*x + 1)) error stop 'saxpy: WRONG'
  print '(a, i0, a, i0)', 'saxpy  on device ', device, ' of ', omp_get_num_devices()
  print '(a, es12.2, a)', '  largest error               ', maxval(abs(y - a*x - 1)), ' absolute: right'
end program
