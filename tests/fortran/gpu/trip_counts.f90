! Description: loops with no, one and many iterations
subroutine test_trip_counts
  implicit none
  integer :: n, i, a(5000), counts(5) = [0, 1, 127, 129, 4999], k, total
  do k = 1, 5
  n = counts(k)
  a = 0
  total = 0
  !$omp target teams distribute parallel do map(tofrom: a, total) reduction(+: total)
  do i = 1, n
    a(i) = a(i) + 1
    total = total + 1
  end do
  print *, 'trip_counts', n, sum(a), total, maxval(a)
  end do
end subroutine
