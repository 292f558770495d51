! Description: target, with a scalar and an array
subroutine test_target
  implicit none
  integer :: a(5), s, i
  a = [1, 2, 3, 4, 5]
  s = 0
  !$omp target map(tofrom: a, s)
  do i = 1, 5
  a(i) = a(i)*2
  s = s + a(i)
  end do
  !$omp end target
  print *, 'target', a, s
end subroutine
