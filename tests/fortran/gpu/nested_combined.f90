! Description: nested parallel loops
subroutine test_nested_combined
  implicit none
  integer :: i, j, s, sums(30)
  !$omp target teams distribute map(from: sums) private(s)
  do j = 1, 30
  s = 0
  !$omp parallel do reduction(+: s)
  do i = 1, 20
    s = s + i*j
  end do
  sums(j) = s
  end do
  print *, 'nested_combined', sums(1), sums(30)
end subroutine
