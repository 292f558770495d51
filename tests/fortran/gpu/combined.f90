! Description: target teams distribute parallel do
subroutine test_combined
  implicit none
  integer :: i
  real(8) :: x(1000), y(1000)
  do i = 1, 1000
  x(i) = i
  y(i) = 2*i
  end do
  !$omp target teams distribute parallel do map(to: x) map(tofrom: y)
  do i = 1, 1000
  y(i) = y(i) + 3*x(i)
  end do
  print *, 'combined', sum(y), y(1000)
end subroutine
