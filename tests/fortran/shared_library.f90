! Shared library of mixed.sh: regions on data that C mapped.
subroutine add_index(a, n) bind(c)
  use iso_c_binding
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(inout) :: a(n)
  integer :: i
  !$omp target teams distribute parallel do num_teams(2) map(tofrom: a)
  do i = 1, n
    a(i) = a(i) + i
  end do
end subroutine
