! diffusion: heat in a rod. Data stays on the device; host and device call one function.
!   solo-fc -O2 diffusion.f90 -o diffusion && ./diffusion  (GPU: --targets=sm_90)
module rod
  implicit none
  integer, parameter :: n = 100000
  type state
    real(8), allocatable :: now(:), next(:)
    real(8) :: alpha = 0.25d0
  end type
contains
  pure real(8) function spread(left, here, right, alpha)
    !$omp declare target
    real(8), intent(in) :: left, here, right, alpha
    spread = here + alpha*(left - 2*here + right)
  end function
end module

program diffusion
  use rod
  use omp_lib
  implicit none
  type(state) :: s
  real(8), allocatable :: host(:), other(:)
  real(8) :: change, alpha, seconds, error
  integer :: i, step, device
  allocate(s%now(n), s%next(n), host(n), other(n))
  s%now = 0
  s%now(n/3:n/2) = 100
  s%next = s%now
  host = s%now
  other = host
  alpha = s%alpha
  device = -1

  seconds = omp_get_wtime()
  !$omp target data map(tofrom: s%now) map(alloc: s%next)
  do step = 1, 200
    change = 0
    !$omp target teams distribute parallel do reduction(max: change) map(tofrom: change)
    do i = 2, n - 1
      s%next(i) = spread(s%now(i - 1), s%now(i), s%now(i + 1), alpha)
      change = max(change, abs(s%next(i) - s%now(i)))
    end do
    !$omp target teams distribute parallel do
    do i = 2, n - 1
      s%now(i) = s%next(i)
    end do
  end do
  !$omp target map(from: device)
  device = omp_get_device_num()
  !$omp end target
  !$omp end target data
  seconds = omp_get_wtime() - seconds

  do step = 1, 200
    do i = 2, n - 1
      other(i) = spread(host(i - 1), host(i), host(i + 1), alpha)
    end do
    host(2:n - 1) = other(2:n - 1)
  end do
  error = maxval(abs(host - s%now))
  if (.not. error <= 1d-9) then
    print '(a, es12.2, a)', '  largest error               ', error, ' absolute: WRONG'
    error stop
  end if
  print '(a, i0, a, i0)', 'diffusion  on device ', device, ' of ', omp_get_num_devices()
  print '(a, f12.2, a)', '  200 steps of 100000 cells  ', seconds*1d3, ' ms'
  print '(a, es12.2, a)', '  largest error               ', error, ' absolute: right'
end program
