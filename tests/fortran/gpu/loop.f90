! Description: the directive loop
subroutine test_loop
  implicit none
  integer :: i, a(90), b(90)
  a = 0
  b = 0
  !$omp target teams loop map(tofrom: a)
  do i = 1, 90
  a(i) = i
  end do
  !$omp target parallel do map(tofrom: b)
  do i = 1, 90
  b(i) = 2*i
  end do
  print *, 'loop', sum(a), sum(b)
end subroutine
