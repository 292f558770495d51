! Description: a target data region with two kernels
subroutine test_target_data
  implicit none
  integer :: i
  real(8) :: x(80), y(80)
  x = 1
  y = 0
  !$omp target data map(to: x) map(from: y)
  !$omp target teams distribute parallel do
  do i = 1, 80
  x(i) = x(i) + i
  end do
  !$omp target teams distribute parallel do
  do i = 1, 80
  y(i) = 2*x(i)
  end do
  !$omp end target data
  print *, 'target_data', sum(x), sum(y)
end subroutine
