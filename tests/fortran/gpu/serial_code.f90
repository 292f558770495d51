! Description: parallel regions share variables of serial code
subroutine serial_add(x, n)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: x(n)
  integer :: copy(n), i, step
  !$omp declare target
  step = x(1)
  copy = x
  !$omp parallel do
  do i = 1, n
  x(i) = copy(n + 1 - i) + step
  end do
end subroutine

subroutine test_serial_code
  implicit none
  integer :: i, k, a(64), before, given, total, sums(8), part
  a = 0
  before = 0
  !$omp target map(tofrom: a, before)
  before = before + 1
  !$omp parallel do
  do i = 1, 64
  a(i) = before + i
  end do
  before = before + a(64)
  !$omp end target
  print *, 'serial_code', sum(a), before

  given = 3
  total = -1
  !$omp target map(tofrom: a) map(from: total)
  given = given + 1 ! firstprivate
  !$omp parallel do
  do i = 1, 64
  !$omp critical
  given = given + 10
  !$omp end critical
  end do
  a(1) = given
  call serial_add(a, 64)
  total = 0
  !$omp parallel do reduction(+: total)
  do i = 1, 64
  total = total + a(i) + given
  end do
  !$omp end target
  print *, 'serial_code', a(1), a(2), a(64), total

  !$omp target teams distribute private(part)
  do k = 1, 8
  part = k
  !$omp parallel do reduction(+: part)
  do i = 1, 100
  part = part + i
  end do
  sums(k) = part
  end do
  print *, 'serial_code', sums
end subroutine
