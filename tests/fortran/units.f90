! Description: declare target modules in separately compiled files.
! With: unit_a.f90
! With: unit_b.f90
program units
  use shared_state
  use worker
  implicit none
  real :: v(n)
  integer :: i
  interface
    subroutine plain(v, m)
      integer, intent(in) :: m
      real, intent(inout) :: v(m)
    end subroutine
  end interface
  table = [(10*i, i=1, n)]
  v = 1
  !$omp target update to(table)
  call double_all(v)
  call plain(v, n)
  do i = 1, n
    if (v(i) /= 2.5 + 10*i) error stop 'units: wrong'
  end do
  !$omp target teams distribute parallel do
  do i = 1, n
    table(i) = table(i) + lookup(i)
  end do
  !$omp target update from(table)
  do i = 1, n
    if (table(i) /= 20*i) error stop 'units: data of another file is not one'
  end do
end program
