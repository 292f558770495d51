! Description: two dependent loops in one parallel region
subroutine test_barriers
  implicit none
  integer :: i, a(50), b(50)
  a = 0
  b = 0
  !$omp target parallel map(tofrom: a, b)
  !$omp do
  do i = 1, 50
  a(i) = i
  end do
  !$omp end do
  !$omp do
  do i = 1, 50
  b(i) = a(51 - i)
  end do
  !$omp end do
  !$omp end target parallel
  print *, 'barriers', sum(b*a), b(1)
end subroutine
