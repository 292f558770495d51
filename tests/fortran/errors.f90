! Run by errors.sh. Argument: which mistake.
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
  case ('device') ! one that is not there
    !$omp target device(77) map(tofrom: on_host)
    on_host = omp_is_initial_device()
    !$omp end target
    if (.not. on_host) error stop 'a device that is not there ran the region'
    print '(a)', 'on the host'
  case ('extend') ! a section that goes beyond the one that is present
    !$omp target enter data map(to: a(1:50))
    !$omp target enter data map(to: a(20:80))
    print '(a)', 'went on'
  end select
end program
