! Description: y = a x + y in a target region.
program saxpy
  use omp_lib
  implicit none
  integer, parameter :: n = 100003
  real :: x(n), y(n), want(n), a
  integer(8) :: k
  integer :: i, threads
  logical :: on_host
  a = 2.5
  do i = 1, n
    x(i) = real(mod(i, 1000))
    y(i) = real(mod(i, 7))
    want(i) = a*x(i) + y(i)
  end do
  on_host = .true.
  threads = 0
  !$omp target map(tofrom: on_host)
  on_host = omp_is_initial_device()
  !$omp end target
  if (on_host) error stop 'the region ran on the host'

  !$omp target teams distribute parallel do map(to: x) map(tofrom: y)
  do i = 1, n
    y(i) = a*x(i) + y(i)
  end do
  if (any(y /= want)) error stop 'saxpy: wrong'

  !$omp target teams distribute parallel do dist_schedule(static, 100) schedule(static, 7)
  do k = 1, n
    y(k) = y(k) - a*x(k)
  end do
  do i = 1, n
    if (y(i) /= real(mod(i, 7))) error stop 'saxpy in chunks: wrong'
  end do

  !$omp target parallel num_threads(2) map(tofrom: threads)
  !$omp atomic
  threads = threads + 1
  !$omp end target parallel
  if (threads /= 2) error stop 'num_threads(2): not two threads'
end program
