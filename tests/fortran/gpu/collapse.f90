! Description: collapse(2) and collapse(3), with steps
subroutine test_collapse
  implicit none
  integer :: i, j, k, a(10, 12), b(4, 5, 6)
  a = 0
  b = 0
  !$omp target teams distribute parallel do collapse(2) map(tofrom: a)
  do j = 2, 12, 2
  do i = 10, 1, -3
    a(i, j) = a(i, j) + 10*i + j
  end do
  end do
  !$omp target teams distribute parallel do collapse(3) map(tofrom: b)
  do k = 1, 6
  do j = 1, 5
    do i = 1, 4
      b(i, j, k) = i + 10*j + 100*k
    end do
  end do
  end do
  print *, 'collapse', sum(a), sum(b), a(10, 12), a(9, 12)
end subroutine
