! Description: parallel do in a target region with serial code before and after
subroutine test_generic
  implicit none
  integer :: i, a(64), before, after
  a = 0
  before = 0
  after = 0
  !$omp target map(tofrom: a, before, after)
  before = 5
  !$omp parallel do
  do i = 1, 64
  a(i) = before + i
  end do
  after = sum(a)
  !$omp end target
  print *, 'generic', sum(a), before, after
end subroutine
