! Module of units.f90.
module shared_state
  implicit none
  integer, parameter :: n = 256
  real :: table(n)
  !$omp declare target(table)
contains
  real function lookup(i)
    !$omp declare target
    integer, intent(in) :: i
    lookup = table(i)
  end function
end module
