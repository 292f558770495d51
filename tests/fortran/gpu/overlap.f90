! Description: overlapping array assignments and where
subroutine test_overlap
  implicit none
  integer :: i, a(10), b(10)
  a = [(i, i=1, 10)]
  b = a
  !$omp target map(tofrom: a, b)
  a(2:10) = a(1:9)
  b(1:9) = b(2:10)
  where (b > 5)
  b = -b
  elsewhere
  b = b + 100
  end where
  !$omp end target
  print *, 'overlap', a, b
end subroutine
