! Description: lastprivate in a parallel loop
subroutine test_lastprivate
  implicit none
  integer :: i, last
  last = 0
  !$omp target parallel do lastprivate(last) map(tofrom: last)
  do i = 1, 77
  last = 3*i
  end do
  print *, 'lastprivate', last
end subroutine
