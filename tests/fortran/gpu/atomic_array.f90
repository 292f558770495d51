! Description: atomic updates of array elements (for reductions see docs/limits.md)
subroutine test_atomic_array
  implicit none
  integer :: i, s(4)
  s = 10
  !$omp target teams distribute parallel do map(tofrom: s)
  do i = 1, 103
    !$omp atomic
    s(1 + mod(i, 4)) = s(1 + mod(i, 4)) + i
  end do
  print *, 'atomic_array', s
end subroutine
