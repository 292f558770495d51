! Description: module procedures with declare target, called from a kernel
module procedures_code
contains
  real(8) function cube(x)
    !$omp declare target
    real(8), intent(in) :: x
    cube = x*x*x
  end function
  subroutine bump(x, by)
    !$omp declare target
    real(8), intent(inout) :: x
    integer, intent(in) :: by
    x = x + by
  end subroutine
end module

subroutine test_procedures
  use procedures_code
  implicit none
  integer :: i
  real(8) :: y(40)
  !$omp target teams distribute parallel do map(from: y)
  do i = 1, 40
  y(i) = cube(real(i, 8))
  call bump(y(i), i)
  end do
  print *, 'procedures', sum(y), y(40)
end subroutine
