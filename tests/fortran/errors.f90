! Run by errors.sh; the argument selects the error.
program errors
  use omp_lib
  implicit none
  character(16) :: which
  real :: a(100)
  logical :: on_host
  a = 1
  on_host = .false.
  call get_command_argument(1, which)
  select case (which)
  case ('device') ! invalid
    !$omp target device(77) map(tofrom: on_host)
    on_host = omp_is_initial_device()
    !$omp end target
    if (.not. on_host) error stop 'an invalid device ran the region'
    print '(a)', 'on the host'
  case ('extend') ! extends a present section
    !$omp target enter data map(to: a(1:50))
    !$omp target enter data map(to: a(20:80))
    print '(a)', 'continued'
  end select
end program
