! Description: target teams distribute parallel do simd
subroutine test_simd
  implicit none
  integer :: i
  real :: x(257)
  x = 1
  !$omp target teams distribute parallel do simd map(tofrom: x)
  do i = 1, 257
  x(i) = x(i) + 0.5*i
  end do
  print *, 'simd', sum(x)
end subroutine
