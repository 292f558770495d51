! Description: firstprivate scalars
subroutine test_firstprivate
  implicit none
  integer :: i, k, a(64)
  k = 11
  a = 0
  !$omp target map(tofrom: a)
  !$omp parallel do firstprivate(k)
  do i = 1, 64
  k = k + i
  a(i) = k - i - (k - i - 11)
  end do
  !$omp end target
  print *, 'firstprivate', sum(a), k
end subroutine
