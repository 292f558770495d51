! Description: allocatable arrays with lower bounds
subroutine test_allocatable
  implicit none
  real, allocatable :: a(:), b(:, :)
  integer :: i, j
  allocate(a(-3:20), b(0:4, 5:9))
  a = 1
  b = 2
  !$omp target teams distribute parallel do map(tofrom: a)
  do i = -3, 20
  a(i) = a(i) + i
  end do
  !$omp target teams distribute parallel do collapse(2) map(tofrom: b)
  do j = 5, 9
  do i = 0, 4
    b(i, j) = b(i, j)*i + j
  end do
  end do
  print *, 'allocatable', sum(a), a(-3), sum(b), b(4, 9)
end subroutine
