! Description: nowait with depend and taskwait
subroutine test_nowait
  implicit none
  integer :: i, a(64), b(64)
  a = 1
  b = 0
  !$omp target enter data map(to: a, b)
  !$omp target teams distribute parallel do nowait depend(out: a)
  do i = 1, 64
  a(i) = a(i) + i
  end do
  !$omp target teams distribute parallel do nowait depend(in: a) depend(out: b)
  do i = 1, 64
  b(i) = 2*a(i)
  end do
  !$omp taskwait
  !$omp target update from(b)
  print *, 'nowait', sum(b)
  !$omp target exit data map(delete: a, b)
end subroutine
