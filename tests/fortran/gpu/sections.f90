! Description: an array section in a map clause
subroutine test_sections
  implicit none
  integer :: a(100), i
  a = 1
  !$omp target map(tofrom: a(11:20))
  do i = 11, 20
  a(i) = a(i) + i
  end do
  !$omp end target
  print *, 'sections', sum(a), a(10), a(11), a(20), a(21)
end subroutine
