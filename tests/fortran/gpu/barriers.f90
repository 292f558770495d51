! Description: dependent loops in one parallel region
subroutine test_barriers
  implicit none
  integer :: i, s, a(50), b(50)
  a = 0
  b = 0
  s = 0
  !$omp target map(tofrom: a, b, s)
  !$omp parallel
  !$omp do
  do i = 1, 50
  a(i) = i
  end do
  !$omp do reduction(+: s)
  do i = 1, 50
  b(i) = a(51 - i)
  s = s + b(i)
  end do
  !$omp do
  do i = 1, 50
  a(i) = a(i) + s
  end do
  !$omp end parallel
  !$omp end target
  print *, 'barriers', sum(b*a), b(1), s, a(1)
end subroutine
