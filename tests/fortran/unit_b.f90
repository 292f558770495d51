! Procedures of units.f90 that use data of unit_a.f90.
module worker
  use shared_state
  implicit none
contains
  subroutine double_all(v)
    real, intent(inout) :: v(:)
    integer :: i
    !$omp target teams distribute parallel do map(tofrom: v)
    do i = 1, size(v)
      v(i) = 2*v(i) + lookup(i)
    end do
  end subroutine
end module
subroutine plain(v, m)
  implicit none
  integer, intent(in) :: m
  real, intent(inout) :: v(m)
  integer :: i
  !$omp target teams distribute parallel do num_teams(2) map(tofrom: v)
  do i = 1, m
    v(i) = v(i) + 0.5
  end do
end subroutine
