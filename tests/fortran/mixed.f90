! Description: C and Fortran regions of one program use the same mapped data (mixed.sh).
program mixed
  use iso_c_binding
  implicit none
  interface
    subroutine c_region(a, n) bind(c)
      import c_double, c_int
      real(c_double), intent(inout) :: a(*)
      integer(c_int), value :: n
    end subroutine
    real(c_double) function c_sum(a, n) bind(c)
      import c_double, c_int
      real(c_double), intent(in) :: a(*)
      integer(c_int), value :: n
    end function
  end interface
  integer, parameter :: n = 1000
  real(c_double) :: a(n), total
  integer :: i
  a = [(real(mod(i, 10), c_double), i=1, n)]
  !$omp target data map(tofrom: a)
  call c_region(a, n)
  !$omp target teams distribute parallel do num_teams(2)
  do i = 1, n
    a(i) = a(i) + i
  end do
  total = c_sum(a, n)
  !$omp end target data
  do i = 1, n
    if (a(i) /= mod(i, 10)**3 + i) error stop 'mixed: wrong'
  end do
  if (total /= sum(a)) error stop 'mixed: sum in C over data of Fortran is wrong'
end program
