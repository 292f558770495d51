! Description: serial code before and after a parallel loop
subroutine test_generic
  implicit none
  integer :: i, k, last, a(64), before, after, count
  a = 0
  before = 0
  after = 0
  count = 0
  !$omp target map(tofrom: a, before, after, count)
  before = 5
  count = count + 1
  k = -1
  last = -1
  !$omp parallel do lastprivate(last)
  do i = 1, 64
  a(i) = before + i
  last = i
  if (i == 7) k = i
  end do
  after = sum(a)
  count = count + 1 + 100*last + 10000*k
  !$omp end target
  print *, 'generic', sum(a), before, after, count
end subroutine
