! Description: parameters, save variables and initial values
subroutine test_constants
  implicit none
  integer, parameter :: digit = 7
  integer, save :: calls = 5
  integer :: r, i
  r = 0
  !$omp target map(tofrom: r, calls)
  do i = 1, 4
  r = r*10 + digit
  end do
  calls = calls + 1
  !$omp end target
  print *, 'constants', r, calls
end subroutine
