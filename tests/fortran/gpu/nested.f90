! Description: nested directives instead of a combined directive
subroutine test_nested
  implicit none
  integer :: i, j, a(20, 30)
  a = 0
  !$omp target map(tofrom: a)
  !$omp teams
  !$omp distribute
  do j = 1, 30
  !$omp parallel do
  do i = 1, 20
    a(i, j) = i + 100*j
  end do
  end do
  !$omp end teams
  !$omp end target
  print *, 'nested', sum(a), a(20, 30)
end subroutine
